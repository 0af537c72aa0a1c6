import { LOOKAHEAD, spaceEnd } from "../input.js";
import type { Lookahead } from "../lookahead.js";

const PLAIN = "(?:-?\\d+(?:\\.\\d+)?|true|false|null)";
const IS_PLAIN = new RegExp(`^${PLAIN}$`);
const ENDS_PLAIN = new RegExp(`(?<![\\w.+-])${PLAIN}[\\s\\]}]*$`);

/** Whether a word is a number or literal. */
export const isPlain = (word: string): boolean => IS_PLAIN.test(word);

/** Whether the last value in an object or list is a number or literal. */
export const endsPlain = (source: string): boolean => ENDS_PLAIN.test(source.slice(-LOOKAHEAD));

/** Whether the marker of another value is at an index, and after it what a call begins with. */
export function nextBegins(look: Lookahead, at: number, opener: string): boolean {
  if (!look.has(opener, at)) return false;
  const next = spaceEnd(look.text, at + opener.length);
  return next - at <= LOOKAHEAD && !look.endsAt(next) && /[{[\p{L}_<]/u.test(look.text.charAt(next));
}
