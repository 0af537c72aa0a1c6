import { PLAIN_NAME } from "../../schema/names.js";
import { type Input, LOOKAHEAD, spaceEnd } from "../input.js";
import { Lookahead } from "../lookahead.js";

const PLAIN = "(?:-?\\d+(?:\\.\\d+)?|true|false|null)";
const IS_PLAIN = new RegExp(`^${PLAIN}$`);
const ENDS_PLAIN = new RegExp(`(?<![\\w.+-])${PLAIN}[\\s\\]}]*$`);

/** A bracket or tag, or a name before one or before a colon: what a call begins with. */
const BEGINS = /^(?:[{[<]|[\p{L}_][\p{L}\p{N}_.-]*[[({<:])/u;

/** Whether a word is a number or literal. */
export const isPlain = (word: string): boolean => IS_PLAIN.test(word);

/** Whether the last value in an object or list is a number or literal. */
export const endsPlain = (source: string): boolean => ENDS_PLAIN.test(source.slice(-LOOKAHEAD));

/** Whether the marker of another value comes next, and after it what a call begins with. `more`: more input is needed. */
export function nextBegins(input: Input, opener: string | undefined): boolean | "more" {
  const { text, pos } = input;
  const look = new Lookahead(input);
  if (opener === undefined || !look.has(opener, pos)) return look.hitEnd && "more";
  const next = spaceEnd(text, pos + opener.length);
  if (next - pos > LOOKAHEAD) return false;
  if (look.endsAt(next)) return look.hitEnd && "more";
  const begin = text.slice(next, next + LOOKAHEAD);
  if (BEGINS.test(begin)) return true;
  return begin.length < LOOKAHEAD && PLAIN_NAME.test(begin) && !look.isWhole && "more";
}
