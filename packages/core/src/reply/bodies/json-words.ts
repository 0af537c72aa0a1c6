/** The value of a word without quotes; `repair`: strict JSON does not allow it. A number may be rounded, or infinite. */
export function readWord(word: string): { value: number | boolean | null | string; repair?: string } {
  const literal = literals.get(word);
  if (literal !== undefined) return literal;
  // Adding 0 turns -0, which JSON's writers do not keep, into 0.
  if (NUMBER.test(word)) return { value: Number(word) + 0 };
  if (LOOSE_NUMBER.test(word)) return { value: Number(word) + 0, repair: "number-spelling" };
  return { value: word, repair: "unquoted-string" };
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const LOOSE_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** With a base, or with underscores between its digits. */
const PYTHON_NUMBER =
  /^([+-]?)(0(?:x(?:_?[\da-f])+|o(?:_?[0-7])+|b(?:_?[01])+)|(?:0|[1-9](?:_?\d)*)(?:\.(?:\d(?:_?\d)*)?)?(?:e[+-]?\d+)?)$/i;

/**
 * A number in a notation that Python has and JSON has not, and its source: as it is written or, where no number keeps it,
 * without underscores. Undefined for any other word.
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
 * The text meant by what stands between quotes; what is not JSON's spelling is taken for what it must mean. Python
 * keeps a backslash that escapes nothing.
 */
export function unquote(raw: string, quote: string, repaired: (code: string) => void, python = false): string {
  const strict = quote === '"' ? parseString(raw) : undefined;
  return strict ?? loosely(raw, quote, repaired, python);
}

function loosely(raw: string, quote: string, repaired: (code: string) => void, python: boolean): string {
  // Python's triple quotes allow them.
  const control = quote.length === 1 ? raw.search(CONTROL) : -1;
  let invalid = -1;
  const meant = raw.replace(
    /\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\s\S])?/g,
    (whole, sign: string | undefined, at: number) => {
      if (sign === undefined) return whole;
      const plain = escapes[sign];
      if (plain !== undefined) return plain;
      if (sign.length > 2) return String.fromCharCode(Number.parseInt(sign.slice(1), 16));
      if (invalid < 0 && sign !== quote && !(python && sign === "'")) invalid = at;
      if (sign === "\n") return "";
      // A backslash that escapes nothing is one, as in a path, a pattern or a formula. Before these signs it was put for
      // another language: a quote or price in a shell's text, Markdown's underscore.
      return sign === quote || (python ? "'_" : "'`_$").includes(sign) ? sign : whole;
    },
  );
  // In the order of the text, so that they are the same in whatever pieces it comes.
  const isLater = invalid >= 0 && invalid < control;
  if (control >= 0 && !isLater) repaired("control-character");
  if (invalid >= 0) repaired("invalid-escape");
  if (isLater) repaired("control-character");
  return meant;
}

const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\ud800-\udbff][\udc00-\udfff]|[\s\S])/y;

/** What stands between quotes, as JSON spells it: what JSON would have is left as it is, in whatever pieces it comes. */
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

/** How much of an escape must be there to tell its length, by the character behind the backslash. */
export function longestEscape(code: number): number {
  if (code === 0x75 /* u */) return 6;
  if (code === 0x78 /* x */) return 4;
  return code >= 0xd800 && code < 0xdc00 ? 3 : 2;
}

/** The length of the escape at an index: `\uXXXX`, `\xXX`, or the backslash with one character. */
export function escapeLength(text: string, at: number): number {
  ESCAPE.lastIndex = at;
  return ESCAPE.exec(text)?.[0].length ?? 1;
}

/** What closes a string or key that this sign opens; undefined: it opens none. */
export const closingQuote = (char: string): string | undefined => CLOSING[char];

/** What it is to use other quotes than JSON's. */
export const quotesRepair = (quotes: string): string =>
  quotes === "'" ? "single-quotes" : quotes.length > 1 ? "triple-quotes" : "other-quotes";

const CLOSING: Record<string, string> = { '"': '"', "'": "'", "“": "”", "`": "`" };

/** The index after the quote that ends a string which begins at `from`, or -1. */
export function stringEnd(text: string, from: number, quote: string): number {
  for (let i = from + 1; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === "\\") i++;
    else if (char === quote) return i + 1;
  }
  return -1;
}

/** Whether a comment can follow at once: in text, such as a path or a URL, its sign is text. */
const endsWord = (word: string): boolean => word === "" || readWord(word).repair !== "unquoted-string";

/** The index where an unquoted key or value ends: at a sign of JSON's or of markup, at space, at a comment. */
export function wordEnd(text: string, from: number): number {
  let i = from;
  while (i < text.length) {
    const char = text.charAt(i);
    if (/[\s:,=(){}[\]"'“”`<>]/.test(char)) break;
    if (char === "/" && /[/*]/.test(text.charAt(i + 1)) && endsWord(text.slice(from, i))) break;
    i++;
  }
  return i;
}
