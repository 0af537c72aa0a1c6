import { type Input, LOOKAHEAD, type Status, spaceEnd } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import { closingTagEnd, entityAt, isMentionedIn, readTag } from "../../notation/markup/markup.js";
import { readPlain } from "../../notation/markup/nested.js";
import { TextBuffer } from "../../notation/text-buffer.js";
import { endsLike, layoutEnd, special, splitsPair, wholePairs } from "../../notation/text-pieces.js";
import type { Leaf } from "../../syntax/syntax.js";
import type { RepairCode } from "../../types.js";
import type { Emitter } from "../arguments/emitter.js";
import { type OwnReading, ownElement, ValueBeginning } from "./value-beginning.js";
import { type Closer, endsTwice, ValueEnd, type ValuePlace } from "./value-end.js";

/** A broken closing tag at the end of a value, or the end of one. */
const BROKEN_TAG = /<\/[^\s<>]{0,64}\s*$|\/[^\s<>]{0,64}>\s*$|(?<!<[^<>]{1,64})>\s*$/;
const MAX_TRIES = 8; // Each reads all of the value.
const CDATA_OPEN = "<![CDATA[";
const CDATA_CLOSE = "]]>";

export interface ArgumentOfValue extends Closer {
  key: string;
  /** Its opening tag, or the last one of several. */
  opener: string;
  /** Whether the value is a string, which is emitted as it arrives. Any other value is buffered. */
  streams: boolean;
  /** Whether a part of its opening tag is missing. */
  isUntagged: boolean;
  /** Whether it is a number or a boolean, of which no tag can be a part. */
  isPlain: boolean;
  /** Whether it has no elements: it is that or a string. */
  isScalar: boolean;
}

/** A part of a value's text, and where reading continues. */
interface Piece {
  text: string;
  end: number;
}

/** The value ends at an index. `closes`: the end of its closing tag, or the same index if the tag is missing. */
interface End {
  at: number;
  closes: number;
  /** Whether the value began on its own line and ends within one. */
  isWithinLine?: boolean;
  /** Whether its closing tag is on a line of its own, and indented. */
  isIndented?: boolean;
}

/** The call that contains the values. */
export interface ElementPlace extends Pick<ValuePlace, "after" | "closes"> {
  leaf: Leaf;
  /** See `TagShape`. */
  endNewlineIsLayout: boolean;
  /** The kind of argument tag at this index: of a new argument, of one read before, or of another tool. */
  argumentAt(look: Lookahead, index: number): "comes" | "again" | "other" | undefined;
  /** Whether a call opens or ends at this index; `element`: one that opens is an element named after its tool. */
  callAt(look: Lookahead, index: number): "opens" | "element" | "ends" | undefined;
  /** Whether all arguments share one closing tag. */
  sharesCloser: boolean;
  repaired(code: RepairCode): void;
  rejected(reason: string): void;
}

/**
 * Reads the value of an argument that is written as one element, from after the opening tag to the end of the closing tag.
 * Reports a value that can be read in two ways.
 */
export class ElementValue implements ValuePlace {
  /** Whether markup precedes any entity or CDATA section in the value, so that these are plain text. */
  private isRaw = false;
  private isEscaped = false;
  private cdata = false;
  private begun = false;
  /** Whether the value is on lines of its own. */
  private wrapped = false;
  /** Whether it is, but its closing tag is not. */
  private isWithinLine = false;
  /** The beginning of a value that is indented there, or opens twice. */
  private beginning: ValueBeginning | undefined;
  /** Whether the value is only white space so far. */
  isBlank = true;
  /** Whether it contains the tag of a new argument, which cannot be its own text. */
  private holdsArgument = false;
  /** Whether it contains the tag of an argument that was read before, or of another tool. */
  private repeatsArgument = false;
  /** Whether it contains the tag of a new argument, which may as well be an element of the value. */
  private mentionsArgument = false;
  /** The number of calls that opened inside the value and have not ended. */
  private calls = 0;
  /** Whether a call opened that is an element. */
  private holdsElement = false;
  /** The tags of later arguments and of calls that open inside the value and are not closed. */
  private unclosed: Set<string> | undefined;
  /** The number of tags of later arguments before which the value might be complete. */
  private tries = 0;
  /** The buffer of a value that does not stream. */
  private readonly raw = new TextBuffer();
  /** The last characters of the open text, at least {@link LOOKAHEAD} of them. */
  private recent = "";
  private readonly end: ValueEnd;
  readonly after: ValuePlace["after"];
  readonly closes: ValuePlace["closes"];
  readonly isLoose: boolean;
  /** The text of a buffered value that is complete, and its repairs: its argument has not begun. */
  buffered: string | undefined;
  readonly repairs: RepairCode[] = [];

  constructor(
    readonly argument: ArgumentOfValue,
    private readonly place: ElementPlace,
    private readonly emitter: Pick<Emitter, "text">,
  ) {
    this.after = place.after;
    this.closes = place.closes;
    this.isLoose = place.leaf !== "text";
    this.end = new ValueEnd(argument, argument.streams, this);
  }

  /**
   * Whether its closing tag was within a line, or after a quote or space: the tag and the text after it may be text.
   */
  get mayGoOn(): boolean {
    return this.isWithinLine || (this.argument.streams && /["'`( \t]$/.test(this.tail));
  }

  /** Whether the tag of a new argument is at this index. */
  comes(look: Lookahead, at: number): boolean {
    return this.place.argumentAt(look, at) === "comes";
  }

  /** Reads on; returns `done` after the closing tag or where that is missing. */
  read(input: Input): Status {
    const { streams } = this.argument;
    if (!this.begun && streams) {
      const look = new Lookahead(input);
      const layout = layoutEnd(look, input.pos);
      const isIndented = layout > input.pos && /[ \t]/.test(look.charAt(layout));
      const opensTwice = look.has(this.argument.opener, spaceEnd(look.text, layout, layout + LOOKAHEAD));
      if (look.hitEnd) return "more";
      if (isIndented || opensTwice) this.beginning = new ValueBeginning(this.argument, opensTwice);
      this.wrapped = layout > input.pos;
      input.pos = layout;
    }
    this.begun = true;
    if (streams) return this.readText(input);
    this.buffered = this.readRaw(input);
    return this.buffered === undefined ? "more" : "done";
  }

  /** Buffers a value that may be more than a string, up to its end. */
  private readRaw(input: Input): string | undefined {
    const { end } = this;
    const { text } = input;
    for (;;) {
      const at = text.indexOf("<", input.pos);
      const piece = text.slice(input.pos, at < 0 ? undefined : at);
      input.pos = at < 0 ? text.length : at;
      const look = new Lookahead(input);
      const ends = at >= 0 && end.at(look, at);
      if (ends !== false && !look.hitEnd && ends > at && this.raw.isEmpty) {
        input.pos = ends;
        return this.complete(piece);
      }
      this.raw.push(piece);
      this.keepTail(piece);
      this.isBlank &&= piece.trim() === "";
      if (at < 0 || look.hitEnd) return undefined;
      if (ends === false && this.isWholeBefore(look, at)) {
        const raw = this.raw.take();
        this.missesCloser(raw);
        return this.complete(raw);
      }
      if (ends === false) {
        this.pass(look, at);
        if (look.hitEnd) return undefined;
        input.pos = at + 1;
        this.raw.push("<");
        this.keepTail("<");
        this.isBlank = false;
        continue;
      }
      input.pos = ends;
      const raw = this.raw.take();
      if (ends > at) return this.complete(raw);
      // The value's closing tag is missing, or spelled differently.
      this.missesCloser(raw);
      return this.complete(raw.replace(/<\/[^<>]{0,256}>[ \t\r\n]{0,64}$/, ""));
    }
  }

  /** Whether the value is complete before the tag of a new argument here: its closing tag is missing. */
  private isWholeBefore(look: Lookahead, at: number): boolean {
    if (look.hitEnd || this.isBlank || !this.comes(look, at) || look.hitEnd) return false;
    if (this.argument.isPlain) return true;
    if (this.place.leaf !== "text" || this.end.isShowing || ++this.tries > MAX_TRIES) return false;
    return readPlain(this.raw.toString().trim()) !== undefined;
  }

  private complete(raw: string): string {
    this.isBlank &&= raw.trim() === "";
    if (this.argument.isUntagged && /[<>]/.test(raw)) this.endsTwice();
    // JSON strings may contain tags.
    const holdsTag = this.repeatsArgument || this.holdsArgument || this.calls > 0 || this.unclosed !== undefined;
    if (holdsTag && readPlain(raw.trim()) !== undefined) {
      this.repeatsArgument = this.holdsArgument = false;
      this.calls = 0;
      this.unclosed = undefined;
    }
    if (this.holdsArgument) this.endsTwice();
    this.closed();
    return this.own(ownElement(raw, this.argument, this.mayBeUnclosed));
  }

  private readText(input: Input): Status {
    const { text } = input;
    let from = input.pos;
    for (;;) {
      const at = this.cdata
        ? text.indexOf(CDATA_CLOSE, from)
        : special(input, from, this.place.leaf !== "text" && !this.isRaw);
      const end = at < 0 ? text.length - (this.cdata ? 2 : 0) : at;
      if (end > from) {
        this.emit(wholePairs(text, from, end, input.final));
        from = end - (splitsPair(text, end) && !input.final && at < 0 ? 1 : 0);
      }
      input.pos = Math.max(from, input.pos);
      if (at < 0) return "more";
      if (this.cdata) {
        this.cdata = false;
        from = at + CDATA_CLOSE.length;
        continue;
      }
      const look = new Lookahead(input);
      const step = this.special(look, at);
      if (look.hitEnd) return "more";
      if ("closes" in step) {
        this.endBeginning(step.isIndented === true);
        this.endAt(step);
        input.pos = step.closes;
        return "done";
      }
      this.emit(step.text);
      from = step.end;
      input.pos = from;
    }
  }

  private emit(text: string): void {
    if (text === "") return;
    this.emitter.text(this.beginning ? this.beginning.push(text) : text);
    this.isBlank &&= text.trim() === "";
    if (this.argument.isUntagged && /[<>]/.test(text)) this.endsTwice();
    this.keepTail(text);
  }

  /** Emits what waits at the end of the value; `isAlone`: the indentation of its first line is layout. */
  private endBeginning(isAlone: boolean): void {
    const { beginning } = this;
    if (beginning) this.emitter.text(this.own(beginning.end(this.tail, isAlone, this.mayBeUnclosed)));
  }

  /** The text of a reading, after noting what it is. */
  private own({ text, isUnwrapped, isDoubtful }: OwnReading): string {
    if (isUnwrapped) this.repaired("extra-closer");
    if (isDoubtful) this.endsTwice();
    return text;
  }

  private keepTail(text: string): void {
    this.recent = text.length < LOOKAHEAD ? this.recent + text : text.slice(-LOOKAHEAD);
    // Not with each piece: to cut a joined string copies it.
    if (this.recent.length > 8 * LOOKAHEAD) this.recent = this.tail;
  }

  /** The last {@link LOOKAHEAD} characters of the open text. */
  private get tail(): string {
    return this.recent.slice(-LOOKAHEAD);
  }

  /** Handles `<`, `&` or a newline in a string: text, or the end of the value. */
  private special(look: Lookahead, at: number): Piece | End {
    const { text } = look;
    const char = text.charAt(at);
    if (char === "&") {
      const entity = entityAt(look, at);
      this.isEscaped ||= !look.hitEnd && entity.text !== text.slice(at, entity.end);
      return entity;
    }
    return char === "<" ? this.tagAt(look, at) : this.newlineAt(look, at);
  }

  private tagAt(look: Lookahead, at: number): Piece | End {
    const closes = this.end.at(look, at, this.wrapped ? "within" : "unknown");
    if (closes !== false) return { at, closes, isWithinLine: this.wrapped };
    if (look.hitEnd || this.nextArgument(look, at)) {
      if (!look.hitEnd && this.isWithinText(look, at) && !look.hitEnd) this.endsTwice();
      return { at, closes: at };
    }
    if (this.place.leaf !== "text" && !this.isRaw && look.has(CDATA_OPEN, at)) {
      this.cdata = this.isEscaped = true;
      return { end: at + CDATA_OPEN.length, text: "" };
    }
    if (!look.hitEnd) this.pass(look, at);
    if (!look.hitEnd && this.place.leaf === "markup" && !this.isEscaped) this.isRaw = true;
    if (this.beginning && !look.hitEnd && look.text.startsWith(this.argument.close, at)) this.beginning.closers++;
    return { end: at + 1, text: "<" };
  }

  /**
   * Handles a newline. It and the indentation of a closing tag are layout if the value began with a newline, its own
   * closing tag is missing, or the format writes them only as layout; any other newline is text.
   */
  private newlineAt(look: Lookahead, at: number): Piece | End {
    const { text } = look;
    const char = text.charAt(at);
    let i = char === "\r" ? at + 1 : at;
    if (text.charAt(i) === "\n") i++;
    else if (i < text.length) return { end: i, text: char };
    while (text.charAt(i) === " " || text.charAt(i) === "\t") i++;
    if (i - at > LOOKAHEAD) return { end: at + 1, text: char };
    const layout = { end: i, text: text.slice(at, i) };
    if (look.endsAt(i)) return layout;
    const closes = text.charAt(i) === "<" && this.end.at(look, i, this.wrapped ? "line" : "unknown");
    if (closes !== false) {
      const isIndented = /[ \t]$/.test(layout.text);
      return this.wrapped || this.place.endNewlineIsLayout || closes === i ? { at: i, closes, isIndented } : layout;
    }
    if (look.hitEnd) return layout;
    return this.nextArgument(look, i) ? { at: i, closes: i } : layout;
  }

  /** Ends the string. */
  private endAt({ at, closes, isWithinLine }: End): void {
    if (isWithinLine !== undefined) this.isWithinLine = isWithinLine;
    if (closes === at) this.missesCloser();
    else if (this.canEndTwice) this.endsTwice();
    else this.closed();
  }

  /** Whether its own closing tag may be missing: a closer without a name closes any argument. */
  private get mayBeUnclosed(): boolean {
    return this.argument.name === undefined || this.end.isUnclosed;
  }

  /** Handles the closing tag. It may close another value that opens inside this one. */
  private closed(): void {
    if (this.end.isEndedByOther) this.repaired("wrong-closer");
    if ((this.repeatsArgument && this.mayBeUnclosed) || (this.unclosed?.size ?? 0) > 0 || this.calls > 0)
      this.endsTwice();
    if (this.isBlank && this.argument.isUntagged) this.hasNoValue();
  }

  private hasNoValue(): void {
    this.place.rejected(`${JSON.stringify(this.argument.key)} has no value`);
  }

  /** Ends a value that is open where the call ends: earlier text that looks like its end may be its end. `raw`: its text. */
  private missesCloser(raw = ""): void {
    this.repaired("missing-closer");
    if (this.isBlank) this.hasNoValue();
    const mayEndBefore = this.mentionsArgument && readPlain(raw.trim()) === undefined;
    const holdsArgument = this.holdsArgument || this.repeatsArgument || mayEndBefore;
    const holdsTag = this.end.holdsCloser || holdsArgument || this.calls > 0 || this.holdsElement;
    // The end of the call may close an element that the value opens.
    const isBroken = this.argument.streams && (BROKEN_TAG.test(this.tail) || this.endsLikeCloser());
    if (holdsTag || this.end.isShowing || isBroken) this.endsTwice();
  }

  /** Whether the text ends with the beginning of the closing tag, or with a tag that is the rest of one. */
  private endsLikeCloser(): boolean {
    const { close } = this.argument;
    const [, word] = /<([^\s<>]{1,64})>\s*$/.exec(this.tail) ?? [];
    return endsLike(this.tail.trimEnd(), close) || (word !== undefined && close.endsWith(`${word}>`));
  }

  /**
   * Whether a closing tag inside the value may be its end: another argument follows, the same one follows again, or all
   * arguments share one closing tag, so that an opening tag may be missing.
   */
  private get canEndTwice(): boolean {
    const { holdsCloser, isRepeated, isUnclosed } = this.end;
    if (this.holdsArgument) return holdsCloser || isUnclosed;
    return isRepeated || (holdsCloser && this.place.sharesCloser);
  }

  private repaired(code: RepairCode): void {
    if (this.argument.streams) this.place.repaired(code);
    else this.repairs.push(code);
  }

  private endsTwice(): void {
    this.place.rejected(endsTwice(this.argument.key));
  }

  /**
   * Whether a tag is within a line of a value that has lines of its own. It may be text: an argument's tag there would
   * lack the line breaks on both sides as well.
   */
  private isWithinText(look: Lookahead, at: number): boolean {
    if (!this.wrapped) return false;
    const end = look.text.indexOf(">", at) + 1;
    return end > 0 && !/[\r\n]/.test(look.charAt(end));
  }

  /** Whether a new argument's tag is here: the closing tag is missing. */
  private nextArgument(look: Lookahead, at: number): boolean {
    return this.place.leaf === "text" && !this.end.isShowing && this.comes(look, at);
  }

  /** Notes what a `<` inside the value begins. */
  private pass(look: Lookahead, at: number): void {
    const argument = this.place.argumentAt(look, at);
    const call = this.place.callAt(look, at);
    if (!look.hitEnd) this.end.pass(look, at);
    const isTag = (argument === "comes" && !isMentionedIn(this.tail)) || call === "element";
    if (!look.hitEnd) this.watchTags(look, at, isTag);
    if (look.hitEnd) return;
    if (call === "element") this.holdsElement = true;
    else if (call) this.calls = Math.max(0, this.calls + (call === "opens" ? 1 : -1));
    // Raw text with the tag of a new argument may quote a call; any other value ends before it, unless it is JSON.
    this.holdsArgument ||= argument === "comes" && (this.place.leaf !== "text") === this.argument.streams;
    this.mentionsArgument ||= argument === "comes";
    const isOther = argument === "other" && this.place.sharesCloser;
    this.repeatsArgument ||= (argument === "again" || isOther) && !isMentionedIn(this.tail);
  }

  /** If each argument has its own closing tag, notes tags that this value's closing tag may belong to. */
  private watchTags(look: Lookahead, at: number, isWatched: boolean): void {
    if (this.place.sharesCloser || this.place.leaf === "text") return;
    for (const name of this.unclosed ?? []) {
      const isClosed = closingTagEnd(look, at, name) !== false;
      if (look.hitEnd) return;
      if (isClosed) this.unclosed?.delete(name);
    }
    const tag = isWatched ? readTag(look, at) : undefined;
    if (tag && !tag.selfClosing) {
      this.unclosed ??= new Set();
      this.unclosed.add(tag.name);
    }
  }
}
