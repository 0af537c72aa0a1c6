import { type Input, isSpace, LOOKAHEAD, type Status, spaceEnd } from "./input.js";
import type { ValueSink } from "./value-sink.js";

/** Objects and arrays within each other; more than this is refused. */
export const MAX_DEPTH = 256;

/** The longest key or unquoted value that is waited for. */
const MAX_TOKEN = 1024;

/** What the reader needs to know of its surroundings. */
export interface JsonReaderOptions {
  /** Something not quite JSON was read as if it were. */
  repaired?: (code: string) => void;
  /** Whether the markup that ends the value stands at this index; undefined: too little is there to tell. */
  closes?: (text: string, index: number) => boolean | undefined;
}

enum State {
  Value,
  /** After `[`: a value or `]`. */
  FirstValue,
  /** After `{` or `,` in an object: a key or `}`. */
  Key,
  Colon,
  /** After a value: `,` or a closing bracket. */
  After,
  String,
}

const OBJECT = 1;
const ARRAY = 2;

/**
 * Reads one JSON value piece by piece and tells a sink, in one pass. It also reads what models write instead of JSON:
 * single quotes, unquoted keys and words, Python's literals, comments, missing and trailing commas, raw control characters,
 * wrong escapes, unescaped quotes inside strings, brackets that are missing at the end.
 *
 * Source of the strict part: RFC 8259.
 */
export class JsonReader {
  private state = State.Value;
  private stack: number[] = [];
  private quote = '"';
  /** An unescaped quote was found in the open string. */
  private dirty = false;
  /** Why reading failed at the place where it stopped, in words; a nesting too deep is told apart. */
  failure = "";
  tooDeep = false;

  constructor(
    private readonly sink: ValueSink,
    private readonly options: JsonReaderOptions = {},
  ) {}

  /** How many objects and arrays are open. */
  get depth(): number {
    return this.stack.length;
  }

  /** True where the value could end if its open brackets were closed: no string, key or value is half read. */
  get isBetweenValues(): boolean {
    return this.state === State.After || (this.state === State.Key && this.stack.length > 0);
  }

  read(input: Input): Status {
    for (;;) {
      if (this.state === State.String) {
        if (!this.readString(input)) return "more";
        if (this.stack.length === 0) return "done";
        continue;
      }
      const found = this.skip(input);
      if (found !== "done") return found;
      const status = this.step(input, input.text.charCodeAt(input.pos));
      if (status) return status;
    }
  }

  /** Closes what is open, when the markup around the value has ended before its brackets did. */
  closeAll(): void {
    while (this.stack.length > 0) {
      this.repaired("missing-bracket");
      this.close();
    }
  }

  private repaired(code: string): void {
    this.options.repaired?.(code);
  }

  private fail(failure: string): Status {
    this.failure = failure;
    return "fail";
  }

  private step(input: Input, code: number): Status | undefined {
    switch (this.state) {
      case State.Value:
      case State.FirstValue:
        return this.readValue(input, code);
      case State.Key:
        return this.readKey(input, code);
      case State.Colon:
        if (code !== 0x3a /* : */) return this.unexpected("a colon after the key");
        input.pos++;
        this.state = State.Value;
        return undefined;
      default:
        return this.readAfter(input, code);
    }
  }

  private unexpected(wanted: string): Status {
    return this.fail(`expected ${wanted}`);
  }

  private readValue(input: Input, code: number): Status | undefined {
    switch (code) {
      case 0x7b /* { */:
        return this.open(input, OBJECT);
      case 0x5b /* [ */:
        return this.open(input, ARRAY);
      case 0x22 /* " */:
      case 0x27 /* ' */:
        this.quote = String.fromCharCode(code);
        if (code === 0x27) this.repaired("single-quotes");
        this.dirty = false;
        this.sink.beginString();
        input.pos++;
        this.state = State.String;
        return undefined;
      case 0x5d /* ] */:
        if (this.stack.at(-1) !== ARRAY) return this.unexpected("a value");
        if (this.state === State.Value) this.repaired("trailing-comma");
        input.pos++;
        return this.close();
      default:
        return this.readWord(input);
    }
  }

  private open(input: Input, kind: number): Status | undefined {
    if (this.stack.length === MAX_DEPTH) {
      this.tooDeep = true;
      return this.fail(`objects and arrays are nested deeper than ${MAX_DEPTH}`);
    }
    input.pos++;
    this.stack.push(kind);
    if (kind === OBJECT) this.sink.beginObject();
    else this.sink.beginArray();
    this.state = kind === OBJECT ? State.Key : State.FirstValue;
    return undefined;
  }

  private close(): Status | undefined {
    if (this.stack.pop() === OBJECT) this.sink.endObject();
    else this.sink.endArray();
    this.state = State.After;
    return this.stack.length === 0 ? "done" : undefined;
  }

  private readKey(input: Input, code: number): Status | undefined {
    const { text, pos } = input;
    if (code === 0x7d /* } */) {
      input.pos++;
      return this.close();
    }
    if (code === 0x2c /* , */) {
      this.repaired("extra-comma");
      input.pos++;
      return undefined;
    }
    if (code === 0x22 || code === 0x27) {
      const end = stringEnd(text, pos, text.charAt(pos));
      if (end < 0 || end - pos > MAX_TOKEN) return this.wait(input, "the end of a key");
      input.pos = end;
      this.sink.key(this.unquote(text.slice(pos + 1, end - 1), text.charAt(pos)));
      this.state = State.Colon;
      return undefined;
    }
    const end = wordEnd(text, pos, KEY_END);
    if (end === pos) return this.closed(input) ?? this.unexpected("a key or }");
    if (isHalf(input, end)) return this.wait(input, "the end of a key");
    input.pos = end;
    this.repaired("unquoted-key");
    this.sink.key(text.slice(pos, end));
    this.state = State.Colon;
    return undefined;
  }

  /** Waits for the rest of a token, if it is not already too long. */
  private wait(input: Input, wanted: string): Status {
    return input.text.length - input.pos > MAX_TOKEN ? this.unexpected(wanted) : "more";
  }

  private readAfter(input: Input, code: number): Status | undefined {
    const top = this.stack.at(-1);
    switch (code) {
      case 0x2c /* , */:
        input.pos++;
        this.state = top === OBJECT ? State.Key : State.Value;
        return undefined;
      case 0x7d /* } */:
      case 0x5d /* ] */:
        return this.readClose(input, code === 0x7d ? OBJECT : ARRAY);
      case 0x22 /* " */:
      case 0x27 /* ' */:
        this.repaired("missing-comma");
        this.state = top === OBJECT ? State.Key : State.Value;
        return undefined;
      default:
        return this.closed(input) ?? this.unexpected(top === OBJECT ? "a comma or }" : "a comma or ]");
    }
  }

  /** A bracket of the wrong kind closes what it can: the nearest one of its kind, with all inside it. */
  private readClose(input: Input, kind: number): Status | undefined {
    input.pos++;
    if (!this.stack.includes(kind)) {
      this.repaired("extra-bracket");
      return undefined;
    }
    while (this.stack.at(-1) !== kind) {
      this.repaired("missing-bracket");
      this.close();
    }
    return this.close();
  }

  /** Done, if the markup around the value ends here: the brackets that are missing are closed. */
  private closed(input: Input): Status | undefined {
    const closes = this.options.closes?.(input.text, input.pos);
    if (closes === undefined && this.options.closes && !input.final) return "more";
    if (!closes) return undefined;
    this.closeAll();
    return "done";
  }

  /** Over white space and comments, to the next character. */
  private skip(input: Input): Status {
    for (;;) {
      if (!input.skipSpace()) return "more";
      const { text, pos } = input;
      if (text.charCodeAt(pos) !== 0x2f /* / */) return "done";
      const second = text.charAt(pos + 1);
      if (second === "" && !input.final) return "more";
      if (second !== "/" && second !== "*") return "done";
      const window = text.slice(pos, pos + MAX_TOKEN);
      const end = second === "/" ? window.search(/[\n\r]/) : window.indexOf("*/", 2) + 1;
      if (end < (second === "/" ? 0 : 1)) return this.wait(input, "the end of a comment");
      this.repaired("comment");
      input.pos = pos + end + (second === "/" ? 0 : 1);
    }
  }

  private readWord(input: Input): Status | undefined {
    const { text, pos } = input;
    const end = wordEnd(text, pos, WORD_END);
    if (end === pos) return this.unexpected("a value");
    if (isHalf(input, end)) return this.wait(input, "the end of a value");
    input.pos = end;
    this.state = State.After;
    this.word(text.slice(pos, end));
    return this.stack.length === 0 ? "done" : undefined;
  }

  private word(word: string): void {
    if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word) && Number.isFinite(Number(word))) {
      this.sink.scalar(Number(word) + 0, word);
      return;
    }
    const literal = literals.get(word);
    if (literal !== undefined) {
      if (literal.repair) this.repaired(literal.repair);
      this.sink.scalar(literal.value, word);
      return;
    }
    if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(word) && Number.isFinite(Number(word))) {
      this.repaired("number-spelling");
      this.sink.scalar(Number(word) + 0, word);
      return;
    }
    this.repaired("unquoted-string");
    this.sink.beginString();
    this.sink.stringPart(word, JSON.stringify(word).slice(1, -1));
    this.sink.endString();
  }

  /** Hands on what is there of the open string; true when its end was found. */
  private readString(input: Input): boolean {
    const { text } = input;
    let from = input.pos;
    let i = from;
    for (;;) {
      const at = this.nextSign(input, i);
      if (at >= 0 && text.charAt(at) === "\\") {
        const length = text.charAt(at + 1) === "u" ? 6 : 2;
        if (at + length > text.length && !input.final) {
          this.stringPart(text.slice(from, at));
          input.pos = at;
          return false;
        }
        i = at + (length === 6 && HEX.test(text.slice(at + 2, at + 6)) ? 6 : 2);
        continue;
      }
      const end = at;
      if (end < 0) {
        // A surrogate pair is never parted.
        const last = text.charCodeAt(text.length - 1);
        const to = !input.final && last >= 0xd800 && last < 0xdc00 ? text.length - 1 : text.length;
        if (to > from) this.stringPart(text.slice(from, to));
        input.pos = Math.max(from, to);
        return false;
      }
      const ends = this.endsAt(input, end);
      if (ends === false) {
        if (end > from) this.stringPart(text.slice(from, end));
        if (!this.dirty) this.repaired("unescaped-quote");
        this.dirty = true;
        this.sink.stringPart(this.quote, this.quote === '"' ? '\\"' : "'");
        from = i = end + 1;
        continue;
      }
      if (end > from) this.stringPart(text.slice(from, end));
      input.pos = end;
      if (ends === undefined) return false;
      input.pos++;
      this.state = State.After;
      this.sink.endString();
      return true;
    }
  }

  /** The next quote or backslash at or after `from`, or -1: looked for nearby first, since escapes come in swarms. */
  private nextSign(input: Input, from: number): number {
    const { text } = input;
    const quote = this.quote.charCodeAt(0);
    const near = Math.min(text.length, from + NEARBY);
    for (let i = from; i < near; i++) {
      const code = text.charCodeAt(i);
      if (code === quote || code === 0x5c /* \\ */) return i;
    }
    if (near === text.length) return -1;
    const end = input.find(this.quote, near);
    const backslash = input.find("\\", near);
    return end < 0 || (backslash >= 0 && backslash < end) ? backslash : end;
  }

  private stringPart(raw: string): void {
    if (raw === "") return;
    if (this.quote === '"') {
      const text = !ESCAPED.test(raw) ? raw : CONTROL.test(raw) ? undefined : parseString(raw);
      if (text !== undefined) return this.sink.stringPart(text, raw);
    }
    const text = this.unquote(raw, this.quote);
    this.sink.stringPart(text, JSON.stringify(text).slice(1, -1));
  }

  /** The text meant by what stands between quotes; what is not JSON's spelling is taken for what it must mean. */
  private unquote(raw: string, quote: string): string {
    if (!ESCAPED.test(raw)) return raw;
    if (CONTROL.test(raw)) {
      this.repaired("control-character");
    } else if (quote === '"') {
      const strict = parseString(raw);
      if (strict !== undefined) return strict;
    }
    return raw.replace(/\\(u[0-9a-fA-F]{4}|[\s\S])?/g, (whole, sign: string | undefined) => {
      if (sign === undefined) return whole;
      const plain = escapes[sign];
      if (plain !== undefined) return plain;
      if (sign.length === 5) return String.fromCharCode(Number.parseInt(sign.slice(1), 16));
      if (sign !== quote) this.repaired("invalid-escape");
      // A backslash before a letter or digit that escapes nothing was meant (a path, a pattern); before a sign it was not.
      return /[\p{L}\p{N}]/u.test(sign) ? whole : sign === "\n" ? "" : sign;
    });
  }

  /**
   * Whether the quote at `at` ends its string. It does if what follows can follow a string: the next key, a closing
   * bracket that leads on to something sensible, the end. Undefined: too little is there to tell; after LOOKAHEAD
   * characters it is taken for the end.
   */
  private endsAt(input: Input, at: number): boolean | undefined {
    if (this.stack.length === 0) return true;
    const limit = at + 1 + LOOKAHEAD;
    const text = input.text.length > limit ? input.text.slice(0, limit) : input.text;
    const unknown = input.final || input.text.length >= limit ? true : undefined;
    let i = spaceEnd(text, at + 1);
    if (i >= text.length) return unknown;
    const inObject = this.stack.at(-1) === OBJECT;
    switch (text.charAt(i)) {
      case ",":
        i = spaceEnd(text, i + 1);
        if (i >= text.length) return unknown;
        return inObject ? this.keyFollows(text, i, unknown) : VALUE_START.test(text.charAt(i));
      case "}":
      case "]":
        return this.closersFollow(text, i, unknown);
      case "/":
        return i + 1 >= text.length ? unknown : /[/*]/.test(text.charAt(i + 1));
      case '"':
      case "'":
        // A comma is missing, if space stands between the two strings and, in an object, the second is a key.
        if (i === at + 1 || this.dirty) return false;
        return inObject ? this.keyFollows(text, i, unknown) : true;
      default:
        return this.markupFollows(text, i, unknown);
    }
  }

  private markupFollows(text: string, i: number, unknown: true | undefined): boolean | undefined {
    const closes = this.options.closes?.(text, i);
    return closes ?? (this.options.closes ? unknown : false);
  }

  private keyFollows(text: string, from: number, unknown: true | undefined): boolean | undefined {
    const first = text.charAt(from);
    if (first === "}" || first === "/") return true;
    const quoted = first === '"' || first === "'";
    const end = quoted ? stringEnd(text, from, first) : wordEnd(text, from, KEY_END);
    if (end < 0 || end === text.length) return end === from ? false : unknown;
    const colon = spaceEnd(text, end);
    if (colon >= text.length) return unknown;
    if (text.charAt(colon) !== ":") return false;
    const key = quoted ? text.slice(from + 1, end - 1) : text.slice(from, end);
    // Text with unescaped quotes may itself hold `"key":`, so there only a key that the schema knows counts.
    return this.dirty || !quoted ? this.sink.expects?.(key) !== false : true;
  }

  private closersFollow(text: string, from: number, unknown: true | undefined): boolean | undefined {
    let open = this.stack.length;
    let i = from;
    for (; i < text.length; i = spaceEnd(text, i + 1)) {
      const char = text.charAt(i);
      if (char !== "}" && char !== "]") break;
      const kind = char === "}" ? OBJECT : ARRAY;
      while (open > 0 && this.stack[open - 1] !== kind) open--;
      if (open > 0) open--;
    }
    if (i >= text.length) return unknown;
    const next = text.charAt(i);
    if (next === ",") return open > 0 ? this.commaFollows(text, i, unknown) : true;
    if (next === "/") return true;
    if (open > 0) return this.markupFollows(text, i, unknown);
    return !/["'`;\p{L}\p{N}\\)]/u.test(next) || (i > from + 1 && isSpace(text.charCodeAt(i - 1)));
  }

  /** After closing brackets and a comma, something must begin. */
  private commaFollows(text: string, comma: number, unknown: true | undefined): boolean | undefined {
    const i = spaceEnd(text, comma + 1);
    return i >= text.length ? unknown : VALUE_START.test(text.charAt(i)) || text.charAt(i) === "}";
  }
}

const NEARBY = 32;
const HEX = /^[0-9a-fA-F]{4}$/;
const VALUE_START = /["'{[\]\-0-9tfnTFN/]/;
// RFC 8259 forbids exactly these characters in strings.
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 forbids exactly these in strings.
const CONTROL = /[\u0000-\u001f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, and the backslash.
const ESCAPED = /[\u0000-\u001f\\]/;

const escapes: Record<string, string> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

const literals = new Map<string, { value: boolean | null; repair?: string }>([
  ["true", { value: true }],
  ["false", { value: false }],
  ["null", { value: null }],
  ["True", { value: true, repair: "python-literal" }],
  ["False", { value: false, repair: "python-literal" }],
  ["None", { value: null, repair: "python-literal" }],
  ["undefined", { value: null, repair: "literal-spelling" }],
]);

/** What strict JSON makes of the text between two quotes; undefined where it refuses. */
function parseString(raw: string): string | undefined {
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return undefined;
  }
}

/** The index after the quote that ends a string which begins at `from`, or -1. */
function stringEnd(text: string, from: number, quote: string): number {
  for (let i = from + 1; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === "\\") i++;
    else if (char === quote) return i + 1;
  }
  return -1;
}

const KEY_END = /[\s:,{}[\]"'<>]/;
const WORD_END = /[\s:,{}[\]"'<>]/;

/** The index where an unquoted word ends: at a sign of JSON's, at space, at a comment. */
function wordEnd(text: string, from: number, ends: RegExp): number {
  let i = from;
  while (i < text.length) {
    const char = text.charAt(i);
    if (ends.test(char)) break;
    if (char === "/" && (text.charAt(i + 1) === "/" || text.charAt(i + 1) === "*")) break;
    i++;
  }
  return i;
}

/** An unquoted word that may go on, or that is longer than any is waited for. */
const isHalf = (input: Input, end: number) =>
  (end === input.text.length && !input.final) || end - input.pos > MAX_TOKEN;
