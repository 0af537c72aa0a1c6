import { closedBy } from "../../syntax/spelling.js";
import { type Input, LOOKAHEAD, spaceEnd, standsAt } from "../input.js";
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
  comes: (input: Input, index: number) => boolean | undefined;
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
  /** What the names begin with: few tags need a closer look. */
  private firsts = "";

  constructor(private readonly place: ValuePlace) {
    for (const name of place.after.elements) this.open.set(name, 0);
  }

  /** A value begins. */
  begin(close: string, name: string | undefined, isText: boolean): void {
    if (this.name !== name) {
      if (this.name !== undefined && !this.place.after.elements.includes(this.name)) this.open.delete(this.name);
      this.firsts = "";
    }
    this.close = close;
    this.name = name;
    this.isText = isText;
    this.holdsCloser = this.isRepeated = false;
    for (const [known, count] of this.open) if (count > 0) this.open.set(known, 0);
    if (name !== undefined) this.open.set(name, 0);
    if (this.firsts === "") for (const known of this.open.keys()) this.firsts += known.charAt(0);
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
   * Where the value ends, if it does at this `<`: behind its closing tag, when something that can follow it follows; or
   * here, when the closing tag is missing and the call ends. `place`: of a value between lines of their own, whether this
   * is one.
   */
  at(input: Input, at: number, place: "line" | "within" | "unknown" = "unknown"): number | undefined | false {
    const { text, final } = input;
    const { close, name, isText } = this;
    const { closes } = this.place;
    const sign = text.charAt(at + 1);
    if (sign !== "" && sign !== "/" && sign !== close.charAt(1)) return false;
    const end = this.closerEnd(text, at);
    if (end === undefined) return final ? false : undefined;
    if (end === false) {
      const ends = this.callEnds(input, at);
      const shows = ends === false && this.closersStand(text, at);
      if (shows === undefined && !final) return undefined;
      this.holdsCloser ||= shows === true;
      return ends ? at : ends;
    }
    const isInner = name !== undefined && this.isOpen(name);
    if (!isText && !isInner) return end;
    const next = spaceEnd(text, end);
    if (next - end >= LOOKAHEAD) return end;
    if (next >= text.length) return final ? end : undefined;
    const isLast = closes(text, next);
    if (isLast === undefined && !final) return undefined;
    if (!isInner) {
      if (isLast || text.charAt(next) === "<") return end;
      const endsLine = text.slice(end, next).includes("\n");
      if (place === "line" && endsLine) return end;
      const isAgain = endsLine ? this.closesAgain(input, next) : true;
      if (isAgain === undefined) return undefined;
      if (!isAgain) return end;
      this.holdsCloser ||= place !== "within";
      return false;
    }
    // Of an element of the same name inside the value, unless that was only spoken of.
    const follows = isLast ? this.isOwn(input, next) : isText && this.place.comes(input, next);
    return follows ? end : follows;
  }

  /**
   * Whether the next tag of the text closes the value once more, so that what closed it before was a part of it. Other
   * text after the line that it ended is none of the value; should it be closed again, the call is rejected.
   */
  private closesAgain({ text, final }: Input, from: number): boolean | undefined {
    const window = text.slice(from, from + LOOKAHEAD);
    const tag = window.indexOf("<");
    if (tag < 0) return window.length < LOOKAHEAD && !final ? undefined : false;
    const end = this.closerEnd(text, from + tag);
    return end === undefined ? (final ? false : undefined) : end !== false;
  }

  /** Over a `<` that is part of the value; false: more input is needed. */
  pass({ text, final }: Input, at: number): boolean {
    const sign = text.charAt(at + 1);
    if (sign !== "" && sign !== "/" && !this.firsts.includes(sign)) return true;
    for (const [name, open] of this.open) {
      const tag = `<${name}`;
      const opens = standsAt(text, at, tag);
      if (opens === undefined && !final) return false;
      if (opens) {
        const isOpening = opensElement(text.slice(at + tag.length, at + tag.length + LOOKAHEAD), final);
        if (isOpening === undefined) return false;
        if (isOpening) this.open.set(name, open + 1);
        if (isOpening && name === this.name) this.isRepeated ||= this.holdsCloser;
      } else if (open > 0) {
        const end = closingTagEnd(text, at, name);
        if (end === undefined && !final) return false;
        if (end) this.open.set(name, open - 1);
      }
    }
    return true;
  }

  private isOpen(name: string): boolean {
    return (this.open.get(name) ?? 0) > 0;
  }

  /** The index behind the value's closing tag, if it stands here. */
  private closerEnd(text: string, at: number): number | undefined | false {
    const { close, name } = this;
    const stands = standsAt(text, at, close);
    if (stands) return at + close.length;
    return name === undefined || !this.place.isLoose ? stands : closingTagEnd(text, at, name);
  }

  /** Whether two closing markers of the call stand here that are no tags, as behind a value whose own is broken. */
  private closersStand(text: string, at: number): boolean | undefined {
    const [first, second] = this.place.after.closers;
    if (first === undefined || second === undefined || closedBy(first) !== undefined) return false;
    return standsAt(text, at, first + second);
  }

  /** Whether the call ends here, though a value is open: its closing markers stand, and nothing of a value can follow. */
  private callEnds(input: Input, at: number): boolean | undefined {
    const { text } = input;
    const closed = this.closersEnd(input, at);
    if (!closed) return closed;
    const next = spaceEnd(text, closed.end);
    if (next >= text.length && next - closed.end <= LOOKAHEAD) return input.final ? true : undefined;
    if (closed.isInner) return false;
    if (text.charAt(next) !== "<") return closed.count > 1;
    const isText = this.isClosedAt(input, next);
    return isText === undefined ? undefined : !isText;
  }

  /** Whether the closing marker here is the call's own, and not that of one which the value shows. */
  private isOwn(input: Input, at: number): boolean | undefined {
    const closed = this.closersEnd(input, at);
    if (!closed) return closed === false ? true : undefined;
    if (!closed.isInner) return true;
    // Nothing comes behind it: the one that the value shows is never closed.
    const next = spaceEnd(input.text, closed.end);
    if (next < input.text.length || next - closed.end > LOOKAHEAD) return false;
    return input.final ? true : undefined;
  }

  /** The index after the call's closing markers here, some of which may be missing; the first may close an inner call. */
  private closersEnd(input: Input, at: number): { end: number; count: number; isInner: boolean } | undefined | false {
    const { text, final } = input;
    let end = at;
    let count = 0;
    let isInner = false;
    for (const closer of this.place.after.closers) {
      const name = closedBy(closer);
      if (name === undefined) continue;
      const next = count === 0 ? at : spaceEnd(text, end);
      const stands = next - end <= LOOKAHEAD && standsAt(text, next, closer);
      if (stands === undefined && !final) return undefined;
      if (!stands) continue;
      end = next + closer.length;
      if (count === 0) isInner = this.isOpen(name);
      count++;
    }
    return count > 0 && { end, count, isInner };
  }

  /** Whether the value's closing tag stands here, and behind it the rest of the call: what came before is text. */
  private isClosedAt(input: Input, at: number): boolean | undefined {
    const { text, final } = input;
    const end = this.closerEnd(text, at);
    if (typeof end !== "number") return final ? false : end;
    const next = spaceEnd(text, end);
    if (next - end > LOOKAHEAD) return false;
    const isLast = standsAt(text, next, this.place.after.closers[0] ?? "");
    if (isLast) return true;
    const comes = this.place.comes(input, next);
    return comes || (final ? false : isLast === undefined || comes === undefined ? undefined : false);
  }
}

/**
 * Whether the text after `<name` makes it the tag of an element that is to be closed. A tag in backticks is spoken
 * of. Undefined: more input is needed.
 */
function opensElement(rest: string, final: boolean): boolean | undefined {
  const waits = !final && rest.length < LOOKAHEAD;
  if (rest === "") return waits ? undefined : false;
  if (!/[\s=/>]/.test(rest.charAt(0))) return false;
  const end = rest.indexOf(">");
  if (waits && (end < 0 || end + 1 === rest.length)) return undefined;
  return end < 0 || (rest.charAt(end - 1) !== "/" && rest.charAt(end + 1) !== "`");
}
