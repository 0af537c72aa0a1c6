import { LOOKAHEAD } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";

/** The number of characters of a line to examine. */
const MAX_LINE = 2 * LOOKAHEAD;

/** The rest of a tag or marker up to its end. */
const REST_OF_TAG = /^[^<>\n]*>/;

/** Two words, or one and punctuation, or punctuation alone. */
const WORDS = /^(?:[^\S\n]+\p{L}[\p{L}'’-]*(?:[^\S\n]+\p{L}|[.,;:!?)](?:\s|$))|[.,;:!?)](?:\s|$))/u;

/** The beginning of arguments. */
const ARGUMENTS = /[{[]|="/;

/**
 * Whether a sentence continues after a marker, as in `use <function=run> to run it`: words follow on its line, and no
 * arguments. `from`: the end of the marker, which may be a tag's beginning.
 */
export function sentenceGoesOn(look: Lookahead, marker: string, from: number): boolean {
  const window = look.text.slice(from, from + MAX_LINE);
  const line = window.split("\n", 1)[0]!;
  const isWhole = look.isWhole || window.length === MAX_LINE || line.length < window.length;
  const tag = /[>\]]$/.test(marker) ? "" : REST_OF_TAG.exec(line)?.[0];
  if (tag === undefined) {
    if (!isWhole && !line.includes("<")) look.atEnd();
    return false;
  }
  // It has arguments besides the tool's name.
  if (tag.split("=").length > 2) return false;
  const rest = line.slice(tag.length);
  if (/^[^\S\n]*[^\s\p{L}.,;:!?)]|^\p{L}/u.test(rest)) return false;
  if (ARGUMENTS.test(rest)) return false;
  if (!isWhole) look.atEnd();
  return WORDS.test(rest);
}
