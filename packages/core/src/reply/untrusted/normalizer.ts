import { withoutLineMarks } from "./line-marks.js";
import { otherReadings } from "./other-readings.js";

/** Replaces `[`, `,` and `;`: in a list each of them may precede a call, and they are equivalent. */
export const LIST_SEPARATOR = 0x2c;
export const LIST_END = 0x5d;

const BACKSLASH = 0x5c;
/** The letters that are white space or a control character after a backslash. */
const SPACES = "nrtbf";

/** After a backslash it continues a line of a program. */
const LINE_FEED = 0x0a;

const AMPERSAND = 0x26;
/** Names of entities, and the character after each. */
const NAMES =
  "lt<gt>amp&quot\"apos'nbsp newline tab lbrace{rbrace}rcub}lbrack[rsqb]lpar(rpar)colon:semi;comma,period.equals=sol/lowbar_" +
  'lsquo"rsquo"ldquo"rdquo"laquo"raquo"ndash–mdash—hellip…szligßaeligæoslashø';
const ENTITIES = new Map(Array.from(NAMES.matchAll(/([a-z]+)([^a-z])/g), ([, name, char]) => [name!, char!]));
/** The names of accented letters. The accent itself is dropped. */
const ACCENTED = /^([a-z])(?:acute|grave|circ|uml|tilde|ring|cedil|caron|ogon|dot)$/;
const LONGEST_ENTITY = 8;

/** The letters after a backslash that digits follow, and how many. */
const DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4 };

/**
 * Emits, piece by piece, the characters of a text that a copy must contain. It drops white space and the additions of escaping:
 * U+2060 and other zero-width characters, and backslashes with the `n`, `r`, `t`, `b` or `f` after them, because a JSON string
 * is copied with or without its escapes; `\u003c` and `&lt;` are the character. Latin letters are in lower case, and letters
 * have their decomposed form without accents. Separators before an object are dropped, because it is the same call inside and
 * outside a list. Quotes, emphasis, and what spellings of special tokens differ in are dropped too, and half a character, and
 * U+FFFD, which the model gets in its place.
 */
export class Normalizer {
  private escaped = false;
  /** The letter after a backslash and the digits so far after it; undefined elsewhere. */
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
    const waiting = digits ?? (entity !== undefined ? `&${entity}` : "");
    this.each(waiting, this.put);
  }

  private take(code: number): boolean {
    const kind = kindOf(code);
    if (kind === IS_FORM) return this.each(formOf(code), this.take);
    if (code === BACKSLASH) this.escaped = true;
    else if (kind !== IS_LAYOUT) {
      const { escaped } = this;
      this.escaped = false;
      const char = escaped ? String.fromCharCode(code) : "";
      if (DIGITS[char]) this.digits = char;
      else if (char === "" || !SPACES.includes(char)) return this.takePlain(code);
    } else if (code === LINE_FEED) this.escaped = false;
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
    if (meant !== undefined) return this.each(meant, this.take);
    return this.each(`&${entity}`, this.put) && this.takeCharacter(code);
  }

  /** Takes what follows `\u` or `\x`: its digits are a character, and everything else is text. */
  private takeDigit(code: number, before: string): boolean {
    const digits = before + String.fromCharCode(code);
    this.digits = undefined;
    if (!/.[\da-f]+$/i.test(digits)) return this.each(before, this.takePlain) && this.take(code);
    if (digits.length > DIGITS[digits[0]!]!) {
      return this.each(characterOf(`#x${digits.slice(1)}`) ?? "", this.take);
    }
    this.digits = digits;
    return true;
  }

  /** Takes the units of a text in this way, until no more are needed. */
  private each(text: string, take: (code: number) => boolean): boolean {
    for (let i = 0; i < text.length; i++) if (!take.call(this, text.charCodeAt(i))) return false;
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
    theirs ??= [texts.join(""), ...otherReadings(texts)].map(normalized).join("\0");
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
  const [, hexadecimal, decimal] = /^#(?:x([\da-f]+)|(\d+))$/i.exec(entity) ?? [];
  if (hexadecimal === undefined && decimal === undefined) return ENTITIES.get(entity) ?? ACCENTED.exec(entity)?.[1];
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** The character as which this one counts: tags are read in any case. */
const unified = (code: number): number => (code >= 0x41 && code <= 0x5a ? code + 0x20 : code);

/** White space, control characters, and characters without width. */
const LAYOUT = /[\s\p{Cc}\p{DI}\ufff9-\ufffd]/u;
/** Quotes, emphasis, accents, marks of lines, and what the spellings of special tokens differ in. */
const STYLE = /[\p{QMark}`´′″*_▁|｜•·¶↵↪]|[\u0300-\u036f\u2500-\u257f]/u;
/** Characters with another form that is compatible: accented letters, Hangul, ligatures, full width. */
const FORM = /[\p{L}\uff01-\uff5e]/u;
const [KEPT, IS_LAYOUT, IS_STYLE, IS_FORM] = [1, 2, 3, 4];
const kinds = new Uint8Array(0x10000);
/** The longest form: one more would not have room. */
const LONGEST_FORM = 4;

const formOf = (code: number): string => String.fromCharCode(code).normalize("NFKD");

/** What a character is for the comparison. */
function kindOf(code: number): number {
  if (kinds[code] === 0) {
    const char = String.fromCharCode(code);
    const form = FORM.test(char) ? formOf(code) : char;
    const hasForm = form !== char && form.length <= LONGEST_FORM;
    kinds[code] = LAYOUT.test(char) ? IS_LAYOUT : STYLE.test(char) ? IS_STYLE : hasForm ? IS_FORM : KEPT;
  }
  return kinds[code]!;
}
