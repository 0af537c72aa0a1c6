import { slashMarkAt } from "../comment.js";
import { type Input, isSpace, LOOKAHEAD, matchesAny, spaceEnd } from "../input.js";
import { closingQuotes, stringEnd, wordEnd } from "../json-words.js";
import { Lookahead } from "../lookahead.js";
import { Bracket, closes, isKeyed, takesArguments } from "./brackets.js";
import { isOperand, joinedString, literalEnd } from "./joined-strings.js";
import { colonIsMissing } from "./json-key.js";
import type { JsonReaderOptions } from "./json-options.js";
import { MAX_TOKEN } from "./word-limit.js";

/** The context of a string. */
export interface StringPlace {
  /** The open objects and arrays, outermost first. */
  readonly stack: readonly Bracket[];
  /** Whether the string contains an unescaped quote. */
  readonly dirty: boolean;
  readonly options: Pick<JsonReaderOptions, "closes" | "python" | "around" | "quote" | "keys" | "isListItem">;
}

/** Also full-width, as in Chinese text. */
const COLON = /[:：]/;
const COMMA = /[,，]/;
/** The beginning of a value or comment without quotation marks, or a bracket that closes. */
const PLAIN_START = /[{[(\])\-0-9tfnTFN/#]/;
const startsValue = (char: string) => closingQuotes(char) !== undefined || PLAIN_START.test(char);

/**
 * Whether the quote at `at` ends its string. It does if the text after it can follow a string: the next key, a closing
 * bracket with plausible text after it, the end.
 *
 * @example endsString(new Lookahead({ text: '", "b": 1}', final: true }), 0, place); // true
 */
export function endsString(look: Lookahead, at: number, place: StringPlace): boolean {
  return place.stack.length === 0 || stringEnds(look, at, place);
}

/** `quote`: the one that may end the string, where something else is at `at`, such as the end of a comment after it. */
function stringEnds(
  look: Lookahead,
  at: number,
  place: StringPlace,
  isJoined = false,
  quote = look.text.charAt(at),
): boolean {
  const { text } = look;
  let i = spaceEnd(text, at + 1);
  if (look.endsAt(i)) return true;
  if (!place.dirty) {
    const python = place.options.python === true;
    const joined = joinedString(look, at + 1, python);
    if (joined === text.length) return true;
    if (joined !== false) {
      const end = isJoined ? -1 : literalEnd(text, joined);
      if (end >= 0) return stringEnds(look, end - 1, place, true);
      // One more string is enough to decide.
      if (!isJoined) look.atEnd();
      return true;
    }
    if (isOperand(look, at + 1, python)) return true;
  }
  const inObject = isKeyed(place.stack.at(-1));
  switch (text.charAt(i)) {
    case ",":
    case "，":
      while (COMMA.test(text.charAt(i))) i = spaceEnd(text, i + 1);
      if (look.endsAt(i)) return true;
      return inObject ? keyFollows(look, i, place) : startsValue(text.charAt(i));
    case "}":
    case "]":
    case ")":
      return closersFollow(look, i, place);
    case "/":
      if (look.endsAt(i + 1)) return true;
      return slashMarkAt(text, i) && commentThenEnd(look, quote, i, place, isJoined);
    case "#":
      return commentThenEnd(look, quote, i, place, isJoined);
    case '"':
    case "'":
      // A comma is missing if space separates the two strings and, in an object, the second is a key.
      if (i === at + 1 || place.dirty) return false;
      return inObject ? keyFollows(look, i, place) : true;
    default:
      return markupFollows(look, i, place);
  }
}

/**
 * Whether a string ends before a comment at `from`: the comment does not contain its quote, and what follows it can follow a
 * string.
 */
function commentThenEnd(look: Lookahead, quote: string, from: number, place: StringPlace, isJoined: boolean): boolean {
  const { text } = look;
  // Searched from quote to quote, so that all searches together take linear time.
  const next = text.indexOf(quote, from);
  const before = text.slice(from, next < 0 ? undefined : next);
  const end = before.startsWith("/*") ? before.indexOf("*/", 2) + 1 : before.indexOf("\n");
  if (end > 0) return stringEnds(look, from + end, place, isJoined, quote);
  if (next < 0 && before.length < MAX_TOKEN) look.atEnd();
  return false;
}

/**
 * Whether an object or array that would end before `end` by JSON's rules also ends there by the rules of this file: it
 * does unless it ends with a string that may continue after those brackets.
 */
export function endsWhole(input: Input, end: number, { options, stack: around }: StringPlace): boolean {
  const stack = [...around];
  let i = end - 1;
  for (; ; i--) {
    const bracket = input.text.charAt(i);
    if (bracket === Bracket.Object || bracket === Bracket.Array) stack.push(bracket);
    else if (!isSpace(input.text.charCodeAt(i))) break;
  }
  return input.text.charAt(i) !== '"' || surelyEnds(input, i, { stack, dirty: false, options });
}

/** Whether it does so, whatever input follows. */
function surelyEnds(input: Input, at: number, place: StringPlace): boolean {
  const look = new Lookahead(input, at + 1 + LOOKAHEAD);
  return endsString(look, at, place) && !look.hitEnd;
}

function markupFollows(look: Lookahead, i: number, place: StringPlace): boolean {
  const { quote, closes: ends } = place.options;
  if (quote !== undefined) {
    if (look.cuts(quote, i)) return true;
    // A second mark of the format after a string that began with a quotation mark is superfluous.
    if (!place.dirty && look.has(quote, i)) return stringEnds(look, i + quote.length - 1, place, true);
  }
  return ends !== undefined && look.known(ends(look.text, i), true);
}

function keyFollows(look: Lookahead, from: number, place: StringPlace): boolean {
  const { text } = look;
  const inArguments = takesArguments(place.stack.at(-1));
  const first = text.charAt(from);
  if (closes(first, place.stack.at(-1)) || first === "/" || first === "#") return true;
  if (inArguments && text.startsWith("**", from)) return true;
  const quote = closingQuotes(first);
  const quoted = quote !== undefined;
  // An argument without a key may follow.
  if (inArguments && /["'{[(\-0-9]/.test(first)) return !place.dirty;
  const end = quoted ? stringEnd(text, from, quote) : wordEnd(text, from);
  if (end < 0 || end === text.length) {
    look.atEnd();
    return true;
  }
  const separatorAt = spaceEnd(text, end);
  if (look.endsAt(separatorAt)) return true;
  const key = quoted ? text.slice(from + 1, end - 1) : text.slice(from, end);
  const separator = text.charAt(separatorAt);
  if (inArguments ? separator !== "=" : !COLON.test(separator)) {
    // The separator of another language counts only after a quoted key, or one that is declared.
    const known = place.options.keys?.expects(key);
    const isOther = /[:=]/.test(separator) && (quoted && !place.dirty ? known !== false : known === true);
    return (
      isOther ||
      (known === true && !place.dirty && lacksMark(look, separatorAt, quoted)) ||
      (inArguments && /^(?:True|False|None)$/.test(key))
    );
  }
  // Text with unescaped quotes may itself contain `"key":`, so only a declared key counts there.
  return place.dirty || !(quoted || inArguments) ? place.options.keys?.expects(key) !== false : true;
}

/**
 * Whether a declared key lacks its colon, as in `"a" {` and `"a" 1`, or its first quote, as in `a": 1`; `at`: the first
 * character after its name.
 */
function lacksMark(look: Lookahead, at: number, quoted: boolean): boolean {
  if (quoted || !/["']/.test(look.text.charAt(at))) return colonIsMissing(look, at, quoted);
  return COLON.test(look.charAt(spaceEnd(look.text, at + 1)));
}

function closersFollow(look: Lookahead, from: number, place: StringPlace): boolean {
  const { text } = look;
  let open = place.stack.length;
  let i = from;
  let exact = !place.dirty;
  let listIsOpen = place.options.isListItem === true;
  for (; i < text.length; i = spaceEnd(text, i + 1)) {
    const char = text.charAt(i);
    if (open === 0 && listIsOpen && char === "]") {
      listIsOpen = false;
      continue;
    }
    const endsQuoted = place.stack[open - 1] === Bracket.Quoted && closes(char, Bracket.Quoted);
    if (!endsQuoted && !/[}\])]/.test(char)) break;
    exact &&= closes(char, place.stack[open - 1]);
    // JSON has no parentheses: this one is text.
    if (char === ")" && !place.stack.some((bracket) => closes(char, bracket))) return false;
    while (open > 0 && !closes(char, place.stack[open - 1])) open--;
    if (open > 0) open--;
  }
  if (look.endsAt(i)) return true;
  const next = text.charAt(i);
  if (COMMA.test(next)) return open > 0 ? commaFollows(look, i) : true;
  if (/[/#]/.test(next)) return true;
  if (next === "{" && open > 0 && !isKeyed(place.stack[open - 1])) return exact;
  if (open === 0 && look.known(matchesAny(text, i, place.options.around ?? []), true)) return true;
  const ends = place.options.closes?.(text, i);
  if (exact && open > 0 && place.options.python && isOperand(look, i, true)) return true;
  if (open > 0 || ends) return markupFollows(look, i, place);
  // After exactly the open brackets, the answer may continue.
  if (exact && open === 0 && /[\p{L};]/u.test(next)) return true;
  if (!/["'`;\p{L}\p{N}\\)]/u.test(next) || (i > from + 1 && isSpace(text.charCodeAt(i - 1)))) return true;
  if (place.options.closes && ends === undefined) look.atEnd();
  return false;
}

/** Whether another value or key begins after closing brackets and a comma. */
function commaFollows(look: Lookahead, comma: number): boolean {
  const i = spaceEnd(look.text, comma + 1);
  return look.endsAt(i) || startsValue(look.charAt(i)) || /[}\p{L}_]/u.test(look.charAt(i));
}
