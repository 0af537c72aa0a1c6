import { LOOKAHEAD } from "../input.js";

/** The number of characters of a line to examine. */
const WINDOW = 2 * LOOKAHEAD;

/** The rest of a tag or marker up to its end. */
const REST_OF_TAG = /^[^<>\n]*>/;

/** Two words, or one and punctuation, or punctuation alone. */
const WORDS = /^(?:[^\S\n]+\p{L}[\p{L}'’-]*(?:[^\S\n]+\p{L}|[.,;:!?)](?:\s|$))|[.,;:!?)](?:\s|$))/u;

/** The beginning of arguments. */
const ARGUMENTS = /[{[]|="/;

/**
 * Whether a sentence continues after a marker, as in `use <function=run> to run it`: words follow on its line, and no
 * arguments. `from`: the end of the marker, which may be a tag's beginning. Undefined: more input is needed.
 */
export function sentenceGoesOn(marker: string, text: string, from: number, final: boolean): boolean | undefined {
  const window = text.slice(from, from + WINDOW);
  const line = window.split("\n", 1)[0]!;
  const isWhole = final || window.length === WINDOW || line.length < window.length;
  const tag = /[>\]]$/.test(marker) ? "" : REST_OF_TAG.exec(line)?.[0];
  if (tag === undefined) return isWhole || line.includes("<") ? false : undefined;
  // It has arguments besides the tool's name.
  if (tag.split("=").length > 2) return false;
  const rest = line.slice(tag.length);
  if (/^[^\S\n]*[^\s\p{L}.,;:!?)]|^\p{L}/u.test(rest)) return false;
  if (!isWhole) return ARGUMENTS.test(rest) ? false : undefined;
  return WORDS.test(rest) && !ARGUMENTS.test(rest);
}
