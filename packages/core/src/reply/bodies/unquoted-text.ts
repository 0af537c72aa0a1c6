import { type Input, LOOKAHEAD, spaceEnd } from "../input.js";
import { readWord } from "./json-words.js";

/** The longest unquoted text to wait for. */
const MAX_UNQUOTED = 1024;

const KEY = /,\s*(?:(["'])[^"']{1,64}\1|[\p{L}_$][\p{L}\p{N}_$.-]{0,63})\s*[:=]/uy;

/**
 * Where unquoted text ends that is a value, such as `{"expression": 3 * (4 + 5), "digits": 2}`: before the closing
 * bracket of its container, or before a comma. In an object (`keyed`) a key must follow the comma.
 *
 * @returns the index; false: it does not end; undefined: more input is needed.
 */
function unquotedEnd(text: string, from: number, keyed: boolean, final: boolean): number | false | undefined {
  // Text beyond the longest length is ignored, so that more input changes nothing.
  const window = text.slice(from, from + MAX_UNQUOTED);
  const isWhole = final || window.length === MAX_UNQUOTED;
  let depth = 0;
  for (let i = 0; i < window.length; i++) {
    const char = window.charAt(i);
    if (char === "<") return false;
    if (char === "(" || char === "[" || char === "{") depth++;
    else if (char === ")" || char === "]" || char === "}") {
      if (depth === 0) return from + i;
      depth--;
    } else if (char === "," && depth === 0) {
      if (!keyed) return from + i;
      KEY.lastIndex = i;
      if (KEY.test(window)) return from + i;
      if (!isWhole && window.length - i <= 2 * LOOKAHEAD) return undefined;
    }
  }
  return isWhole ? false : undefined;
}

/**
 * Where text without quotes ends whose first word ends at `wordEnd`.
 *
 * @returns the index; false: the word is alone; undefined: more input is needed.
 */
export function textGoesOn(input: Input, wordEnd: number, keyed: boolean, python = false): number | false | undefined {
  const { text, pos, final } = input;
  const next = spaceEnd(text, wordEnd);
  if (next - wordEnd > LOOKAHEAD) return false;
  if (next === text.length) return final ? false : undefined;
  if (/[,}\])"'“<]/.test(text.charAt(next))) return false;
  if (!python && text.charAt(next) === "/" && next + 1 === text.length && !final) return undefined;
  if (!python && /^\/[/*]/.test(text.slice(next, next + 2))) return false;
  // After a number or literal it begins a comment; inside text it does not.
  if (text.charAt(next) === "#" && readWord(text.slice(pos, wordEnd)).repair !== "unquoted-string") return false;
  return unquotedEnd(text, pos, keyed, final);
}
