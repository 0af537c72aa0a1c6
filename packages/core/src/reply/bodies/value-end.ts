import { closedBy } from "../../syntax/spelling.js";
import { LOOKAHEAD, spaceEnd } from "../input.js";
import type { Lookahead } from "../lookahead.js";
import type { AfterBody } from "../opening/token-fit.js";
import { closingTagEnd } from "./markup.js";

/** What surrounds the values of a call. */
export interface ValuePlace {
  /** Closing tags may be in another case and hold spaces. */
  isLoose: boolean;
  /** The markers that end the call, in their order, and the elements they close. */
  after: Pick<AfterBody, "closers" | "elements">;
  /** Whether the markup that ends the call is at this index. */
  closes: (text: string, index: number) => boolean | undefined;
  /** Whether the tag of a new argument is at this index. */
  comes: (look: Lookahead, index: number) => boolean;
}

/**
 * Says where the value between an argument's tags ends. The value may itself hold such tags, and whole calls: the
 * elements that it opens are counted, and what closes one of those is text.
 */
export class ValueEnd {
  /** The value's closing tag, and its name if it is markup. */
  private close = "";
  private name: string | undefined;
  /** The value is text, which may speak of a tag without closing it. */
  private isText = false;
  /** How many elements of each name are open in the value: of the value's own, and of those around the call. */
  private readonly open = new Map<string, number>();
  /** The value contains its closing tag as text, which could also end it. */
  holdsCloser = false;
  /** Its opening tag follows that: two values of one name, or one value with both tags in it. */
  isRepeated = false;
  /** One of them is open, or was. */
  private hasOpened = false;
  /** The first characters of the names: few tags need a closer look. */
  private readonly firstsAround: string;
  private firsts = "";

  constructor(private readonly place: ValuePlace) {
    for (const name of place.after.elements) this.open.set(name, 0);
    this.firstsAround = place.after.elements.map((name) => name.charAt(0)).join("");
  }

  /** A value begins. */
  begin(close: string, name: string | undefined, isText: boolean): void {
    if (this.name !== name && this.name !== undefined && !this.place.after.elements.includes(this.name))
      this.open.delete(this.name);
    this.close = close;
    this.name = name;
    this.isText = isText;
    this.holdsCloser = this.isRepeated = false;
    if (this.hasOpened) for (const known of this.open.keys()) this.open.set(known, 0);
    this.hasOpened = false;
    if (name !== undefined) this.open.set(name, 0);
    this.firsts = name === undefined ? this.firstsAround : this.firstsAround + name.charAt(0);
  }

  /** An element of the value's own name is open in it. */
  get isUnclosed(): boolean {
    return this.name !== undefined && this.isOpen(this.name);
  }

  /** What is read is a call that the value shows. */
  get isShowing(): boolean {
    return this.place.after.elements.some((name) => this.isOpen(name));
  }

  /**
   * Where the value ends, if it does at this `<`: after its closing tag, when something that can follow it follows; or
   * here, when the closing tag is missing and the call ends. `place`: of a value between lines of their own, whether this
   * is one.
   */
  at(look: Lookahead, at: number, place: "line" | "within" | "unknown" = "unknown"): number | false {
    const { text } = look;
    const { close, name, isText } = this;
    const sign = text.charAt(at + 1);
    if (sign !== "" && sign !== "/" && sign !== close.charAt(1)) return false;
    const end = this.closerEnd(look, at);
    if (look.hitEnd) return false;
    if (end === false) {
      const ends = this.callEnds(look, at);
      const shows = !ends && !look.hitEnd && this.closersStand(look, at);
      this.holdsCloser ||= shows;
      return ends && at;
    }
    const isInner = name !== undefined && this.isOpen(name);
    if (!isText && !isInner) return end;
    const next = spaceEnd(text, end);
    if (next - end >= LOOKAHEAD || look.endsAt(next)) return end;
    const isLast = look.known(this.place.closes(text, next), false);
    if (look.hitEnd) return false;
    if (!isInner) {
      if (isLast || text.charAt(next) === "<") return end;
      const endsLine = text.slice(end, next).includes("\n");
      if (place === "line" && endsLine) return end;
      const isAgain = !endsLine || this.closesAgain(look, next);
      if (!isAgain || look.hitEnd) return end;
      this.holdsCloser ||= place !== "within";
      return false;
    }
    // Of an element of the same name inside the value, unless that was only spoken of.
    const follows = isLast ? this.isOwn(look, next) : isText && this.place.comes(look, next);
    return follows && end;
  }

  /**
   * Whether the next tag of the text closes the value once more, so that what closed it before was a part of it. Other
   * text after the line that it ended is none of the value; should it be closed again, the call is rejected.
   */
  private closesAgain(look: Lookahead, from: number): boolean {
    const window = look.text.slice(from, from + LOOKAHEAD);
    const tag = window.indexOf("<");
    if (tag >= 0) return this.closerEnd(look, from + tag) !== false;
    if (window.length < LOOKAHEAD) look.atEnd();
    return false;
  }

  /** Over a `<` that is part of the value. */
  pass(look: Lookahead, at: number): void {
    const { text } = look;
    const sign = text.charAt(at + 1);
    if (sign !== "" && sign !== "/" && !this.firsts.includes(sign)) return;
    for (const [name, open] of this.open) {
      const tag = `<${name}`;
      const opens = look.has(tag, at);
      const isOpening = opens && opensElement(look, at + tag.length);
      const isClosing = !opens && open > 0 && closingTagEnd(look, at, name) !== false;
      if (look.hitEnd) return;
      if (isClosing) this.open.set(name, open - 1);
      if (!isOpening) continue;
      this.open.set(name, open + 1);
      this.hasOpened = true;
      if (name === this.name) this.isRepeated ||= this.holdsCloser;
    }
  }

  private isOpen(name: string): boolean {
    return (this.open.get(name) ?? 0) > 0;
  }

  /** The index after the value's closing tag, if it is here. */
  private closerEnd(look: Lookahead, at: number): number | false {
    const { close, name } = this;
    if (name === undefined || !this.place.isLoose) return look.has(close, at) && at + close.length;
    return look.text.startsWith(close, at) ? at + close.length : closingTagEnd(look, at, name);
  }

  /** Whether two closing markers of the call are here that are no tags, as after a value whose own is broken. */
  private closersStand(look: Lookahead, at: number): boolean {
    const [first, second] = this.place.after.closers;
    if (first === undefined || second === undefined || closedBy(first) !== undefined) return false;
    return look.has(first + second, at);
  }

  /** Whether the call ends here, though a value is open: its closing markers are here, and nothing of a value can follow. */
  private callEnds(look: Lookahead, at: number): boolean {
    const closed = this.closersEnd(look, at);
    if (!closed) return false;
    const next = spaceEnd(look.text, closed.end);
    if (next - closed.end <= LOOKAHEAD && look.endsAt(next)) return true;
    if (closed.isInner) return false;
    return look.text.charAt(next) === "<" ? !this.isClosedAt(look, next) : closed.count > 1;
  }

  /** Whether the closing marker here is the call's own, and not that of one which the value shows. */
  private isOwn(look: Lookahead, at: number): boolean {
    const closed = this.closersEnd(look, at);
    if (!closed?.isInner) return true;
    // Nothing comes after it: the one that the value shows is never closed.
    const next = spaceEnd(look.text, closed.end);
    return next - closed.end <= LOOKAHEAD && look.endsAt(next);
  }

  /** The index after the call's closing markers here, some of which may be missing; the first may close an inner call. */
  private closersEnd(look: Lookahead, at: number): { end: number; count: number; isInner: boolean } | undefined {
    let end = at;
    let count = 0;
    let isInner = false;
    for (const closer of this.place.after.closers) {
      const name = closedBy(closer);
      if (name === undefined) continue;
      const next = count === 0 ? at : spaceEnd(look.text, end);
      if (next - end > LOOKAHEAD || !look.has(closer, next)) continue;
      end = next + closer.length;
      if (count === 0) isInner = this.isOpen(name);
      count++;
    }
    return count === 0 || look.hitEnd ? undefined : { end, count, isInner };
  }

  /** Whether the value's closing tag is here, and after it the rest of the call: what came before is text. */
  private isClosedAt(look: Lookahead, at: number): boolean {
    const end = this.closerEnd(look, at);
    if (end === false) return false;
    const next = spaceEnd(look.text, end);
    if (next - end > LOOKAHEAD) return false;
    const [closer = ""] = this.place.after.closers;
    return look.any(
      () => look.has(closer, next),
      () => this.place.comes(look, next),
    );
  }
}

/** Whether the text after `<name` makes it the tag of an element that is to be closed. A tag in backticks is spoken of. */
function opensElement(look: Lookahead, from: number): boolean {
  const rest = look.text.slice(from, from + LOOKAHEAD);
  if (look.endsAt(from) || !/[\s=/>]/.test(rest.charAt(0))) return false;
  const end = rest.indexOf(">");
  if (rest.length < LOOKAHEAD && (end < 0 || end + 1 === rest.length)) look.atEnd();
  return end < 0 || (rest.charAt(end - 1) !== "/" && rest.charAt(end + 1) !== "`");
}
