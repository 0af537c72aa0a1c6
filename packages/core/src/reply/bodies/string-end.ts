import { type Input, isSpace, LOOKAHEAD, spaceEnd, standsAt, standsFirst } from "../input.js";
import { Bracket, closes, isKeyed } from "./brackets.js";
import { isOperand, joinedString, literalEnd } from "./joined-strings.js";
import type { JsonReaderOptions } from "./json-options.js";
import { closingQuote, stringEnd, wordEnd } from "./json-words.js";

/** Where a string stands. */
interface StringPlace {
  /** The open objects and arrays, outermost first. */
  readonly stack: readonly Bracket[];
  /** The string holds an unescaped quote already. */
  readonly dirty: boolean;
  readonly sink: { expects?(key: string): boolean | undefined };
  readonly options: Pick<JsonReaderOptions, "closes" | "python" | "around" | "quote">;
}

/** The answer when the text ends too soon: yes when there is no more to wait for, else not known. */
type Unknown = true | undefined;

const VALUE_START = /["'{[(\])\-0-9tfnTFN/]/;

/**
 * Whether the quote at `at` ends its string. It does if what follows can follow a string: the next key, a closing
 * bracket that leads on to something sensible, the end. Undefined: more input is needed; after LOOKAHEAD
 * characters it is taken for the end.
 */
export function endsString(input: Input, at: number, place: StringPlace): boolean | undefined {
  if (place.stack.length === 0) return true;
  const limit = at + 1 + LOOKAHEAD;
  const text = input.text.length > limit ? input.text.slice(0, limit) : input.text;
  const unknown = input.final || input.text.length >= limit ? true : undefined;
  return stringEnds(text, at, unknown, place);
}

function stringEnds(
  text: string,
  at: number,
  unknown: Unknown,
  place: StringPlace,
  isJoined = false,
): boolean | undefined {
  let i = spaceEnd(text, at + 1);
  if (i >= text.length) return unknown;
  if (!place.dirty) {
    const python = place.options.python === true;
    const joined = joinedString(text, at + 1, python);
    if (joined === undefined) return unknown;
    if (joined !== false) {
      const end = isJoined ? -1 : literalEnd(text, joined);
      // One string further is enough to tell.
      return end < 0 ? isJoined || unknown : stringEnds(text, end - 1, unknown, place, true);
    }
    const operand = isOperand(text, at + 1, python);
    if (operand) return true;
    if (operand === undefined && (python || unknown === undefined)) return unknown;
  }
  const inObject = isKeyed(place.stack.at(-1));
  switch (text.charAt(i)) {
    case ",":
      while (text.charAt(i) === ",") i = spaceEnd(text, i + 1);
      if (i >= text.length) return unknown;
      return inObject ? keyFollows(text, i, unknown, place) : VALUE_START.test(text.charAt(i));
    case "}":
    case "]":
    case ")":
      return closersFollow(text, i, unknown, place);
    case "/":
      return i + 1 >= text.length ? unknown : /[/*]/.test(text.charAt(i + 1));
    case "#": {
      // A comment of Python's goes on to the end of its line, and behind that the object does.
      const line = text.indexOf("\n", i);
      if (text.slice(i, line < 0 ? undefined : line).includes('"')) return false;
      if (line < 0) return unknown === undefined ? undefined : false;
      return stringEnds(text, line, unknown, place, isJoined);
    }
    case '"':
    case "'":
      // A comma is missing, if space stands between the two strings and, in an object, the second is a key.
      if (i === at + 1 || place.dirty) return false;
      return inObject ? keyFollows(text, i, unknown, place) : true;
    default:
      return markupFollows(text, i, unknown, place);
  }
}

/**
 * Whether an object or array that would end before `end` by JSON's rules ends there by these as well: it does unless the
 * string that it ends with, if it does, may go on behind those brackets.
 */
export function endsWhole(input: Input, end: number, { sink, options, stack: around }: StringPlace): boolean {
  const stack = [...around];
  let i = end - 1;
  for (; isSpace(input.text.charCodeAt(i)) || /[}\]]/.test(input.text.charAt(i)); i--) {
    const bracket = input.text.charAt(i);
    if (bracket === Bracket.Object || bracket === Bracket.Array) stack.push(bracket);
  }
  return input.text.charAt(i) !== '"' || endsString(input, i, { stack, dirty: false, sink, options }) === true;
}

function markupFollows(text: string, i: number, unknown: Unknown, place: StringPlace): boolean | undefined {
  const { quote } = place.options;
  const extra = quote === undefined ? false : standsAt(text, i, quote);
  if (extra === undefined) return unknown;
  // A mark of the format's own after a string that began with a quotation mark is one too many.
  if (extra && !place.dirty) return stringEnds(text, i + quote!.length - 1, unknown, place, true);
  const closes = place.options.closes?.(text, i);
  return closes ?? (place.options.closes ? unknown : false);
}

function keyFollows(text: string, from: number, unknown: Unknown, place: StringPlace): boolean | undefined {
  const inArguments = place.stack.at(-1) === Bracket.Arguments;
  const first = text.charAt(from);
  if (closes(first, place.stack.at(-1)) || first === "/" || first === "#") return true;
  if (inArguments && text.startsWith("**", from)) return true;
  const quote = closingQuote(first);
  const quoted = quote !== undefined;
  // An argument without a key may follow.
  if (inArguments && /["'{[(\-0-9]/.test(first)) return !place.dirty;
  const end = quoted ? stringEnd(text, from, quote) : wordEnd(text, from);
  if (end < 0 || end === text.length) return end === from ? false : unknown;
  const sign = spaceEnd(text, end);
  if (sign >= text.length) return unknown;
  const key = quoted ? text.slice(from + 1, end - 1) : text.slice(from, end);
  if (text.charAt(sign) !== (inArguments ? "=" : ":")) return inArguments && /^(?:True|False|None)$/.test(key);
  // Text with unescaped quotes may itself hold `"key":`, so there only a key that the schema knows counts.
  return place.dirty || !(quoted || inArguments) ? place.sink.expects?.(key) !== false : true;
}

function closersFollow(text: string, from: number, unknown: Unknown, place: StringPlace): boolean | undefined {
  let open = place.stack.length;
  let i = from;
  let exact = !place.dirty;
  for (; i < text.length; i = spaceEnd(text, i + 1)) {
    const char = text.charAt(i);
    if (!/[}\])]/.test(char)) break;
    exact &&= closes(char, place.stack[open - 1]);
    // A parenthesis closes nothing in JSON: it is text.
    if (char === ")" && !place.stack.some((bracket) => closes(char, bracket))) return false;
    while (open > 0 && !closes(char, place.stack[open - 1])) open--;
    if (open > 0) open--;
  }
  if (i >= text.length) return unknown;
  const next = text.charAt(i);
  if (next === ",") return open > 0 ? commaFollows(text, i, unknown) : true;
  if (next === "/") return true;
  const around = open > 0 ? false : standsFirst(place.options.around ?? [], text, i);
  if (around !== false) return around ?? unknown;
  const ends = place.options.closes?.(text, i);
  if (exact && open > 0 && place.options.python) {
    const operand = isOperand(text, i, true);
    if (operand !== false) return operand ?? unknown;
  }
  if (open > 0 || ends) return markupFollows(text, i, unknown, place);
  // Behind exactly the brackets that are open the answer may go on.
  if (exact && open === 0 && (place.options.python ? /[\p{L};]/u : /\p{L}/u).test(next)) return true;
  const isSensible = !/["'`;\p{L}\p{N}\\)]/u.test(next) || (i > from + 1 && isSpace(text.charCodeAt(i - 1)));
  const mayEnd = ends === undefined && place.options.closes !== undefined && unknown === undefined;
  return isSensible || (mayEnd ? undefined : false);
}

/** After closing brackets and a comma, something must begin. */
function commaFollows(text: string, comma: number, unknown: Unknown): boolean | undefined {
  const i = spaceEnd(text, comma + 1);
  return i >= text.length ? unknown : VALUE_START.test(text.charAt(i)) || /[}\p{L}_]/u.test(text.charAt(i));
}
