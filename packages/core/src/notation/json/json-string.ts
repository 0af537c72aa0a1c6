import { type Input, LOOKAHEAD, spaceEnd } from "../input.js";
import { escapeLength, longestEscape, parseString, respell, unquote } from "../json-words.js";
import { Lookahead } from "../lookahead.js";
import { readPythonEscape } from "../python/python-escape.js";
import { wholeLength } from "../text-pieces.js";
import type { ValueSink } from "../value-sink.js";
import { type Bracket, isKeyed, type OpenBrackets } from "./brackets.js";
import { endsAtEscape, MAX_BEFORE_ESCAPE } from "./escaped-end.js";
import { joinedString } from "./joined-strings.js";
import type { JsonReaderOptions } from "./json-options.js";
import { BACKSLASHES, LiteralBackslashes } from "./literal-backslashes.js";
import { LostMark } from "./lost-mark.js";
import { readRaw } from "./raw-string.js";
import { endsString } from "./string-end.js";
import { UnescapedQuotes } from "./unescaped-quotes.js";

/** The number of characters to search for a quote or backslash one by one. */
const NEARBY = 32;

const ignored = () => {};

/** `more`: the string goes on, as far as it is there. `joined`: it ends, and the next string continues it. */
type StringStep = "more" | "joined" | "done";

/** Reads the strings of a JSON value piece by piece for a sink; unescaped quotes inside a string are part of it. */
export class StringReader {
  private quote = '"';
  /** Other quotes that may end the open string, which a typographic one began. */
  private others = "";
  /** Whether backslashes in the open string are literal. */
  private raw = false;
  /** Braces in the open string contain expressions. */
  private formatted = false;
  /** Whether the open string contains an unescaped quote. */
  dirty = false;
  /** The number of escaped quotes in the open string. */
  private escapedQuotes = 0;
  /** Whether the open string contains a bracket that later closing brackets may belong to. */
  private opensBracket = false;
  /** The index up to which the text was emitted. */
  private from = 0;
  /** The index up to which the input was searched for one. */
  private scannedTo = 0;
  /** The last characters that were read of the string. */
  private tail = "";
  private readonly backslashes = new LiteralBackslashes();
  private readonly quotes = new UnescapedQuotes();
  private readonly lostMark = new LostMark();

  constructor(
    readonly sink: ValueSink,
    readonly options: JsonReaderOptions,
    private readonly brackets: OpenBrackets,
  ) {}

  /** The open objects and arrays, outermost first. */
  get stack(): readonly Bracket[] {
    return this.brackets.stack;
  }

  /**
   * Begins a string with its closing mark; `prefix`: its Python prefix, `r` for raw, `f` for formatted; `others`: other
   * marks that may close it.
   */
  begin(quote: string, prefix: string, others = ""): void {
    this.quote = quote;
    this.others = others;
    this.dirty = false;
    this.escapedQuotes = 0;
    this.opensBracket = false;
    this.tail = "";
    this.quotes.begin();
    this.lostMark.begin();
    this.backslashes.begin(quote, this.options.python === true);
    this.raw = prefix !== "" && /r/i.test(prefix);
    this.formatted = prefix !== "" && /f/i.test(prefix);
  }

  /** Emits the available part of the open string. */
  read(input: Input): StringStep {
    if (this.quote === this.options.quote) return this.readRawString(input, this.quote);
    const { text, pos } = input;
    this.from = this.scannedTo = pos;
    for (let at = pos; ; ) {
      at = this.nextSpecial(input, at);
      if (at < 0) return this.emitTo(input, wholeLength(text, input.final));
      const next = text.charAt(at) === "\\" ? this.escapeAt(input, at) : this.quoteAt(input, at);
      if (typeof next !== "number") return next;
      at = next;
    }
  }

  /** Emits the text up to an index, where reading waits for more. */
  private emitTo(input: Input, to: number): "more" {
    const { from } = this;
    if (to > from) this.stringPart(input.text.slice(from, to));
    input.pos = Math.max(from, to);
    return "more";
  }

  /** Reads the escape at an index; returns the index after it, unless the string ends or more is needed. */
  private escapeAt(input: Input, at: number): number | StringStep {
    const { text } = input;
    if (at + longestEscape(text, at) >= text.length && !input.final) return this.emitTo(input, at);
    const ends = this.endsAtEscape(input, at);
    if (ends === undefined) return this.emitTo(input, at);
    if (ends) {
      this.stringPart(ends === "raw" ? `${text.slice(this.from, at)}\\\\` : text.slice(this.from, at + 2));
      this.options.repaired?.(ends === "raw" ? "invalid-escape" : "missing-quote");
      this.sink.end("string");
      input.pos = at + 2;
      return "done";
    }
    const next = at + escapeLength(text, at);
    const escaped = text.slice(at + 1, next);
    if (this.backslashes.isForeign(escaped)) {
      this.stringPart(text.slice(this.from, at));
      this.from = at;
    }
    const before = () => this.before(input, at);
    const reading = this.raw ? undefined : this.readEscape(escaped, text.charAt(next), before);
    if (reading === "doubtful") this.options.rejected?.(BACKSLASHES);
    if (reading === "literal") {
      this.stringPart(`${text.slice(this.from, at)}\\${text.slice(at, next)}`, text.slice(this.from, next));
      this.from = next;
    }
    return next;
  }

  /** Reads the quote at an index; returns the index after it if it is text. */
  private quoteAt(input: Input, at: number): number | StringStep {
    const { text } = input;
    const look = new Lookahead(input, at + 1 + LOOKAHEAD);
    const ends = this.endsAt(look, at, () => this.before(input, at));
    this.emitTo(input, at);
    if (look.hitEnd) return "more";
    if (ends) return this.readEnd(input, look);
    if (!this.dirty && this.mayBeText) this.options.repaired?.("unescaped-quote");
    this.dirty = true;
    const mark = text.charAt(at);
    this.quotes.quote(mark);
    this.emit(this.raw || !this.mayBeText ? mark : `\\${mark}`);
    this.from = at + 1;
    return this.from;
  }

  /** Whether the quote at an index ends the string. */
  private endsAt(look: Lookahead, at: number, before: () => string): boolean {
    const char = look.text.charAt(at);
    const isOther = this.others.includes(char);
    // One that JSON has ends it if the text after it can follow a string, unless an earlier one is text.
    if (this.mayBeText || (isOther && /["']/.test(char)))
      return (this.mayBeText || !this.dirty) && endsString(look, at, this);
    if (char === "’" && /\p{L}$/u.test(before())) return !/\p{L}/u.test(look.charAt(at + 1));
    return isOther || look.has(this.quote, at);
  }

  /** Reads the mark that ends the string; the next string may continue it. */
  private readEnd(input: Input, look: Lookahead): StringStep {
    const { text } = input;
    const end = input.pos + this.quote.length;
    const near = this.quote.length === 1 ? look : new Lookahead(input, end + LOOKAHEAD);
    const next = this.mayBeJoined && joinedString(near, end, this.options.python === true);
    if (near.hitEnd) return "more";
    if (next !== false && next < near.text.length) {
      this.options.repaired?.("joined-strings");
      const isPlus = text.charAt(spaceEnd(text, end)) === "+";
      if (/^r?b/i.test(text.slice(next, next + 2))) this.options.rejected?.("bytes are joined to a string");
      if (!isPlus) this.brackets.join();
      input.pos = next;
      return "joined";
    }
    input.pos = end;
    if (this.dirty && this.mayBeText && this.hidesMore)
      this.options.rejected?.("a string's quotes can be read in more than one way");
    this.sink.end("string");
    return "done";
  }

  private readEscape(escaped: string, next: string, before: () => string): "literal" | "doubtful" | undefined {
    const { isPath } = this.backslashes;
    const inPython = this.options.python && readPythonEscape(escaped, next, { isPath, text: before });
    return inPython || this.backslashes.read(escaped, next, before);
  }

  /** Whether the string ends at the escape here. */
  private endsAtEscape(input: Input, at: number): "raw" | "unquoted" | false | undefined {
    const isQuote = input.text.charAt(at + 1) === this.quote && this.mayBeText && this.stack.length > 0;
    if (!isQuote || this.raw || this.dirty) return false;
    this.opensBracket ||= /[[{(]/.test(input.text.slice(this.scannedTo, at));
    this.scannedTo = at;
    const ends = endsAtEscape(input, at, () => this.before(input, at), {
      count: this.escapedQuotes,
      opensBracket: this.opensBracket,
      stack: this.stack,
      declares: (key) => this.options.keys?.declares(key) ?? false,
      closes: this.options.closes,
    });
    if (ends === false) this.escapedQuotes++;
    return ends;
  }

  /** The last characters of the string before an index. */
  private before(input: Input, at: number): string {
    return (this.tail + input.text.slice(Math.max(this.from, at - MAX_BEFORE_ESCAPE), at)).slice(-MAX_BEFORE_ESCAPE);
  }

  private get isInList(): boolean {
    return this.stack.length > 0 && !isKeyed(this.stack.at(-1));
  }

  private get hidesMore(): boolean {
    return this.quotes.hideMore({
      inList: this.isInList,
      inPython: this.options.python === true,
      declares: (key) => this.options.keys?.declares(key) ?? false,
      closes: this.options.closes,
    });
  }

  /** Reads on in a string between the format's own marks, without escapes. */
  private readRawString(input: Input, mark: string): "more" | "done" {
    const piece = readRaw(input, mark, this.stack.length, this.options.closes);
    if (piece.to > input.pos) {
      const part = input.text.slice(input.pos, piece.to);
      this.sink.text(part);
      this.lostMark.push(part, (key) => this.options.keys?.declares(key) ?? false);
    }
    input.pos = piece.next;
    if (piece.ends === undefined) return "more";
    if (piece.ends === "unmarked") {
      this.options.repaired?.("missing-quote");
      if (this.lostMark.isLikely(mark)) this.options.rejected?.("the mark that ends a string is broken");
    }
    this.sink.end("string");
    return "done";
  }

  private get mayBeJoined(): boolean {
    return this.stack.length > 0 && !this.dirty && /["']/.test(this.quote);
  }

  /** Whether the quote that ends the open string is common inside strings. */
  private get mayBeText(): boolean {
    return this.quote === '"' || this.quote === "'";
  }

  /** The next quote or backslash at or after `from`, or -1. Searches nearby first, because escapes come in groups. */
  private nextSpecial(input: Input, from: number): number {
    const { text } = input;
    if (this.others !== "") {
      const marks = `${this.quote}${this.others}\\`;
      for (let i = from; i < text.length; i++) if (marks.includes(text.charAt(i))) return i;
      return -1;
    }
    const quote = this.quote.charCodeAt(0);
    const near = Math.min(text.length, from + NEARBY);
    for (let i = from; i < near; i++) {
      const code = text.charCodeAt(i);
      if (code === quote || code === 0x5c /* \\ */) return i;
    }
    if (near === text.length) return -1;
    const end = input.find(this.quote.charAt(0), near);
    const backslash = input.find("\\", near);
    return end < 0 || (backslash >= 0 && backslash < end) ? backslash : end;
  }

  /** Passes on a part; `written`: the part as the reply has it, without the backslashes that it lacks. */
  private stringPart(raw: string, written = raw): void {
    if (raw === "") return;
    if (!this.raw) this.backslashes.push(written);
    if (this.formatted && /[{}]/.test(raw)) this.options.formats?.();
    this.quotes.push(raw);
    this.opensBracket ||= /[[{(]/.test(raw);
    this.tail = raw.length < MAX_BEFORE_ESCAPE ? this.tail + raw : raw.slice(-MAX_BEFORE_ESCAPE);
    // Not with each piece: to cut a joined string copies it.
    if (this.tail.length > 8 * MAX_BEFORE_ESCAPE) this.tail = this.tail.slice(-MAX_BEFORE_ESCAPE);
    this.emit(raw);
  }

  private emit(raw: string): void {
    if (this.raw) return this.sink.text(raw);
    const strict = this.quote === '"' ? parseString(raw) : undefined;
    if (strict !== undefined) return this.sink.text(strict, raw);
    const { quote } = this;
    const { repaired = ignored, python } = this.options;
    this.sink.text(unquote(raw, quote, repaired, python), respell(raw, quote, python));
  }
}
