import { unmarkedTexts, withoutLineMarks } from "./line-marks.js";

/** Replaces `[`, `,` and `;`: in a list each of them may precede a call, and they are equivalent. */
export const LIST_SEPARATOR = 0x2c;
export const LIST_END = 0x5d;

const BACKSLASH = 0x5c;
/** The letters that are white space or a control character after a backslash. */
const SPACES = unitsOf("nrtbf");

const AMPERSAND = 0x26;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: " " };
const LONGEST_ENTITY = 8;

/**
 * Emits, piece by piece, the characters of a text that a copy must contain. It drops white space and the additions of
 * escaping: U+2060 and other zero-width characters, and backslashes with the `n`, `r`, `t`, `b` or `f` after them, because
 * a JSON string is copied with or without its escapes; `\u003c` and `&lt;` are the character. Latin letters are in lower
 * case. Separators before an object are dropped, because it is the same call inside and outside a list. Quotes, emphasis, and what
 * spellings of special tokens differ in are dropped too, and half a character, and U+FFFD, which the model gets in its place.
 */
export class Normalizer {
  private escaped = false;
  /** The digits so far after `\u`; undefined elsewhere. */
  private digits: string | undefined;
  /** The first unit of a character of two; 0 elsewhere. Half a character is dropped. */
  private high = 0;
  /** What follows `&` so far; undefined elsewhere. */
  private entity: string | undefined;
  /** The number of separators before the next character. */
  private separators = 0;

  /** `emit` returns whether it needs more. */
  constructor(private readonly emit: (code: number) => boolean) {}

  begin(): void {
    this.escaped = false;
    this.high = 0;
    this.digits = this.entity = undefined;
    this.separators = 0;
  }

  read(piece: string): void {
    for (let i = 0; i < piece.length; i++) {
      const code = piece.charCodeAt(i);
      if (this.digits === undefined ? !this.take(code) : !this.takeDigit(code, this.digits)) return;
    }
  }

  /** Emits what may be the beginning of an escape or entity, where the text ends. */
  end(): void {
    const { digits, entity } = this;
    this.digits = this.entity = undefined;
    const waiting = digits !== undefined ? `u${digits}` : entity !== undefined ? `&${entity}` : "";
    unitsOf(waiting).every((unit) => this.put(unit));
  }

  private take(code: number): boolean {
    if (code === BACKSLASH) this.escaped = true;
    else if (kindOf(code) !== IS_LAYOUT) {
      const { escaped } = this;
      this.escaped = false;
      if (escaped && code === 0x75) this.digits = "";
      else if (!(escaped && SPACES.includes(code))) return this.takePlain(code);
    }
    return true;
  }

  /** Takes a unit outside an escape of JSON. */
  private takePlain(code: number): boolean {
    const { high } = this;
    this.high = 0;
    if (code < 0xd800 || code > 0xdfff) return this.takeCharacter(code);
    if (code <= 0xdbff) this.high = code;
    else if (high !== 0 && !(high >= 0xdb40 && high <= 0xdb43)) return this.takeCharacter(high) && this.put(code);
    return true;
  }

  /** Takes a character, or the first unit of one; `&lt;` is a character too. */
  private takeCharacter(code: number): boolean {
    const { entity } = this;
    if (entity === undefined) {
      if (code !== AMPERSAND) return this.put(code);
      this.entity = "";
      return true;
    }
    const char = String.fromCharCode(code);
    this.entity = undefined;
    if (entity.length < LONGEST_ENTITY && /[#\da-z]/i.test(char)) {
      this.entity = entity + char;
      return true;
    }
    const meant = char === ";" ? characterOf(entity.toLowerCase()) : undefined;
    if (meant !== undefined) return unitsOf(meant).every((unit) => this.take(unit));
    return unitsOf(`&${entity}`).every((unit) => this.put(unit)) && this.takeCharacter(code);
  }

  /** Takes what follows `\u`: four digits are a character, and everything else is text. */
  private takeDigit(code: number, before: string): boolean {
    const digit = String.fromCharCode(code);
    this.digits = undefined;
    if (!/[\da-f]/i.test(digit)) return unitsOf(`u${before}`).every((unit) => this.takePlain(unit)) && this.take(code);
    const digits = before + digit;
    if (digits.length === 4) return this.take(Number.parseInt(digits, 16));
    this.digits = digits;
    return true;
  }

  private put(code: number): boolean {
    if (kindOf(code) === IS_STYLE) return true;
    if (code === 0x5b || code === 0x3b || code === LIST_SEPARATOR) {
      this.separators++;
      return true;
    }
    const before = code === OBJECT ? 0 : this.separators;
    this.separators = 0;
    for (let i = 0; i < before; i++) if (!this.emit(LIST_SEPARATOR)) return false;
    return this.emit(unified(code));
  }
}

/**
 * The characters of a text that a copy of it contains, so that copies are found by comparison.
 *
 * @example normalized('{"a": 1}') === normalized('{\\"A\\":\u20601}'); // true
 */
export function normalized(text: string): string {
  let kept = "";
  const normalizer = new Normalizer((code) => {
    kept += String.fromCharCode(code);
    return true;
  });
  normalizer.read(text);
  normalizer.end();
  return kept;
}

/**
 * The test whether a text occurs in any of these, as a copy would.
 *
 * @example copiedFrom(['Say {"a": 1}.'])('{ "A":1 }'); // true
 */
export function copiedFrom(texts: readonly string[]): (text: string) => boolean {
  let theirs: string | undefined;
  return (text) => {
    theirs ??= [texts.join(""), ...unmarkedTexts(texts)].map(normalized).join("\0");
    return theirs.includes(normalized(text)) || theirs.includes(normalized(withoutLineMarks(text) || text));
  };
}

/** The first character of a call that is an object. */
export const OBJECT = 0x7b;

/** Whether only this character is emitted as this one: it is in ASCII, and neither a letter nor a separator. */
export const isItself = (code: number): boolean =>
  code > 0x20 && code < 0x7f && code !== LIST_SEPARATOR && code !== LIST_END && !(code >= 0x61 && code <= 0x7a);

/** The character of an entity, without its `&` and `;`. */
function characterOf(entity: string): string | undefined {
  const [, hexadecimal, decimal] = /^#(?:x([\da-f]+)|(\d+))$/.exec(entity) ?? [];
  if (hexadecimal === undefined && decimal === undefined)
    return Object.hasOwn(ENTITIES, entity) ? ENTITIES[entity] : undefined;
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

function unitsOf(text: string): number[] {
  return Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}

/** The character as which this one counts: tags are read in any case. */
const unified = (code: number): number => (code >= 0x41 && code <= 0x5a ? code + 0x20 : code);

/** White space, control characters, and characters without width. */
const LAYOUT = /[\s\p{Cc}\p{DI}\ufff9-\ufffd]/u;
/** Quotes, emphasis, and what the spellings of special tokens differ in. */
const STYLE = /[\p{QMark}`´′″*_▁|｜]/u;
const [KEPT, IS_LAYOUT, IS_STYLE] = [1, 2, 3];
const kinds = new Uint8Array(0x10000);

/** What a character is for the comparison. */
function kindOf(code: number): number {
  if (kinds[code] === 0) {
    const char = String.fromCharCode(code);
    kinds[code] = LAYOUT.test(char) ? IS_LAYOUT : STYLE.test(char) ? IS_STYLE : KEPT;
  }
  return kinds[code]!;
}
