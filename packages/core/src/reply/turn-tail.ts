import { isSpace, LOOKAHEAD } from "../notation/input.js";
import { splitsPair } from "../notation/text-pieces.js";
import { turnEndTokens } from "../syntax/turn-tokens.js";

// Servers that do not know a token leave it at the end of the reply. There it means nothing but the end, whatever is open: a
// call, an argument, the reasoning. So it is not read until more text follows it.

/** The most tokens in a row that are taken together. */
const MAX_TOKENS = 8;

/** The tokens by their last character. */
const byLast = new Map<string, string[]>();
for (const token of turnEndTokens) byLast.set(token.slice(-1), [...(byLast.get(token.slice(-1)) ?? []), token]);

const beginnings = new Set(turnEndTokens.flatMap((token) => [...token].slice(1).map((_, i) => token.slice(0, i + 1))));

/** A character that every token, and every beginning of one, has; and how near to the end of the text one is. */
const BRACKET = /[<[]/;
const NEAR = 2 * LOOKAHEAD;

/** Where the tokens begin that a text ends with, each with the space after it. */
function tokensBefore(text: string, end: number): number {
  let from = end;
  for (let count = 0; count < MAX_TOKENS; count++) {
    let last = from;
    while (last > 0 && from - last < LOOKAHEAD && isSpace(text.charCodeAt(last - 1))) last--;
    const token = byLast.get(text.charAt(last - 1))?.find((each) => text.endsWith(each, last));
    if (token === undefined) return from;
    from = last - token.length;
  }
  return from;
}

/**
 * Where the end of a text begins that is not read until more text follows: tokens that end a turn, the beginning of another
 * one, or half of a surrogate pair. The length of the text if there is no such end.
 *
 * @example tailStart("Hi<|im_end|>\n</"); // 2
 */
export function tailStart(text: string): number {
  if (splitsPair(text, text.length)) return text.length - 1;
  const near = text.length > NEAR ? text.slice(-NEAR) : text;
  if (!BRACKET.test(near)) return text.length;
  const end = tokensBefore(text, text.length);
  if (end < text.length) return end;
  const cut = cutLength(near);
  return cut === 0 ? end : tokensBefore(text, text.length - cut);
}

/** The length of the beginning of a token at the end of a text. */
function cutLength(text: string): number {
  const from = Math.max(text.lastIndexOf("<"), text.lastIndexOf("["));
  return from >= 0 && beginnings.has(text.slice(from)) ? text.length - from : 0;
}

/** Whether a text consists of tokens that end a turn. */
export const isTurnEnd = (text: string): boolean => text !== "" && tokensBefore(text, text.length) === 0;
