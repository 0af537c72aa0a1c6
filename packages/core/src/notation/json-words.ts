import type { RepairCode } from "../types.js";
import { slashMarkAt } from "./comment.js";
import { NUMERIC } from "./numbers.js";

/** The value of an unquoted word; `repair`: strict JSON does not allow it. A number may be rounded, or infinite. */
export function readWord(word: string): { value: number | boolean | null | string; repair?: RepairCode } {
  const literal = literals.get(word);
  if (literal !== undefined) return literal;
  // Adding 0 turns -0 into 0, because JSON writers do not keep -0.
  if (JSON_NUMBER.test(word)) return { value: Number(word) + 0 };
  if (NUMERIC.test(word)) return { value: Number(word) + 0, repair: "number-spelling" };
  return { value: word, repair: "unquoted-string" };
}

/** A number of JSON. */
export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** With a base, or with underscores between the digits. */
const PYTHON_NUMBER =
  /^([+-]?)(0(?:x(?:_?[\da-f])+|o(?:_?[0-7])+|b(?:_?[01])+)|(?:0|[1-9](?:_?\d)*)(?:\.(?:\d(?:_?\d)*)?)?(?:e[+-]?\d+)?)$/i;

/**
 * A number in a notation that Python has and JSON lacks, and its source: as written or, where a JavaScript number
 * cannot represent it, without underscores. Undefined for any other word.
 *
 * @example readPythonNumber("0x10"); // { value: 16, source: "0x10" }
 */
export function readPythonNumber(word: string): { value: number; source: string } | undefined {
  const [, sign = "", digits] = PYTHON_NUMBER.exec(word) ?? [];
  if (digits === undefined) return undefined;
  const plain = digits.replaceAll("_", "");
  const value = Number(plain) * (sign === "-" ? -1 : 1) + 0;
  return { value, source: Math.abs(value) <= Number.MAX_SAFE_INTEGER ? word : sign + plain };
}

const literals = new Map<string, { value: boolean | null; repair?: RepairCode }>([
  ["true", { value: true }],
  ["false", { value: false }],
  ["null", { value: null }],
  ["True", { value: true, repair: "python-literal" }],
  ["False", { value: false, repair: "python-literal" }],
  ["None", { value: null, repair: "python-literal" }],
  ["undefined", { value: null, repair: "literal-spelling" }],
]);

/** The value of a strict JSON string, given the text between its quotes; undefined if it is not strict JSON. */
export function parseString(raw: string): string | undefined {
  if (!ESCAPED.test(raw)) return raw;
  if (CONTROL.test(raw)) return undefined;
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return undefined;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 forbids exactly these in strings.
const CONTROL = /[\u0000-\u001f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, and the backslash.
const ESCAPED = /[\u0000-\u001f\\]/;

/**
 * The text of a string, given its source between the quotes. Spellings that are not JSON are read by their evident
 * meaning. Python keeps a backslash that escapes nothing, and has octal numbers.
 */
export function unquote(raw: string, quote: string, repaired: (code: RepairCode) => void, python = false): string {
  const strict = quote === '"' ? parseString(raw) : undefined;
  return strict ?? loosely(raw, quote, repaired, python);
}

function loosely(raw: string, quote: string, repaired: (code: RepairCode) => void, python: boolean): string {
  // Python's triple quotes allow them.
  const control = quote.length === 1 ? raw.search(CONTROL) : -1;
  let invalid = -1;
  const decoded = raw.replace(ESCAPED_PART, (whole, escaped: string | undefined, at: number) => {
    if (escaped === undefined) return whole;
    const plain = escapes[escaped];
    if (plain !== undefined) return plain;
    const isOctal = escaped.length > 2 && /^\d/.test(escaped);
    if (isOctal && python) return String.fromCharCode(Number.parseInt(escaped, 8));
    if (escaped.length > 2 && !isOctal)
      return String.fromCodePoint(Number.parseInt(escaped.slice(escaped.charAt(1) === "{" ? 2 : 1), 16));
    if (invalid < 0 && escaped !== quote && !(python && escaped === "'")) invalid = at;
    // Python joins such lines. A text that has its line breaks as they are, such as a program, has its backslashes so, too.
    if (escaped === "\n" && python) return "";
    // A backslash that escapes nothing is literal, as in a path, a pattern or a formula. Before these characters it
    // comes from another language: a quote or dollar escaped in a shell, an underscore in Markdown.
    return escaped === quote || (python ? "'_" : "'`_$").includes(escaped) ? escaped : whole;
  });
  // In source order, so that the repairs do not depend on the chunks.
  const isLater = invalid >= 0 && invalid < control;
  if (control >= 0 && !isLater) repaired("control-character");
  if (invalid >= 0) repaired("invalid-escape");
  if (isLater) repaired("control-character");
  return decoded;
}

/**
 * The escapes of more than one character after the backslash: `\u0041` is JSON's, `\u{1F600}` JavaScript's, the others
 * Python's.
 */
const LONG =
  "u[\\da-fA-F]{4}|u\\{(?:10|0?[\\da-fA-F])?[\\da-fA-F]{4}\\}|U(?:0010|000[\\da-fA-F])[\\da-fA-F]{4}|x[\\da-fA-F]{2}|[0-3][0-7]{2}";
const ESCAPED_PART = new RegExp(`\\\\(${LONG}|[\\s\\S])?`, "g");
const ESCAPE = new RegExp(`\\\\(?:${LONG}|[\\ud800-\\udbff][\\udc00-\\udfff]|[\\s\\S])`, "y");

/** Spells the source between quotes as JSON. Valid JSON stays unchanged, whatever the chunks. */
export function respell(raw: string, quote: string, python = false): string {
  return raw.replace(RESPELT, (part) =>
    JSON_ESCAPE.test(part) ? part : JSON.stringify(loosely(part, quote, () => {}, python)).slice(1, -1),
  );
}

const JSON_ESCAPE = /^\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])$/;
const RESPELT = new RegExp(`${ESCAPE.source}|${CONTROL.source}|["\\\\]`, "g");

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

/** The number of characters needed to know the length of the escape at an index. */
export function longestEscape(text: string, at: number): number {
  const code = text.charCodeAt(at + 1);
  if (code === 0x75 /* u */) return text.charAt(at + 2) === "{" ? 10 : 6;
  if (code === 0x55 /* U */) return text.charAt(at + 2) === "0" ? 10 : 2;
  if (code === 0x78 /* x */ || (code >= 0x30 && code <= 0x33) /* 0 to 3 */) return 4;
  return code >= 0xd800 && code < 0xdc00 ? 3 : 2;
}

/**
 * The length of the escape at an index: `\u0041`, `\U0001F600`, `\x41`, `\101` (octal, in Python), or the backslash with one
 * character.
 */
export function escapeLength(text: string, at: number): number {
  if (at + 1 < text.length && longestEscape(text, at) === 2) return 2;
  ESCAPE.lastIndex = at;
  return ESCAPE.exec(text)?.[0].length ?? 1;
}

/** The characters that close what a quote opens, the usual one first; undefined: it does not open a string or key. */
export const closingQuotes = (char: string): string | undefined => (char === "`" ? char : QUOTATION_MARKS[char]);

/** The repair code for quotes other than double quotes. */
export const quotesRepair = (quotes: string): RepairCode =>
  quotes === "'" ? "single-quotes" : quotes.length > 2 ? "triple-quotes" : "other-quotes";

/** Quotation marks of prose that may be around a string or key too, each with those that close it. */
export const QUOTATION_MARKS: Record<string, string> = {
  ...{ '"': '"', "'": "'", "“": '”"', "„": '“”"', "”": "”", "‘": "’'", "«": "»", "‹": "›", "「": "」", "『": "』" },
  ...{ "＂": "＂", "″": "″", "´": "´" },
};

/** The index after the quote, one of `quotes`, that ends the string which begins at `from`, or -1. */
export function stringEnd(text: string, from: number, quotes: string): number {
  for (let i = from + 1; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === "\\") i++;
    else if (quotes.includes(char)) return i + 1;
  }
  return -1;
}

/** Whether a comment can follow the word directly. In text such as a path or a URL, the comment's character is text. */
const endsWord = (word: string): boolean => word === "" || readWord(word).repair !== "unquoted-string";

/** The index where an unquoted key or value ends: at a character of JSON or markup, at space, at a comment. */
export function wordEnd(text: string, from: number): number {
  let i = from;
  while (i < text.length) {
    const char = text.charAt(i);
    if (/[\s:,=(){}[\]"'“”`<>：，]/.test(char)) break;
    if (char === "/" && slashMarkAt(text, i) && endsWord(text.slice(from, i))) break;
    i++;
  }
  return i;
}
