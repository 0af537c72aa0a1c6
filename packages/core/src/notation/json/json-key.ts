import { type Input, LOOKAHEAD, matchesAt, spaceEnd } from "../input.js";
import { stringEnd } from "../json-words.js";
import type { Lookahead } from "../lookahead.js";

/** Whether a quoted key and its colon are at an index. */
export function startsKey(look: Lookahead, at: number, quote: string): boolean {
  const window = look.text.slice(at, at + LOOKAHEAD);
  const end = stringEnd(window, 0, quote);
  const colon = end < 0 ? window.length : spaceEnd(window, end);
  if (colon === window.length && colon < LOOKAHEAD) look.atEnd();
  return window.charAt(colon) === ":";
}

/**
 * The key at the current position between the marks that delimit strings in a format; false: no such mark is here.
 * `end`: the index after it, or -1 if its end was not received.
 */
export function markedKey({ text, pos, final }: Input, mark: string): { key: string; end: number } | false {
  const stands = matchesAt(text, pos, mark);
  if (stands === undefined && !final) return { key: "", end: -1 };
  if (!stands) return false;
  const from = pos + mark.length;
  const at = text.indexOf(mark, from);
  return { key: text.slice(from, Math.max(from, at)), end: at < 0 ? -1 : at + mark.length };
}
