import { LOOKAHEAD } from "../input.js";

/** How much of a line is looked at. */
const WINDOW = 2 * LOOKAHEAD;

/** The rest of a tag or of a marker up to its end. */
const REST_OF_TAG = /^[^<>\n]*>/;

/** Two words, or one and the end of a sentence or a part of it, or such a mark alone. */
const WORDS = /^(?:[^\S\n]+\p{L}[\p{L}'’-]*(?:[^\S\n]+\p{L}|[.,;:!?)](?:\s|$))|[.,;:!?)](?:\s|$))/u;

/** What arguments begin with. */
const ARGUMENTS = /[{[]|="/;

/**
 * Whether a sentence goes on after a marker, as in `use <function=run> to run it`: words follow on its line, and no
 * arguments. `from`: the end of the marker, which may be a tag's beginning. Undefined: more input is needed.
 */
export function sentenceGoesOn(marker: string, text: string, from: number, final: boolean): boolean | undefined {
  const window = text.slice(from, from + WINDOW);
  const line = window.split("\n", 1)[0]!;
  const isWhole = final || window.length === WINDOW || line.length < window.length;
  const tag = /[>\]]$/.test(marker) ? "" : REST_OF_TAG.exec(line)?.[0];
  if (tag === undefined) return isWhole || line.includes("<") ? false : undefined;
  // Besides the tool's name it has arguments.
  if (tag.split("=").length > 2) return false;
  const rest = line.slice(tag.length);
  if (/^[^\S\n]*[^\s\p{L}.,;:!?)]|^\p{L}/u.test(rest)) return false;
  if (!isWhole) return ARGUMENTS.test(rest) ? false : undefined;
  return WORDS.test(rest) && !ARGUMENTS.test(rest);
}
