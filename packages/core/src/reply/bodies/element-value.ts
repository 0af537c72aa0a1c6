import type { Leaf } from "../../protocol.js";
import type { Emitter } from "../arguments/emitter.js";
import { type Input, LOOKAHEAD, type Status, standsAt } from "../input.js";
import { TextBuffer } from "../text-buffer.js";
import { closingTagEnd, entityAt, isSpokenOf, readTag } from "./markup.js";
import { readPlain } from "./nested.js";
import { endsLike, layoutEnd, special, splitsPair, wholePairs } from "./text-pieces.js";
import { ValueEnd, type ValuePlace } from "./value-end.js";

/** A broken closing tag at the end of a value, or the end of one. */
const BROKEN_TAG = /<\/[^\s<>]{0,64}\s*$|\/[^\s<>]{0,64}>\s*$|(?<!<[^<>]{1,64})>\s*$/;
const CDATA_OPEN = "<![CDATA[";
const CDATA_CLOSE = "]]>";

/** The argument that has the value. */
interface Argument {
  key: string;
  /** Its closing tag, and the name in it if it is markup. */
  close: string;
  name: string | undefined;
  /** The value is a string, which is emitted as it comes. Any other value is collected. */
  streams: boolean;
  /** A part of its opening tag is missing. */
  isUntagged: boolean;
}

/** The call that contains the values. */
export interface ElementPlace extends Pick<ValuePlace, "after" | "closes"> {
  leaf: Leaf;
  /** Whether the tag of an argument is at this index: a new one, one that was read before, or one that the tool has not. */
  argumentAt(input: Input, index: number): "comes" | "again" | "other" | false | undefined;
  /** Whether a call opens at this index, or ends. */
  callAt(input: Input, index: number): "opens" | "ends" | false | undefined;
  /** Every argument has the same closing tag. */
  sharesCloser: boolean;
  repaired(code: string): void;
  rejected(reason: string): void;
}

/**
 * Reads the values of arguments that are written one element each, from after the opening tag to the end of the closing
 * tag. Reports a value that can be read in two ways.
 */
export class ElementValue {
  private argument: Argument | undefined;
  /** The value contains markup before any entity or CDATA section, so these are part of it. */
  private isRaw = false;
  private isEscaped = false;
  private cdata = false;
  private begun = false;
  /** The value is on lines of its own. */
  private wrapped = false;
  /** It is, and its closing tag is not. */
  private isWithinLine = false;
  /** The value so far is white space. */
  private isBlank = true;
  /** It contains the tag of a new argument, or of one that was read before, or of another tool. */
  private holdsArgument = false;
  private repeatsArgument = false;
  /** How many calls have opened in it that have not ended. */
  private calls = 0;
  /** The tags of arguments to come that it holds, and does not close. */
  private readonly unclosed = new Set<string>();
  /** A value that is collected. */
  private readonly raw = new TextBuffer();
  /** The last of the text that is open. */
  private tail = "";
  private readonly end: ValueEnd;

  constructor(
    private readonly place: ElementPlace,
    private readonly emitter: Pick<Emitter, "stringPart">,
  ) {
    const { after, closes, leaf } = place;
    this.end = new ValueEnd({
      after,
      closes,
      isLoose: leaf !== "text",
      comes: (input, at) => this.argumentComes(input, at),
    });
  }

  begin(argument: Argument): void {
    this.argument = argument;
    this.isRaw =
      this.isEscaped =
      this.cdata =
      this.begun =
      this.wrapped =
      this.isWithinLine =
      this.holdsArgument =
      this.repeatsArgument =
        false;
    this.isBlank = true;
    this.calls = 0;
    this.tail = "";
    this.unclosed.clear();
    this.end.begin(argument.close, argument.name, argument.streams);
  }

  /** Its closing tag came in the middle of a line, or after a quote or space: both the tag and what comes after it may be text. */
  get mayGoOn(): boolean {
    return this.isWithinLine || (this.argument?.streams === true && /["'`( \t]$/.test(this.tail));
  }

  /** Reads on; `done` after its closing tag, or where that is missing: with the text of a value that was collected. */
  read(input: Input): { status: Status; raw?: string } {
    const { streams } = this.argument!;
    if (!this.begun && streams) {
      const layout = layoutEnd(input);
      if (layout === undefined) return { status: "more" };
      this.wrapped = layout > input.pos;
      input.pos = layout;
    }
    this.begun = true;
    if (streams) return { status: this.readText(input) };
    const raw = this.readRaw(input);
    return raw === undefined ? { status: "more" } : { status: "done", raw };
  }

  /** A value that is not only a string is collected up to its end. */
  private readRaw(input: Input): string | undefined {
    const { end } = this;
    const { text } = input;
    for (;;) {
      const at = text.indexOf("<", input.pos);
      const piece = text.slice(input.pos, at < 0 ? undefined : at);
      input.pos = at < 0 ? text.length : at;
      const ends = at < 0 ? undefined : end.at(input, at);
      if (typeof ends === "number" && ends > at && this.raw.isEmpty) {
        input.pos = ends;
        return this.complete(piece);
      }
      this.raw.push(piece);
      this.keepTail(piece);
      this.isBlank &&= piece.trim() === "";
      if (at < 0) return undefined;
      if (ends === undefined || (ends === false && !this.passes(input, at))) return undefined;
      input.pos = ends === false ? at + 1 : ends;
      if (ends === false) {
        this.raw.push("<");
        this.keepTail("<");
        this.isBlank = false;
        continue;
      }
      const raw = this.raw.take();
      if (ends > at) return this.complete(raw);
      // The value's closing tag is missing, or has another spelling.
      this.missesCloser();
      return this.complete(raw.replace(/<\/[^<>]{0,256}>[ \t\r\n]{0,64}$/, ""));
    }
  }

  private complete(raw: string): string {
    this.isBlank &&= raw.trim() === "";
    if (this.argument!.isUntagged && /[<>]/.test(raw)) this.endsTwice();
    // The strings of JSON may contain tags.
    if ((this.repeatsArgument || this.calls > 0) && readPlain(raw.trim()) !== undefined) {
      this.repeatsArgument = false;
      this.calls = 0;
    }
    this.closed();
    return raw;
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
      const step = this.special(input, at);
      if (step === "more" || step === "done") return step;
      this.emit(step.text);
      from = step.end;
      input.pos = from;
    }
  }

  private emit(text: string): void {
    if (text === "") return;
    this.emitter.stringPart(text);
    this.isBlank &&= text.trim() === "";
    if (this.argument!.isUntagged && /[<>]/.test(text)) this.endsTwice();
    this.keepTail(text);
  }

  private keepTail(text: string): void {
    this.tail = text.length < LOOKAHEAD ? (this.tail + text).slice(-LOOKAHEAD) : text.slice(-LOOKAHEAD);
  }

  /** What to make of `<`, `&` or a newline inside a string. */
  private special(input: Input, at: number): { end: number; text: string } | "more" | "done" {
    const { text } = input;
    const char = text.charAt(at);
    if (char === "&") {
      const entity = entityAt(input, at);
      this.isEscaped ||= entity !== undefined && entity.text !== text.slice(at, entity.end);
      return entity ?? "more";
    }
    if (char === "<") {
      const closes = this.end.at(input, at, this.wrapped ? "within" : "unknown");
      if (closes === undefined) return "more";
      if (closes !== false) {
        this.isWithinLine = this.wrapped;
        return this.endAt(input, at, closes);
      }
      const next = this.nextArgument(input, at);
      if (next === undefined) return "more";
      if (next) return this.endAt(input, at, at);
      const cdata = this.place.leaf !== "text" && !this.isRaw ? standsAt(text, at, CDATA_OPEN) : false;
      if (cdata === undefined && !input.final) return "more";
      if (!cdata) return this.markup(input, at);
      this.cdata = this.isEscaped = true;
      return { end: at + CDATA_OPEN.length, text: "" };
    }
    // A newline and the indent of a closing tag are layout, if there was one after the opening tag or the value's own
    // closing tag is missing; any other newline is text.
    let i = char === "\r" ? at + 1 : at;
    if (text.charAt(i) === "\n") i++;
    else if (i < text.length) return { end: i, text: char };
    while (text.charAt(i) === " " || text.charAt(i) === "\t") i++;
    if (i - at > LOOKAHEAD) return { end: at + 1, text: char };
    if (i >= text.length) return input.final ? { end: i, text: text.slice(at, i) } : "more";
    const closes = text.charAt(i) === "<" ? this.end.at(input, i, this.wrapped ? "line" : "unknown") : false;
    if (typeof closes === "number" && (this.wrapped || closes === i)) return this.endAt(input, i, closes);
    if (typeof closes === "number") return { end: i, text: text.slice(at, i) };
    const next = closes === false ? this.nextArgument(input, i) : undefined;
    if (next === undefined) return "more";
    return next ? this.endAt(input, i, i) : { end: i, text: text.slice(at, i) };
  }

  /** The string ends at the index `at`. `closes`: the end of the closing tag, or `at` where that tag is missing. */
  private endAt(input: Input, at: number, closes: number): "done" {
    if (closes === at) this.missesCloser();
    else if (this.canEndTwice) this.endsTwice();
    else this.closed();
    input.pos = closes;
    return "done";
  }

  /** The closing tag was read. It may close another value whose opening tag is in this one. */
  private closed(): void {
    const isUnclosed = this.argument!.name === undefined || this.end.isUnclosed;
    if ((this.repeatsArgument && isUnclosed) || this.unclosed.size > 0 || this.calls > 0) this.endsTwice();
    if (this.isBlank && this.argument!.isUntagged) this.hasNoValue();
  }

  private hasNoValue(): void {
    this.place.rejected(`${JSON.stringify(this.argument?.key)} has no value`);
  }

  /** The call ends where a value is open: text within the value that looks like its end may be its end. */
  private missesCloser(): void {
    this.place.repaired("missing-closer");
    if (this.isBlank) this.hasNoValue();
    const holdsTag = this.end.holdsCloser || this.holdsArgument || this.repeatsArgument || this.calls > 0;
    // What ends the call may close an element that the value opens.
    const isBroken = this.argument!.streams && (BROKEN_TAG.test(this.tail) || this.endsLikeCloser());
    if (holdsTag || this.end.isShowing || isBroken) this.endsTwice();
  }

  /** Whether the text ends with the beginning of the closing tag, or with a tag that is the rest of one. */
  private endsLikeCloser(): boolean {
    const { close } = this.argument!;
    const [, word] = /<([^\s<>]{1,64})>\s*$/.exec(this.tail) ?? [];
    return endsLike(this.tail.trimEnd(), close) || (word !== undefined && close.endsWith(`${word}>`));
  }

  /**
   * A closing tag in the value may be its end: another argument follows, the same one follows again, or all arguments share one
   * closing tag, so that an opening tag may be missing.
   */
  private get canEndTwice(): boolean {
    const { holdsCloser, isRepeated, isUnclosed } = this.end;
    if (this.holdsArgument) return holdsCloser || isUnclosed;
    return isRepeated || (holdsCloser && this.place.sharesCloser);
  }

  /** The value can be read in more than one way. */
  endsTwice(): void {
    this.place.rejected(`the value of ${JSON.stringify(this.argument?.key)} can be read in more than one way`);
  }

  /** Whether the tag of a new argument is here: then the closing tag is missing. */
  private nextArgument(input: Input, at: number): boolean | undefined {
    return this.place.leaf === "text" && !this.end.isShowing ? this.argumentComes(input, at) : false;
  }

  private argumentComes(input: Input, at: number): boolean | undefined {
    const argument = this.place.argumentAt(input, at);
    return argument && argument === "comes";
  }

  /** A `<` that is part of the value. */
  private markup(input: Input, at: number): { end: number; text: string } | "more" {
    if (!this.passes(input, at)) return "more";
    if (this.place.leaf === "markup" && !this.isEscaped) this.isRaw = true;
    return { end: at + 1, text: "<" };
  }

  /** Skips a `<` that is part of the value; false: more input is needed. */
  private passes(input: Input, at: number): boolean {
    const argument = this.place.argumentAt(input, at);
    const call = this.place.callAt(input, at);
    if (argument === undefined || call === undefined || !this.end.pass(input, at)) return false;
    if (!this.watchTags(input, at, argument === "comes")) return false;
    if (call) this.calls = Math.max(0, this.calls + (call === "opens" ? 1 : -1));
    // A value of raw text that contains the tag of a new argument shows a call.
    this.holdsArgument ||= argument === "comes" && this.place.leaf !== "text" && this.argument!.streams;
    const isOther = argument === "other" && this.place.sharesCloser;
    this.repeatsArgument ||= (argument === "again" || isOther) && !isSpokenOf(this.tail);
    return true;
  }

  /**
   * Where each argument has a closing tag of its own, this value's may be meant for another argument. False: too little is
   * there to tell what begins here.
   */
  private watchTags({ text, final }: Input, at: number, isArgument: boolean): boolean {
    if (this.place.sharesCloser || this.place.leaf === "text") return true;
    for (const name of this.unclosed) {
      const end = closingTagEnd(text, at, name);
      if (end === undefined && !final) return false;
      if (end) this.unclosed.delete(name);
    }
    const tag = isArgument && !isSpokenOf(this.tail) ? readTag(text, at) : undefined;
    if (typeof tag === "object") this.unclosed.add(tag.name);
    return true;
  }
}
