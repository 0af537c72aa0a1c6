import { LOOKAHEAD } from "../../notation/input.js";
import { QUOTATION_MARKS } from "../../notation/json-words.js";
import type { Lookahead } from "../../notation/lookahead.js";

/** The number of characters of a line to examine. */
const MAX_LINE = 2 * LOOKAHEAD;

/** The rest of a tag or marker up to its end. */
const REST_OF_TAG = /^[^<>\n]*>/;

/** Punctuation that a sentence has after a word. */
const PUNCTUATION = "[.,;:!?)](?:\\s|$)";

/** Two words, or one and punctuation, perhaps after a dash or bracket; or punctuation alone. */
const WORDS = new RegExp(
  `^[*_]{0,3}(?:[^\\S\\n]+(?:[-–—|→]{1,2}[^\\S\\n]+|\\()?\\p{L}[\\p{L}'’-]*(?:[^\\S\\n]+\\p{L}|${PUNCTUATION})|${PUNCTUATION})`,
  "u",
);

/** What such words do not begin with, as one word before a closing tag, which may be a tool's name. */
const NO_WORDS = /^(?:[^\S\n]*[^\s<]+[^\S\n]*<\/|[^\S\n]*[^\s\p{L}.,;:!?)*_(|→–—-]|[*_]*\p{L}|[^\S\n]*\n)/u;

/** The beginning of arguments. */
const ARGUMENTS = /[{[]|="/;

/** A word that joins a marker to another. */
const JOINING = "[^\\S\\n]+(and|or|to|und|oder|bis|et|ou|à|y|o|e)[^\\S\\n]+";

/** Such a word before a closing tag or a token; or the beginning of these. */
const JOINED = new RegExp(
  `^${JOINING}(?:<[/|｜]|\\[/?[A-Z])|^[^\\S\\n]*(?:\\p{L}{1,4}(?:[^\\S\\n]+(?:<|\\[/?)?)?)?$`,
  "u",
);

/** Another marker and such a word. */
const JOINED_BEFORE = new RegExp(`[>\\]]["'”’*_]{0,3}${JOINING}["'“‘*_]{0,3}$`, "iu");

/** Such a word and an opening tag, or its beginning. */
const ANOTHER_TAG = new RegExp(`^${JOINING}<[^<>/\\n]+(?:>|$)`, "iu");

/** Another marker that the sentence mentions: it goes on after it. */
const ANOTHER = new RegExp(`(?:<[^<>\\n]+>|\\[/?[A-Z_]+\\])["'”’*_]{0,3}(?=${PUNCTUATION}|[^\\S\\n]+\\p{Ll})`, "gu");

/** The end of a sentence, and the space after it; no number of a list or letter of an abbreviation. */
const SENTENCE_END = /(?:[^\d\s.][^\s.][.!?…]|[。！？])\s*$/u;

/** What may end a sentence, also after a number; and what of it is no end. */
const MAY_END = /[.!?…。！？]\s*$/u;
const ABBREVIATION = /(?:^|[\s(])(?:\p{L}\.)+\s*$|(?:^|\n)[^\S\n]*\d+\.\s*$/u;

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
 * Where a marker or the tag that it begins ends; undefined: it does not end on its line. `from`: the end of the marker.
 */
export function tagEnd(look: Lookahead, marker: string, from: number): number | undefined {
  if (/[>\]]$/.test(marker)) return from;
  const window = look.text.slice(from, from + MAX_LINE);
  const rest = REST_OF_TAG.exec(window);
  if (!rest && window.length < MAX_LINE && !/[<\n]/.test(window)) look.atEnd();
  return rest ? from + rest[0].length : undefined;
}

/**
 * Whether a sentence continues after the marker of a call, as in `use <function=run> to run it`: words follow on its line, perhaps after
 * another marker, and no arguments. `from`: the end of the marker, which may be a tag's beginning; `isOwn`: it is one of the
 * requested format, of which a broken call has a closing tag.
 */
export function sentenceGoesOn(look: Lookahead, marker: string, from: number, isOwn = false): boolean {
  const end = tagEnd(look, marker, from);
  // It has arguments besides the tool's name.
  if (end === undefined || look.text.slice(from, end).split("=").length > 2) return false;
  const window = look.text.slice(from, from + MAX_LINE);
  const line = window.split("\n", 1)[0]!;
  const isWhole = look.isWhole || window.length === MAX_LINE || line.length < window.length;
  const rest = line.slice(end - from).replace(ANOTHER_TAG, "");
  if (NO_WORDS.test(rest)) return false;
  const others = rest.replace(ANOTHER, "x");
  if (!isWhole) look.atEnd();
  return !ARGUMENTS.test(others) && !(isOwn && others.includes("</")) && WORDS.test(others);
}

/**
 * Whether words of the same sentence are around a marker before an answer or reasoning, which are words as well. `before`: the text before
 * it.
 *
 * @example
 * // The template puts [INST] before each message.
 */
export function isInSentence(look: Lookahead, before: string, end: number): boolean {
  if (MAY_END.test(before) && !ABBREVIATION.test(before)) return false;
  const rest = look.text.slice(end, end + LOOKAHEAD);
  if (rest.length < LOOKAHEAD && !rest.includes("\n") && !NO_WORDS.test(rest)) look.atEnd();
  return WORDS.test(rest);
}

/** Whether a marker is in quotation marks. `end`: its end, or that of the tag that it begins. */
export function isInQuotes(look: Lookahead, before: string, end: number): boolean {
  const closing = QUOTATION_MARKS[before.slice(-1)];
  const next = closing && look.charAt(end);
  return !!next && closing.includes(next);
}

/** Whether a sentence joins a marker to the one before it, see {@link isJoined}. `before`: the text before it. */
export const isJoinedBefore = (before: string): boolean => JOINED_BEFORE.test(before);

/** Whether a sentence joins the marker that ends at an index to another, as in `between <tool_call> and </tool_call>`. */
export function isJoined(look: Lookahead, from: number): boolean {
  const window = look.text.slice(from, from + MAX_LINE);
  const [part, word] = JOINED.exec(window) ?? [];
  if (word === undefined && part === window && part.length < MAX_LINE) look.atEnd();
  return word !== undefined;
}
