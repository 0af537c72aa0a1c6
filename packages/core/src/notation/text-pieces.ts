import { partial } from "../common/partial.js";
import { type Input, LOOKAHEAD } from "./input.js";
import type { Lookahead } from "./lookahead.js";

/**
 * The next special place inside a string: `<`, `&` where there are entities, and the newline and indentation before a
 * `<` or the end of the available text.
 */
export function special(input: Input, from: number, entities: boolean): number {
  const { text } = input;
  const markup = input.find("<", from);
  const entity = entities ? input.find("&", from) : -1;
  if (entity >= 0 && (markup < 0 || entity < markup)) return entity;
  return layoutBefore(text, from, markup < 0 ? text.length : markup) ?? markup;
}

/** Where a value begins after its opening tag, without a newline that is layout. */
export function layoutEnd(look: Lookahead, from: number): number {
  const { text } = look;
  let end = from;
  while (end - from <= LOOKAHEAD && (text.charAt(end) === " " || text.charAt(end) === "\t")) end++;
  if (end - from > LOOKAHEAD) return from;
  if (!look.endsAt(end) && text.charAt(end) === "\r") look.endsAt(end + 1);
  return text.startsWith("\r\n", end) ? end + 2 : text.charAt(end) === "\n" ? end + 1 : from;
}

/** Where the newline and indentation before an index begin. */
function layoutBefore(text: string, from: number, end: number): number | undefined {
  if (end === text.length && end > from && text.charAt(end - 1) === "\r") return end - 1;
  let i = end;
  while (i > from && (text.charAt(i - 1) === " " || text.charAt(i - 1) === "\t")) i--;
  if (i === from || text.charAt(i - 1) !== "\n") return undefined;
  return i - 1 > from && text.charAt(i - 2) === "\r" ? i - 2 : i - 1;
}

/** The length of the part of a text that can be emitted if more may follow: a surrogate pair is never split. */
export const wholeLength = (text: string, final: boolean) =>
  !final && splitsPair(text, text.length) ? text.length - 1 : text.length;

/** Whether the text ends, at `end`, between the two halves of a surrogate pair. */
export const splitsPair = (text: string, end: number) => {
  const last = text.charCodeAt(end - 1);
  return end === text.length && last >= 0xd800 && last < 0xdc00;
};

/** The part of a text that can be emitted if more may follow: a surrogate pair is never split. */
export const wholePairs = (text: string, from: number, end: number, final: boolean) =>
  text.slice(from, !final && splitsPair(text, end) ? end - 1 : end);

/** Whether a text ends with a mark that is cut off, or misspelled in its last characters. */
export function endsLike(text: string, mark: string): boolean {
  const [written, wanted] = [text.toLowerCase(), mark.toLowerCase()];
  let same = 0;
  while (same < wanted.length && written.at(-1 - same) === wanted.at(-1 - same)) same++;
  return same > 2 || partial(written, 0, wanted) > 2;
}
