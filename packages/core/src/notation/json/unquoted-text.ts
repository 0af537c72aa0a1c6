import { slashMarkAt } from "../comment.js";
import { LOOKAHEAD, spaceEnd } from "../input.js";
import { readWord } from "../json-words.js";
import type { Lookahead } from "../lookahead.js";
import { isExpression } from "../python/python-expression.js";

/** The longest unquoted text to wait for. */
const MAX_UNQUOTED = 1024;

const KEY = /[,，]\s*(?:(["'])[^"']{1,64}\1|[\p{L}_$][\p{L}\p{N}_$.-]{0,63})\s*[:=：]/uy;

/**
 * Where unquoted text ends that is a value, such as `{"expression": 3 * (4 + 5), "digits": 2}`: before the closing
 * bracket of its container, or before a comma. In an object (`keyed`) a key must follow the comma.
 *
 * @returns the index; false: it does not end.
 */
function unquotedEnd(look: Lookahead, from: number, keyed: boolean): number | false {
  // Text beyond the longest length is ignored, so that more input changes nothing.
  const window = look.text.slice(from, from + MAX_UNQUOTED);
  const isWhole = window.length === MAX_UNQUOTED;
  let depth = 0;
  for (let i = 0; i < window.length; i++) {
    const char = window.charAt(i);
    if (char === "<") return false;
    if (char === "(" || char === "[" || char === "{") depth++;
    else if (char === ")" || char === "]" || char === "}") {
      if (depth === 0) return from + i;
      depth--;
    } else if ((char === "," || (keyed && char === "，")) && depth === 0) {
      if (!keyed) return from + i;
      KEY.lastIndex = i;
      if (KEY.test(window)) return from + i;
      if (!isWhole && window.length - i <= 2 * LOOKAHEAD && !look.isWhole) break;
    }
  }
  if (!isWhole) look.atEnd();
  return false;
}

/**
 * Where text without quotes ends that begins with the word from `from` to `wordEnd`.
 *
 * @returns the index; false: the word is alone.
 * @example textGoesOn(new Lookahead({ text: "New York}", final: true }), 0, 3, true); // 8
 */
export function textGoesOn(
  look: Lookahead,
  from: number,
  wordEnd: number,
  keyed: boolean,
  python = false,
): number | false {
  const { text } = look;
  const next = spaceEnd(text, wordEnd);
  if (next - wordEnd > LOOKAHEAD) return false;
  if (look.endsAt(next)) return false;
  if (/[,}\])"'“<]/.test(text.charAt(next)) && !isApostrophe(look, from, wordEnd)) return false;
  if (!python && text.charAt(next) === "/") look.endsAt(next + 1);
  if (!python && slashMarkAt(text, next)) return false;
  // After a number or literal it begins a comment; inside text it does not.
  if (text.charAt(next) === "#" && readWord(text.slice(from, wordEnd)).repair !== "unquoted-string") return false;
  return unquotedEnd(look, from, keyed);
}

/** The prefixes of strings in Python. */
const PREFIX = /^(?:[bfru]|br|fr|rb|rf)$/i;

/** Whether a word goes on at an index with an apostrophe, as in `I'm`, and is not the prefix of a string in Python. */
function isApostrophe(look: Lookahead, from: number, at: number): boolean {
  if (look.text.charAt(at) !== "'" || look.endsAt(at + 1) || PREFIX.test(look.text.slice(from, at))) return false;
  return /\p{L}/u.test(look.text.charAt(at + 1));
}

/** What is code wherever it stands, in JavaScript. */
const SCRIPT = /\$\{|^[a-z_$][\w$.]*\?\.\w|^new\s+[\w.]+\(.*\)$/;

/** Parts of an expression that text hardly has: `f(`, `a[`, `a+b`, `...`; other operators only between spaces. */
const OPERATION = /[\w$)\]](?:[([]|(\s?)[+*%]\1[\w([]|\s[-/&|^>]\s)|\.{3}/;

/**
 * Whether a value without quotes is code, whose value is unknown: a call, an index, an operation with names, an ellipsis, or
 * a member that is named like an argument. Other names joined by points are text (`example.com`), and so are names joined
 * by words (`cats and dogs`) and numbers without names (`3 * (4 + 5)`).
 *
 * @example isCode("users[0]", () => false); // true
 */
export function isCode(text: string, declares: (key: string) => boolean): boolean {
  if (SCRIPT.test(text) || declares(/^\w[\w.]*\.(\w+)$/.exec(text)?.[1] ?? "")) return true;
  const python = text.replace(/&&|\|\||=>|[=!]==?/g, "|");
  return OPERATION.test(python) && /[a-z]|\.{3}/i.test(python) && isExpression(python, () => false);
}

/** Text whose closing quote has no opening one. */
export const CLOSED = /^([^"]*[^"\d])"$/;
/** A quotation mark, as opposed to an apostrophe. */
export const QUOTED = /["“”]|(?:^|[\s:=([{,])'/;
