import { LOOKAHEAD } from "../../notation/input.js";
import { QUOTATION_MARKS } from "../../notation/json-words.js";
import type { Lookahead } from "../../notation/lookahead.js";

/** The number of characters of a line to examine. */
const MAX_LINE = 2 * LOOKAHEAD;

/** The rest of a tag or marker up to its end. */
const REST_OF_TAG = /^[^<>\n]*>/;

/** Two words, or one and punctuation, or punctuation alone. */
const WORDS = /^(?:[^\S\n]+\p{L}[\p{L}'’-]*(?:[^\S\n]+\p{L}|[.,;:!?)](?:\s|$))|[.,;:!?)](?:\s|$))/u;

/** The beginning of arguments. */
const ARGUMENTS = /[{[]|="/;

/** A word that joins a tag to another. */
const JOINING = "[^\\S\\n]+(and|or|to|und|oder|bis|et|ou|à|y|o|e)[^\\S\\n]+";

/** Such a word before a closing tag; or the beginning of these. */
const JOINED = new RegExp(`^${JOINING}</|^[^\\S\\n]+(?:\\p{L}{1,4}(?:[^\\S\\n]+<?)?)?$`, "iu");

/** Such a word and an opening tag, or its beginning. */
const ANOTHER_TAG = new RegExp(`^${JOINING}<[^<>/\\n]+(?:>|$)`, "iu");

/** The end of a sentence, and the space after it; no number of a list or letter of an abbreviation. */
const SENTENCE_END = /(?:[^\d\s.][^\s.][.!?…]|[。！？])\s*$/u;

/** A word directly after a tag, or the end of its line. */
const THOUGHT = /^(?:\p{L}|[^\S\n]*\n)/u;

/**
 * Whether the tag of reasoning within a line opens it: after a sentence, with a word directly after it, or at the line's end.
 * Elsewhere a sentence mentions it.
 *
 * @example
 * // I will look.<think>Oslo or Rome?</think>
 */
export function opensWithinLine(look: Lookahead, before: string, end: number): boolean {
  const rest = look.text.slice(end, end + LOOKAHEAD);
  if (rest.trim() === "" && rest.length < LOOKAHEAD && !rest.includes("\n")) look.atEnd();
  return THOUGHT.test(rest) && (/^\s/.test(rest) || SENTENCE_END.test(before));
}

/**
 * Whether a sentence continues after a marker, as in `use <function=run> to run it`: words follow on its line, perhaps after
 * another tag, and no arguments. `from`: the end of the marker, which may be a tag's beginning; `isOwn`: it is one of the requested format, of which a
 * broken call has a closing tag.
 */
export function sentenceGoesOn(look: Lookahead, marker: string, from: number, isOwn = false): boolean {
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
  const rest = line.slice(tag.length).replace(ANOTHER_TAG, "");
  if (/^[^\S\n]*[^\s\p{L}.,;:!?)]|^\p{L}/u.test(rest)) return false;
  if (ARGUMENTS.test(rest) || (isOwn && rest.includes("</"))) return false;
  if (!isWhole) look.atEnd();
  return WORDS.test(rest);
}

/**
 * Whether a sentence mentions the beginning of a turn that ends at an index: in quotation marks, or between words. `before`: the text
 * before it.
 *
 * @example
 * // The template puts [INST] before each message.
 */
export function mentionsTurn(look: Lookahead, before: string, end: number): boolean {
  if (QUOTATION_MARKS[before.slice(-1)] !== undefined) return true;
  if (/[.!?…。！？]\s*$/.test(before)) return false;
  const rest = look.text.slice(end, end + LOOKAHEAD);
  if (rest.length < LOOKAHEAD && !rest.includes("\n")) look.atEnd();
  return WORDS.test(rest);
}

/**
 * Whether a sentence joins the tag that ends at an index to its closing tag, as in `between <tool_call> and </tool_call>`.
 */
export function isJoined(look: Lookahead, from: number): boolean {
  const window = look.text.slice(from, from + MAX_LINE);
  const [part, word] = JOINED.exec(window) ?? [];
  if (word === undefined && part === window && part.length < MAX_LINE) look.atEnd();
  return word !== undefined;
}
