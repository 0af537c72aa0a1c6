import { choice } from "../rules.js";
import { type Forbidden, START, word } from "./forbidden.js";

/** How a format writes strings: the delimiters, and the spelling of the characters between them. */
export interface StringNotation {
  open: string;
  close: string;
  /** Characters that are never written as they are. */
  notRaw: string;
  /** Whether control characters are never written as they are. */
  controls: boolean;
  /** The letters of the escapes of control characters, where `controls` is set. */
  controlLetters?: string;
  /** Other spellings of one UTF-16 unit, as an expression; empty: there are none. */
  escapes: string;
  /** Other spellings of one code point, as an expression; empty: there are none. */
  counted: string;
  /** Texts that must not occur inside a string. */
  forbidden: readonly Forbidden[];
  /** The forbidden texts that are words. A constant that contains one is spelt differently. */
  words?: readonly string[];
  /** The text before a string, where its beginning matters. */
  after?: string;
  /** The spelling of a character that is not written as it is; undefined where the format cannot write it. */
  spell(char: string): string | undefined;
}

const HEX = "[0-9a-fA-F]";

const codePoint = choice([
  `[0-9a-cA-CefEF] ${HEX}{3}`,
  `[dD] ([0-7] ${HEX}{2} | [89abAB] ${HEX}{2} "\\\\u" [dD] [c-fC-F] ${HEX}{2})`,
]);

/** JSON strings, with these letters of escapes for control characters. */
const jsonNotation = (controlLetters: string): StringNotation => ({
  open: '"',
  close: '"',
  notRaw: '"\\',
  controls: true,
  controlLetters,
  escapes: `"\\\\" (["\\\\/${controlLetters}] | "u" ${HEX}{4})`,
  // An escaped surrogate pair is one code point. A single half is excluded, since two halves would count as two.
  counted: `"\\\\" (["\\\\/${controlLetters}] | "u" ${codePoint})`,
  forbidden: [],
  spell: (char) => {
    const short = JSON.stringify(char).slice(1, -1);
    return short.length === 2 && `"\\${controlLetters}`.includes(short.charAt(1)) ? short : escapeUnit(char);
  },
});

const escapeUnit = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** JSON strings in any spelling. */
export const anyJsonStrings = jsonNotation("bfnrt");

/** JSON strings of a call. Readers doubt `\b` and `\f`, by which models mean the backslash of a pattern or formula. */
export const jsonStrings = jsonNotation("nrt");

/** JSON strings inside markup, where `<`, `&` and `'` are written as `\u00XX`. */
export const inMarkup = (strings: StringNotation): StringNotation => ({ ...strings, notRaw: "\"\\<&'" });

/** JSON strings inside raw markup, where `<` is written as `\u003c`. */
export const jsonStringsInMarkup: StringNotation = { ...jsonStrings, notRaw: '"\\<' };

/** JSON strings in a text that ends at one of these words. */
export const jsonStringsWithout = (words: readonly string[]): StringNotation =>
  words.length === 0 ? jsonStrings : { ...jsonStrings, forbidden: words.map(word), words };

const ENTITY = '"&" ("amp" | "lt" | "gt" | "quot" | "apos") ";"';
const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", '"': "&quot;" };

/** JSON strings in an element whose text has entities. */
export const xmlJsonStrings: StringNotation = {
  ...jsonStrings,
  notRaw: '"\\<&',
  escapes: `${jsonStrings.escapes} | "&" ("amp" | "lt" | "gt" | "apos") ";"`,
  counted: `${jsonStrings.counted} | "&" ("amp" | "lt" | "gt" | "apos") ";"`,
  spell: (char) => names[char === '"' ? "" : char] ?? jsonStrings.spell(char),
};

/** Text with entities, between `marks`. */
export const xmlStrings = (marks: "" | '"'): StringNotation => ({
  open: marks,
  close: marks,
  notRaw: `&<${marks}`,
  controls: false,
  escapes: marks === "" ? `${ENTITY} | "&#" [0-9]{1,3} ";"` : ENTITY,
  counted: marks === "" ? `${ENTITY} | "&#1" [03] ";"` : ENTITY,
  forbidden: [],
  spell: entity,
});

const entity = (char: string) => names[char];

/** Text as it is, up to one of these. */
export const rawText = (forbidden: readonly Forbidden[]): StringNotation => ({
  ...rawStrings("", forbidden),
  notRaw: START,
  after: START,
});

/** Text as it is, between delimiters that it does not contain. */
export const rawStrings = (mark: string, forbidden: readonly Forbidden[]): StringNotation => ({
  open: mark,
  close: mark,
  notRaw: "",
  controls: false,
  escapes: "",
  counted: "",
  forbidden: mark === "" ? forbidden : [...forbidden, word(mark)],
  words: mark === "" ? [] : [mark],
  spell: unspelt,
});

const unspelt = () => undefined;
