import { type Input, LOOKAHEAD, matchesAt, spaceEnd } from "../input.js";
import { stringEnd, wordEnd } from "../json-words.js";
import type { Lookahead } from "../lookahead.js";

/** Whether a quoted key and its colon are at an index. `separator`: the character that may replace the colon. */
export function startsKey(look: Lookahead, at: number, quote: string, separator = ":"): boolean {
  const window = look.text.slice(at, at + LOOKAHEAD);
  const end = stringEnd(window, 0, quote);
  const colon = end < 0 ? window.length : spaceEnd(window, end);
  if (colon === window.length && colon < LOOKAHEAD) look.atEnd();
  const found = window.charAt(colon);
  // Two equals signs compare.
  return (
    found === ":" ||
    found === "：" ||
    (found !== "" && found === separator && look.charAt(at + colon + 1) !== separator)
  );
}

/**
 * The key at the current position between the marks that delimit strings in a format; false: no such mark is here.
 * `end`: the index after it, or -1 if its end was not received.
 */
export function markedKey({ text, pos, final }: Input, mark: string): { key: string; end: number } | false {
  const isHere = matchesAt(text, pos, mark);
  if (isHere === undefined && !final) return { key: "", end: -1 };
  if (!isHere) return false;
  const from = pos + mark.length;
  const at = text.indexOf(mark, from);
  return { key: text.slice(from, Math.max(from, at)), end: at < 0 ? -1 : at + mark.length };
}

/** Words after the first one of a key, up to its colon or the end of the text. */
const MORE_WORDS = /(?: [\p{L}\p{N}_.-]+)* ?(?=[:=]|$)/uy;

/** Where a key without quotes ends, which may be several words in formats whose keys have none. */
export function bareKeyEnd(text: string, from: number): number {
  const end = wordEnd(text, from);
  if (end === from || text.charAt(end) !== " ") return end;
  MORE_WORDS.lastIndex = end;
  const more = MORE_WORDS.exec(text)?.[0] ?? "";
  return end + (end + more.length < text.length ? more.trimEnd() : more).length;
}
