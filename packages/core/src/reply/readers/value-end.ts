import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { closingTagEnd } from "../../notation/markup/markup.js";
import { closedBy } from "../../syntax/spelling.js";
import type { AfterBody } from "../forms/match-token.js";

/** Why a call is rejected whose argument with that key has more than one reading. */
export const endsTwice = (key: string): string =>
  `the value of ${JSON.stringify(key)} can be read in more than one way`;

/** The longest closing tag of an argument to wait for. */
const MAX_CLOSER = 128;
const CLOSER = /^<\/\s*([^\s<>/=]*)\s*(=[^<>\n]*)?(>?)/;

/** The end of an argument's value. */
export interface Closer {
  /** Its closing tag, and the tag's name if it is markup. */
  close: string;
  name: string | undefined;
  /** The names of closing tags that models write instead. */
  others: readonly string[];
}

/** The context of a call's values. */
export interface ValuePlace {
  /** Whether closing tags may be in another case and contain spaces. */
  isLoose: boolean;
  /** The markers that end the call, in order, and the elements they close. */
  after: Pick<AfterBody, "closers" | "elements">;
  /** Whether the markup that ends the call is at this index. */
  closes: (text: string, index: number) => boolean | undefined;
  /** Whether the tag of a new argument is at this index. */
  comes(look: Lookahead, index: number): boolean;
}

/**
 * Finds the end of a value between an argument's tags. The value may itself contain such tags, and whole calls: the
 * elements that it opens are counted, and their closing tags are text.
 */
export class ValueEnd {
  private readonly close: string;
  private readonly name: string | undefined;
  /** The names of closing tags that are the value's too where the next argument or the call's end follows. */
  private readonly others: readonly string[];
  /** Whether one of those ended it. */
  isEndedByOther = false;
  /**
   * The number of open elements by name inside the value: of the value's own name, and of the elements around the call.
   * Undefined if none was opened.
   */
  private open: Map<string, number> | undefined;
  /** Whether the value contains its closing tag as text, which could also end it. */
  holdsCloser = false;
  /** Whether its opening tag follows that: two values of one name, or one value that contains both tags. */
  isRepeated = false;

  constructor(
    { close, name, others }: Closer,
    /** Whether the value is text, which may mention a tag without closing it. */
    private readonly isText: boolean,
    private readonly place: ValuePlace,
  ) {
    this.close = close;
    this.name = name;
    this.others = others;
  }

  /** Whether an element of the value's own name is open inside it. */
  get isUnclosed(): boolean {
    return this.name !== undefined && this.isOpen(this.name);
  }

  /** Whether the current text is a call that the value quotes. */
  get isShowing(): boolean {
    return this.place.after.elements.some((name) => this.isOpen(name));
  }

  /**
   * Where the value ends, if it ends at this `<`: after its closing tag, if the text after that can follow a value; or
   * here, if the closing tag is missing and the call ends. `place`: for a value on lines of its own, whether this is at
   * such a line.
   */
  at(look: Lookahead, at: number, place: "line" | "within" | "unknown" = "unknown"): number | false {
    const { text } = look;
    const { close, name, isText } = this;
    const character = text.charAt(at + 1);
    if (character !== "" && character !== "/" && character !== close.charAt(1)) return false;
    const end = this.closerEnd(look, at);
    if (look.hitEnd) return false;
    if (end === false) {
      const other = this.otherCloserEnd(look, at);
      if (look.hitEnd) return false;
      this.isEndedByOther = other !== false;
      if (other !== false) return other;
      const ends = this.callEnds(look, at);
      const shows = !ends && !look.hitEnd && this.matchesClosers(look, at);
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
    // The closing tag may be that of an inner element of the same name, unless that was only mentioned.
    const follows = isLast ? this.isOwn(look, next) : isText && this.place.comes(look, next);
    return follows && end;
  }

  /**
   * Whether the next tag of the text closes the value once more, so that its first closing tag was a part of it. Other
   * text after the end of that line is not part of the value; if it is closed again, the call is rejected.
   */
  private closesAgain(look: Lookahead, from: number): boolean {
    const window = look.text.slice(from, from + LOOKAHEAD);
    const tag = window.indexOf("<");
    if (tag >= 0) return this.closerEnd(look, from + tag) !== false;
    if (window.length < LOOKAHEAD) look.atEnd();
    return false;
  }

  /** Skips a `<` that is part of the value. */
  pass(look: Lookahead, at: number): void {
    const { name, place } = this;
    for (const element of place.after.elements) this.passElement(look, at, element);
    if (name !== undefined && !place.after.elements.includes(name)) this.passElement(look, at, name);
    for (const other of this.others) this.passElement(look, at, other);
  }

  /** Counts the element if its tag is here, or its closing tag. */
  private passElement(look: Lookahead, at: number, name: string): void {
    const character = look.text.charAt(at + 1);
    if (look.hitEnd || (character !== "" && character !== "/" && character !== name.charAt(0))) return;
    const open = this.open?.get(name) ?? 0;
    const tag = `<${name}`;
    const opens = look.has(tag, at);
    const isOpening = opens && opensElement(look, at + tag.length);
    const isClosing = !opens && open > 0 && closingTagEnd(look, at, name) !== false;
    if (look.hitEnd || !(isOpening || isClosing)) return;
    this.open ??= new Map();
    this.open.set(name, isOpening ? open + 1 : open - 1);
    if (isOpening && name === this.name) this.isRepeated ||= this.holdsCloser;
  }

  private isOpen(name: string): boolean {
    return (this.open?.get(name) ?? 0) > 0;
  }

  /** The index after the value's closing tag, if it is here. */
  private closerEnd(look: Lookahead, at: number): number | false {
    const { close, name } = this;
    if (name === undefined || !this.place.isLoose) return look.markerEnd(close, at);
    return look.text.startsWith(close, at) ? at + close.length : closingTagEnd(look, at, name);
  }

  /**
   * The index after another closing tag in place of the value's: `</city>` or `</parameter=city>` for `</parameter>`, or that
   * tag without its bracket. The value did not open such an element, and the next argument or the call's end follows.
   */
  private otherCloserEnd(look: Lookahead, at: number): number | false {
    if (this.name === undefined || look.text.charAt(at + 1) !== "/") return false;
    const piece = look.text.slice(at, at + MAX_CLOSER);
    const [whole = "", word = "", named, end] = CLOSER.exec(piece) ?? [];
    if (end !== ">" && whole.length === piece.length) {
      const mayBe = /^[｜|]/.test(word) || [this.name, ...this.others].some((name) => name.startsWith(word));
      if (mayBe && piece.length < MAX_CLOSER) look.atEnd();
      return false;
    }
    const key = named?.slice(1).trim();
    const isOwn = word === this.name && (key !== undefined ? this.others.includes(key) : end !== ">");
    const isTag = key === undefined && end === ">";
    const isRespelled = isTag && unmarked(word) === unmarked(this.name);
    const isOther = isOwn || isRespelled || (isTag && this.others.includes(word));
    if (!isOther || this.isOpen(word)) return false;
    const next = spaceEnd(look.text, at + whole.length);
    const follows = () =>
      this.place.comes(look, next) ||
      look.known(this.place.closes(look.text, next), false) ||
      (isRespelled && onlyClosersFollow(look, next, this.name)) ||
      (key !== undefined && this.callClosesWithValue(look, next));
    return next - at <= MAX_CLOSER && follows() && at + whole.length;
  }

  /**
   * Whether a closing tag of the call with the value of its opening tag is here, as `</function=add>`, and after it the next
   * closing tag or the end of the reply.
   */
  private callClosesWithValue(look: Lookahead, at: number): boolean {
    const tags = this.place.after.closers.flatMap((closer) => closedBy(closer) ?? []);
    const tag = look.find(tags, (name) => look.has(`</${name}=`, at));
    const end = tag === undefined ? -1 : look.text.indexOf(">", at);
    if (tag !== undefined && end < 0 && look.text.length - at <= MAX_CLOSER) look.atEnd();
    if (end < 0 || end - at > MAX_CLOSER) return false;
    if (look.endsAfterSpace(end + 1)) return true;
    const next = spaceEnd(look.text, end + 1);
    return look.find(tags, (name) => name !== tag && look.has(`</${name}>`, next)) !== undefined;
  }

  /** Whether two closing markers of the call that are not tags are here, as after a value with a broken closing tag. */
  private matchesClosers(look: Lookahead, at: number): boolean {
    const [first, second] = this.place.after.closers;
    if (first === undefined || second === undefined || closedBy(first) !== undefined) return false;
    return look.has(first + second, at);
  }

  /** Whether the call ends here with an open value: its closing markers are here, and no text of a value can follow. */
  private callEnds(look: Lookahead, at: number): boolean {
    const closed = this.closersEnd(look, at);
    if (!closed) return false;
    if (look.endsAfterSpace(closed.end)) return true;
    if (closed.isInner) return false;
    const next = look.next(closed.end);
    const isTag = next !== undefined && look.text.charAt(next) === "<";
    return isTag ? !this.isClosedAt(look, next) : closed.count > 1;
  }

  /** Whether the closing marker here is the call's own instead of that of a quoted call. */
  private isOwn(look: Lookahead, at: number): boolean {
    const closed = this.closersEnd(look, at);
    if (!closed?.isInner) return true;
    // Nothing comes after it: the quoted call is never closed.
    return look.endsAfterSpace(closed.end);
  }

  /**
   * The index after the call's closing markers here, some of which may be missing; the first may close an inner call.
   */
  private closersEnd(look: Lookahead, at: number): { end: number; count: number; isInner: boolean } | undefined {
    let end = at;
    let count = 0;
    let isInner = false;
    for (const closer of this.place.after.closers) {
      const name = closedBy(closer);
      // A token that the value's closing marker has too may be a part of that.
      if (name === undefined && (!closer.startsWith("<|") || this.close.includes(closer))) continue;
      const next = count === 0 ? at : spaceEnd(look.text, end);
      const after = next - end <= LOOKAHEAD && look.markerEnd(closer, next);
      if (after === false) continue;
      end = after;
      if (count === 0) isInner = name === undefined || this.isOpen(name);
      count++;
    }
    return count === 0 || look.hitEnd ? undefined : { end, count, isInner };
  }

  /** Whether the value's closing tag is here, followed by the rest of the call: the text before it is the value. */
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

/** The name of a tag without the mark before it: `parameter` of `｜DSML｜parameter`. */
const unmarked = (name: string): string => name.replace(/^[｜|]+[^｜|]*[｜|]+/, "");

/** Whether nothing but closing tags of other elements follows up to the end of the reply. */
function onlyClosersFollow(look: Lookahead, from: number, name = ""): boolean {
  const rest = look.text.slice(from, from + MAX_CLOSER);
  if (rest.includes(`</${name}>`) || !/^(?:\s*<\/[^<>]*>)*\s*(?:<(?:\/[^<>]*)?)?$/.test(rest)) return false;
  return rest.length < MAX_CLOSER && look.endsAt(from + rest.length);
}

/**
 * Whether the text after `<name` makes it the tag of an element that must be closed. A tag in backticks is a mention.
 */
function opensElement(look: Lookahead, from: number): boolean {
  const rest = look.text.slice(from, from + LOOKAHEAD);
  if (look.endsAt(from) || !/[\s=/>]/.test(rest.charAt(0))) return false;
  const end = rest.indexOf(">");
  if (rest.length < LOOKAHEAD && (end < 0 || end + 1 === rest.length)) look.atEnd();
  return end < 0 || (rest.charAt(end - 1) !== "/" && rest.charAt(end + 1) !== "`");
}
