import { choice } from "../rules.js";
import { type Forbidden, word } from "./forbidden.js";

/** How strings are written in a format: what stands around them, and how the signs inside are spelt. */
export interface StringSigns {
  open: string;
  close: string;
  /** Signs that never stand as they are. */
  notRaw: string;
  /** Control characters never stand as they are. */
  controls: boolean;
  /** Other ways to write one UTF-16 unit, as an expression; empty: there are none. */
  escapes: string;
  /** Other ways to write one code point. */
  counted: string;
  /** What must not stand inside. */
  forbidden: readonly Forbidden[];
  /** Those of them that are words: a constant that holds one is spelt otherwise. */
  words?: readonly string[];
  /** One sign that does not stand as it is, spelt; undefined where it cannot be written. */
  spell(char: string): string | undefined;
}

const HEX = "[0-9a-fA-F]";

const codePoint = choice([
  `[0-9a-cA-CefEF] ${HEX}{3}`,
  `[dD] ([0-7] ${HEX}{2} | [89abAB] ${HEX}{2} "\\\\u" [dD] [c-fC-F] ${HEX}{2})`,
]);

/** Strings of JSON. */
export const jsonSigns: StringSigns = {
  open: '"',
  close: '"',
  notRaw: '"\\',
  controls: true,
  escapes: `"\\\\" (["\\\\/bfnrt] | "u" ${HEX}{4})`,
  // An escaped surrogate pair is one code point; half of one is left out, since two halves would count as two.
  counted: `"\\\\" (["\\\\/bfnrt] | "u" ${codePoint})`,
  forbidden: [],
  spell: (char) => (char === '"' || char === "\\" || char < " " ? JSON.stringify(char).slice(1, -1) : escapeUnit(char)),
};

const escapeUnit = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Strings of JSON inside markup, where `<`, `&` and `'` are spelt `\u00XX`. */
export const markupSigns: StringSigns = { ...jsonSigns, notRaw: "\"\\<&'" };

/** Strings of JSON among raw markup, where `<` is spelt `\u003c`. */
export const jsonSignsInMarkup: StringSigns = { ...jsonSigns, notRaw: '"\\<' };

/** Strings of JSON in a text that ends where one of these words stands. */
export const jsonSignsWithout = (words: readonly string[]): StringSigns =>
  words.length === 0 ? jsonSigns : { ...jsonSigns, forbidden: words.map(word), words };

const ENTITY = '"&" ("amp" | "lt" | "gt" | "quot" | "apos") ";"';
const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", '"': "&quot;" };

/** Strings of JSON in an element whose text has entities. */
export const xmlJsonSigns: StringSigns = {
  ...jsonSigns,
  notRaw: '"\\<&',
  escapes: `${jsonSigns.escapes} | "&" ("amp" | "lt" | "gt" | "apos") ";"`,
  counted: `${jsonSigns.counted} | "&" ("amp" | "lt" | "gt" | "apos") ";"`,
  spell: (char) => names[char === '"' ? "" : char] ?? jsonSigns.spell(char),
};

/** Text that has entities; `marks` stand around it. */
export const xmlSigns = (marks: "" | '"'): StringSigns => ({
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

/** Text as it is, between marks that do not stand in it. */
export const rawSigns = (mark: string, forbidden: readonly Forbidden[]): StringSigns => ({
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
