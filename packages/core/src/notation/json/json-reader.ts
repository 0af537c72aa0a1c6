import type { RepairCode } from "../../types.js";
import { commentEnd, KEY_IN_LINE, mayBeComment } from "../comment.js";
import { type Input, matchesAt, type Status } from "../input.js";
import { closingQuotes, quotesRepair, wordEnd } from "../json-words.js";
import { Lookahead } from "../lookahead.js";
import { prefixedQuote } from "../python/string-prefix.js";
import { emitValue, type ValueSink } from "../value-sink.js";
import { Bracket, closes, isKeyed, MAX_DEPTH, MISSING_COMMA, OpenBrackets } from "./brackets.js";
import { EscapedObject } from "./escaped-object.js";
import { extraQuoteEnd, quotedObject } from "./extra-quotes.js";
import { declaredKeyBegins, keyAt, otherColonEnd, startsKey } from "./json-key.js";
import type { JsonReaderOptions } from "./json-options.js";
import { StringReader } from "./json-string.js";
import { WordReader } from "./json-word.js";
import { nextBegins } from "./next-value.js";
import { State } from "./reader-state.js";
import { takeWhole } from "./take-whole.js";
import { isHalf, MAX_TOKEN } from "./word-limit.js";

/** What is right in place of `1,5` and `1,000`. */
const NO_COMMA = "a number without a comma, such as 1.5 or 1000";

/**
 * Reads one JSON value piece by piece, in one pass, and passes it to a sink. It also reads common deviations from JSON:
 * single quotes, unquoted keys and words, Python's literals, comments, missing and trailing commas, raw control
 * characters, wrong escapes, unescaped quotes inside strings, missing closing brackets.
 *
 * Source of the strict part: RFC 8259.
 */
export class JsonReader {
  protected state = State.Value;
  protected readonly brackets: OpenBrackets;
  private readonly strings: StringReader;
  private readonly words: WordReader;
  private escaped: EscapedObject | undefined;
  /** Whether the last key is digits, as in `1,5`. */
  private isNumericKey = false;
  /** Whether the object declares the last key, which has no value yet, and the format is not Python. */
  private isDeclared = false;
  /** Why reading failed at its current position, in words. */
  failure = "";
  tooDeep = false;

  constructor(
    readonly sink: ValueSink,
    readonly options: JsonReaderOptions = {},
  ) {
    this.brackets = new OpenBrackets(sink, options);
    this.strings = new StringReader(sink, options, this.brackets);
    this.words = new WordReader(sink, options, this.brackets);
  }

  /** The open objects and arrays, outermost first. */
  get stack(): readonly Bracket[] {
    return this.brackets.stack;
  }

  /** The number of open brackets. */
  get depth(): number {
    return this.brackets.stack.length;
  }

  /** Whether the value could end here with its open brackets closed: no string, key or scalar is incomplete. */
  get isBetweenValues(): boolean {
    return this.state === State.After || this.state === State.Key || this.state === State.FirstKey;
  }

  read(input: Input): Status {
    for (;;) {
      if (this.state === State.String) {
        const status = this.strings.read(input);
        if (status === "more") return "more";
        this.state = status === "joined" ? State.Joined : State.After;
        if (this.stack.length === 0) return "done";
        continue;
      }
      if (this.state === State.Escaped) {
        const status = this.readEscaped(input, this.escaped!);
        if (status) return status;
      }
      const found = this.skip(input);
      if (found !== "done") return found;
      const status = this.step(input, input.text.charCodeAt(input.pos));
      if (status) return status;
    }
  }

  /** Closes the open brackets when the markup around the value ended before them. */
  closeAll(): void {
    if (this.depth === 0) return;
    this.brackets.closeAll();
    this.state = State.After;
  }

  protected readonly repaired = (code: RepairCode): void => {
    this.options.repaired?.(code);
  };

  protected fail(failure: string): Status {
    this.failure = failure;
    return "fail";
  }

  protected step(input: Input, code: number): Status | undefined {
    switch (this.state) {
      case State.Value:
      case State.FirstValue:
        if (this.options.quote !== undefined) {
          const isHere = matchesAt(input.text, input.pos, this.options.quote);
          if (isHere === undefined && !input.final) return "more";
          if (isHere) return this.startString(input, this.options.quote);
        }
        return this.readValue(input, code);
      case State.Joined:
        return this.readValue(input, code);
      case State.FirstKey:
      case State.Key:
        return this.readKey(input, code);
      case State.Colon:
        return this.readColon(input, code);
      default:
        return this.readAfter(input, code);
    }
  }

  private readColon(input: Input, code: number): Status | undefined {
    let end: number | false = input.pos + 1;
    if (code !== 0x3a /* : */) {
      const look = new Lookahead(input);
      end = otherColonEnd(look, input.pos, this.isDeclared);
      if (look.hitEnd) return "more";
      if (end === false) return this.unexpected(this.isNumericKey ? NO_COMMA : ": after the key");
      this.repaired(end > input.pos ? "key-separator" : "missing-colon");
    }
    input.pos = end;
    this.state = State.Value;
    return undefined;
  }

  protected unexpected(wanted: string): Status {
    return this.fail(`expected ${wanted}`);
  }

  protected readValue(input: Input, code: number): Status | undefined {
    switch (code) {
      case 0x7b /* { */:
        return this.open(input, Bracket.Object);
      case 0x5b /* [ */:
        return this.open(input, Bracket.Array);
      case 0x28 /* ( */:
        return this.open(input, Bracket.Group);
      case 0x22 /* " */:
      case 0x27 /* ' */:
        {
          const status = this.unopened(input, code);
          return status === false ? this.beginString(input) : status;
        }
      case 0x5d /* ] */:
      case 0x29 /* ) */:
        if (isKeyed(this.stack.at(-1)) || !closes(input.text.charAt(input.pos), this.stack.at(-1))) {
          return this.unexpected("a value");
        }
        if (this.state === State.Value && code === 0x5d) this.repaired("trailing-comma");
        input.pos++;
        return this.close();
      default: {
        const quotes = closingQuotes(input.text.charAt(input.pos));
        if (quotes === undefined) return this.readWord(input);
        this.repaired("other-quotes");
        return this.startString(input, quotes.charAt(0), "", quotes.slice(1));
      }
    }
  }

  /** Begins an object inside quotes, or without its first bracket where a key comes instead; false: there is none. */
  private unopened(input: Input, code: number): Status | undefined | false {
    const look = new Lookahead(input);
    if (this.options.keys?.needsObject) {
      const brace = quotedObject(look, input.pos);
      if (look.hitEnd) return "more";
      if (brace !== false) {
        this.repaired("unescaped-quote");
        input.pos = brace;
        this.brackets.open(Bracket.Quoted);
        return undefined;
      }
    }
    if (!this.options.isObject || this.stack.length > 0) return false;
    const isKey = startsKey(look, input.pos, code === 0x22 ? '"' : "'");
    if (look.hitEnd) return "more";
    if (!isKey) return false;
    this.repaired("missing-bracket");
    this.brackets.open(Bracket.Object);
    this.state = State.FirstKey;
    return undefined;
  }

  /** Begins a string; its Python prefix, if any, is at the current position, and its quote at `at`. */
  private beginString(input: Input, at = input.pos): Status | undefined {
    const { text } = input;
    const quote = text.charAt(at);
    if (text.length - at < 3 && quote.repeat(3).startsWith(text.slice(at)) && !input.final) return "more";
    const isTriple = text.charAt(at + 1) === quote && text.charAt(at + 2) === quote;
    // Two single quotes before a word look like a double one.
    const isDouble = !this.options.python && text.startsWith("''", at) && /[\p{L}\p{N}]/u.test(text.charAt(at + 2));
    const quotes = quote.repeat(isTriple ? 3 : isDouble ? 2 : 1);
    const prefix = text.slice(input.pos, at);
    if (prefix !== "") this.repaired("string-prefix");
    input.pos = at;
    if (!this.options.python && quotes !== '"') this.repaired(quotesRepair(quotes));
    return this.startString(input, quotes, prefix);
  }

  private startString(input: Input, quote: string, prefix = "", others = ""): undefined {
    this.strings.begin(quote, prefix, others);
    this.words.otherBegins();
    if (this.state !== State.Joined) this.sink.begin("string");
    input.pos += quote.length;
    this.state = State.String;
  }

  private open(input: Input, kind: Bracket): Status | undefined {
    if (this.brackets.isFull) return this.refuseDepth();
    const from = input.pos;
    if (takeWhole(input, isKeyed(kind) ? "object" : "array", this.sink, this.strings)) {
      this.words.wholePassed(input.text.slice(from, input.pos));
      this.state = State.After;
      return this.stack.length === 0 ? "done" : undefined;
    }
    this.words.otherBegins();
    input.pos++;
    this.brackets.open(kind);
    this.state = isKeyed(kind) ? State.FirstKey : State.FirstValue;
    return undefined;
  }

  /** Opens braces whose keys belong to the object that is already open. */
  protected openInner(input: Input): Status | undefined {
    if (this.brackets.isFull) return this.refuseDepth();
    input.pos++;
    this.brackets.open(Bracket.Inner);
    this.state = State.FirstKey;
    return undefined;
  }

  private refuseDepth(): Status {
    this.tooDeep = true;
    return this.fail(`objects and arrays are nested deeper than ${MAX_DEPTH}`);
  }

  protected close(): Status | undefined {
    this.brackets.close();
    this.state = State.After;
    return this.stack.length === 0 ? "done" : undefined;
  }

  protected readKey(input: Input, code: number): Status | undefined {
    const { text, pos } = input;
    if (closes(text.charAt(pos), this.stack.at(-1))) return this.closeAtKey(input);
    if (code === 0x2c /* , */) return this.extraComma(input);
    if (code === 0x7b /* { */) {
      if (this.state === State.Key) return this.nextObject();
      this.repaired("extra-bracket");
      return this.openInner(input);
    }
    if (code === 0x5c /* \ */ && this.state === State.FirstKey && this.options.mayBeEscaped) {
      if (pos + 1 === text.length && !input.final) return "more";
      if (text.charAt(pos + 1) === '"') return this.beginEscaped();
    }
    const found = keyAt(input, this.options);
    if (found === undefined) return this.closed(input) ?? this.unexpected("a key or }");
    if (found === "more") return this.wait(input, "the end of a key");
    input.pos = found.end;
    this.isNumericKey = /^\d+$/.test(found.key);
    this.isDeclared = !this.options.python && this.options.keys?.expects(found.key) === true;
    this.sink.key(found.key, found.json);
    if (found.repair !== undefined) this.repaired(found.repair);
    this.state = found.hasColon ? State.Value : State.Colon;
    return undefined;
  }

  private beginEscaped(): undefined {
    const { closes: ends, nextOpener } = this.options;
    const begins = nextOpener && ((text: string, index: number) => matchesAt(text, index, nextOpener));
    this.escaped = new EscapedObject([ends, begins].filter((marker) => typeof marker === "function"));
    this.state = State.Escaped;
  }

  /** Reads the keys and values of an object that is escaped once more, up to its bracket. */
  private readEscaped(input: Input, escaped: EscapedObject): Status | undefined {
    const status = escaped.read(input);
    if (status === "more") return status;
    const value = status === "done" ? escaped.value(MAX_DEPTH - this.depth + 1) : undefined;
    if (!value) return this.unexpected("a key or }");
    this.repaired("invalid-escape");
    for (const [key, part] of Object.entries(value)) {
      this.sink.key(key);
      emitValue(part, this.sink);
    }
    this.state = State.After;
    return undefined;
  }

  /** Closes an object where a key could follow. */
  protected closeAtKey(input: Input): Status | undefined {
    if (this.state === State.Key && !this.options.python) this.repaired("trailing-comma");
    input.pos++;
    return this.close();
  }

  protected extraComma(input: Input): undefined {
    this.repaired("extra-comma");
    input.pos++;
  }

  /** Handles an object in place of a key: the objects before it were not closed. */
  private nextObject(): Status | undefined {
    if (this.brackets.closeInside((bracket) => bracket === Bracket.Array)) {
      this.state = State.Value;
      return undefined;
    }
    if (!this.options.siblings) return this.unexpected("a key or }");
    this.closeAll();
    return "done";
  }

  /** Waits for the rest of a token, unless the token is already too long. */
  protected wait(input: Input, wanted: string): Status {
    return input.text.length - input.pos > MAX_TOKEN ? this.unexpected(wanted) : "more";
  }

  private readAfter(input: Input, code: number): Status | undefined {
    const top = this.stack.at(-1);
    if (top === Bracket.Quoted) return this.endQuoted(input, code);
    switch (code) {
      case 0x2c /* , */:
      case 0xff0c /* ， */:
        if (code !== 0x2c) this.repaired("comma-spelling");
        input.pos++;
        this.words.commaPassed();
        this.brackets.comma();
        this.state = isKeyed(top) ? State.Key : State.Value;
        return undefined;
      case 0x7d /* } */:
      case 0x5d /* ] */:
      case 0x29 /* ) */:
        return this.readClose(input);
      case 0x22 /* " */:
      case 0x27 /* ' */:
      case 0x201c /* “ */:
        this.repaired("missing-comma");
        if (!isKeyed(top)) this.options.rejected?.(MISSING_COMMA);
        this.state = isKeyed(top) ? State.Key : State.Value;
        return undefined;
      default:
        if (code === 0x7b /* { */ && !isKeyed(top)) {
          this.repaired("missing-comma");
          this.state = State.Value;
          return undefined;
        }
        if (isKeyed(top)) {
          const next = this.readNext(input);
          if (next !== false) return next;
        }
        return this.closed(input) ?? this.unexpected(`a comma or ${top?.charAt(0) ?? "the end"}`);
    }
  }

  /** Skips a second quote after a complete value, or goes on with a key whose comma is missing; false: neither is here. */
  private readNext(input: Input): Status | undefined | false {
    const { quote, keys } = this.options;
    const look = new Lookahead(input);
    const end = quote !== undefined && extraQuoteEnd(look, input.pos, quote);
    const isKey = end === false && declaredKeyBegins(look, input.pos, keys);
    if (look.hitEnd) return "more";
    if (end === false && !isKey) return false;
    this.repaired(isKey ? "missing-comma" : "extra-quote");
    if (isKey) this.state = State.Key;
    input.pos = end || input.pos;
    return undefined;
  }

  /** Skips the quote after the object inside it. */
  private endQuoted(input: Input, code: number): Status | undefined {
    if (code === 0x22 /* " */ || code === 0x27 /* ' */) input.pos++;
    else this.repaired("missing-quote");
    return this.close();
  }

  /** Handles a bracket of the wrong kind: it closes the nearest one of its kind, with everything inside. */
  private readClose(input: Input): Status | undefined {
    const char = input.text.charAt(input.pos);
    input.pos++;
    if (this.brackets.closeInside((bracket) => closes(char, bracket))) return this.close();
    this.repaired("extra-bracket");
    return undefined;
  }

  /** Returns `done` if the markup around the value ends here, or another value begins; missing brackets are closed. */
  protected closed(input: Input): Status | undefined {
    const ends = this.options.closes?.(input.text, input.pos);
    const begins = this.words.isAfterPlain && nextBegins(input, this.options.nextOpener);
    if (begins === "more" || (ends === undefined && this.options.closes && !input.final)) return "more";
    if (!ends && !begins) return undefined;
    this.closeAll();
    return "done";
  }

  /** Skips white space and comments, up to the next character. */
  private skip(input: Input): Status {
    for (;;) {
      if (!input.skipSpace()) return "more";
      const { text, pos } = input;
      if (!mayBeComment(text.charCodeAt(pos), this.options.python)) return "done";
      if (pos + 1 === text.length && !input.final) return "more";
      const end = commentEnd(text, pos, MAX_TOKEN);
      if (end === undefined) return "done";
      if (end < 0) return this.wait(input, "the end of a comment");
      this.repaired("comment");
      if (KEY_IN_LINE.test(text.slice(pos, end))) this.options.rejected?.("a comment contains a key");
      input.pos = end;
    }
  }

  private readWord(input: Input): Status | undefined {
    const { text, pos } = input;
    const end = wordEnd(text, pos);
    if (end === pos) return this.unexpected("a value");
    if (isHalf(input, end)) return this.wait(input, "the end of a value");
    const quote = this.options.python ? prefixedQuote(text, pos) : -1;
    if (quote >= 0) return this.beginString(input, quote);
    if (!this.words.read(input, end)) return this.wait(input, "the end of a value");
    this.state = State.After;
    return this.stack.length === 0 ? "done" : undefined;
  }
}
