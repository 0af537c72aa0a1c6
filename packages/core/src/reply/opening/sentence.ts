import { growingPattern, matchAt } from "../../notation/growing-pattern.js";
import { LOOKAHEAD } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";

/** The number of characters of a line to examine. */
export const MAX_LINE = 2 * LOOKAHEAD;

/** The rest of a tag or marker up to its end. */
const REST_OF_TAG = growingPattern([["[^<>\\n]*", ">"]]);

/** The punctuation of scripts without spaces that does not open anything. */
const FULL_WIDTH = "、。〉》」』），．：；！？";

/**
 * Punctuation that a sentence has after a word; that of scripts without spaces needs none after it. A cell of a table ends so,
 * too.
 */
const PUNCTUATION = `(?:[.,;:!?)…]+(?=\\s|$)|[^\\S\\n]*\\|(?=\\s|$)|[${FULL_WIDTH}])`;

/** A word, and another one or punctuation after it. */
const WORD = `\\p{L}[\\p{L}\\p{M}'’-]*(?:[^\\S\\n]+\\p{L}|${PUNCTUATION})`;

/** Two words, or one and punctuation, perhaps after a dash or bracket; or punctuation alone. */
const WORDS = new RegExp(`^[*_]{0,3}(?:[^\\S\\n]+(?:[-–—|→]{1,2}[^\\S\\n]+|\\()?${WORD}|${PUNCTUATION})`, "u");

/** The same without a space: after a hyphen, or in letters without capitals, which scripts without spaces have. */
const WORDS_WITHOUT_SPACE = new RegExp(`^[*_]{0,3}(?:-|(?=\\p{Lo}))${WORD}`, "u");

/** What such words do not begin with, as one word before a closing tag, which may be a tool's name. */
const NO_WORDS = new RegExp(
  `^(?:[^\\S\\n]*[^\\s<]+[^\\S\\n]*</|[^\\S\\n]*[^\\s\\p{L}.,;:!?)…${FULL_WIDTH}*_(|→–—-]|[*_]*(?!\\p{Lo})\\p{L}|[^\\S\\n]*\\n)`,
  "u",
);

/** The beginning of arguments. */
const ARGUMENTS = /[{[]|="/;

/** A word that joins a marker to another. */
const JOINING = "[^\\S\\n]+(and|or|to|und|oder|bis|et|ou|à|y|o|e)[^\\S\\n]+";

/** Such a word before a closing tag or a token; or the beginning of these. */
const JOINED = new RegExp(
  `^${JOINING}(?:<[/|｜]|\\[/?\\p{L})|^[^\\S\\n]*(?:\\p{L}{1,4}(?:[^\\S\\n]+(?:<|\\[/?)?)?)?$`,
  "iu",
);

/** Another marker and such a word. */
const JOINED_BEFORE = new RegExp(`[>\\]]["'”’*_]{0,3}${JOINING}["'“‘*_]{0,3}$`, "iu");

/** Such a word and an opening tag, or its beginning. */
const ANOTHER_TAG = new RegExp(`^${JOINING}<[^<>/\\n]+(?:>|$)`, "iu");

/** Another marker that the sentence mentions: it goes on after it. */
const ANOTHER = new RegExp(
  `(?:<[^<>\\n]+>|\\[/?[A-Za-z]\\w*\\])["'”’*_]{0,3}(?=${PUNCTUATION}|[^\\S\\n]+[\\p{Ll}(]|\\p{Lo})`,
  "gu",
);

/**
 * What a sentence before reasoning ends with: no number and no abbreviation, because a tag that is read as text loses nothing.
 */
const ENDS_BEFORE_REASONING = /(?:[^\d\s.][^\s.][.!?…]|[。！？])\s*$/u;

/**
 * What a sentence before a token ends with: also a number (`It is 20.`), but not that of a list, because a token that is read
 * as text is shown to the user.
 */
const ENDS_BEFORE_TOKEN = /[.!?…。！？]\s*$/u;
const ABBREVIATION = /(?:^|[\s(])(?:\p{L}\.){2,}\s*$|(?:^|\n)[^\S\n]*\d{1,2}\.\s+$/u;

/**
 * Whether a sentence ends before a token. `before`: the text before it.
 *
 * @example
 * endsSentence("It is 20."); // true
 * endsSentence("1. "); // false: the number of a list
 */
export const endsSentence = (before: string): boolean => ENDS_BEFORE_TOKEN.test(before) && !ABBREVIATION.test(before);

/** A word directly after a tag, or the end of its line. */
const THOUGHT = /^(?:\p{L}|[^\S\n]*\n)/u;

/**
 * Whether the tag of reasoning within a line opens it: after a sentence, with a word directly after it, or at the line's end.
 * Elsewhere a sentence mentions it. `before`: the text before the tag; `end`: its end.
 *
 * @example
 * // I will look.<think>Oslo or Rome?</think>
 */
export function opensWithinLine(look: Lookahead, before: string, end: number): boolean {
  const rest = look.text.slice(end, end + LOOKAHEAD);
  if (rest.trim() === "" && rest.length < LOOKAHEAD && !rest.includes("\n")) look.atEnd();
  return THOUGHT.test(rest) && (/^\s/.test(rest) || ENDS_BEFORE_REASONING.test(before));
}

/**
 * Where a marker or the tag that it begins ends; undefined: it does not end on its line. `end`: the end of the marker.
 *
 * @example
 * const look = new Lookahead({ text: "<function=run>", final: true });
 * tagEnd(look, "<function=", 10); // 14
 */
export function tagEnd(look: Lookahead, marker: string, end: number): number | undefined {
  if (/[>\]]$/.test(marker)) return end;
  const [rest] = matchAt(look, end, REST_OF_TAG, MAX_LINE) ?? [];
  return rest === undefined ? undefined : end + rest.length;
}

/**
 * Whether a sentence continues after the marker of a call: words follow on its line, perhaps after another marker, and no
 * arguments. `end`: the end of the marker, which may be a tag's beginning. `isOwn`: the marker is one of the requested format;
 * with a closing tag on the line, it is then a broken call and no sentence.
 *
 * @example
 * // Use <function=run> to run it.: true
 * // 模型使用<tool_call>标签来调用工具。: true
 * // <tool_call> to call </tool_call>: true; with `isOwn` false
 */
export function sentenceGoesOn(look: Lookahead, marker: string, end: number, isOwn = false): boolean {
  const tag = tagEnd(look, marker, end);
  // It is a whole call, or has arguments besides the tool's name.
  if (tag === undefined || look.text.slice(end, tag).endsWith("/>") || look.text.slice(end, tag).split("=").length > 2)
    return false;
  const window = look.text.slice(end, end + MAX_LINE);
  const line = window.split("\n", 1)[0]!;
  const isWhole = look.isWhole || window.length === MAX_LINE || line.length < window.length;
  const rest = line.slice(tag - end).replace(ANOTHER_TAG, "");
  if (NO_WORDS.test(rest)) return false;
  const others = rest.replace(ANOTHER, "x");
  if (!isWhole) look.atEnd();
  if (ARGUMENTS.test(others)) return false;
  const isClosed = others.includes("</");
  return (!(isOwn && isClosed) && WORDS.test(others)) || (!isClosed && WORDS_WITHOUT_SPACE.test(others));
}

/**
 * Whether punctuation or a word follows a tag within a line. That is enough for a sentence to mention it if no call can be read
 * after it; otherwise {@link sentenceGoesOn} decides. `after`: the text after the tag.
 *
 * @example
 * mayBeMentioned(" to call."); // true
 */
export const mayBeMentioned = (after: string): boolean =>
  // A repetition of spaces would exhaust the stack on a long text.
  /^["'`.,;:)]/.test(after) || (/^\s/.test(after) && /^\p{L}/u.test(after.trimStart()));

/**
 * Whether words of the same sentence are around a marker before an answer or reasoning, which are words as well. `before`: the
 * text before it; `end`: its end.
 *
 * @example
 * // The template puts [INST] before each message.
 */
export function isInSentence(look: Lookahead, before: string, end: number): boolean {
  if (endsSentence(before)) return false;
  const rest = look.text.slice(end, end + LOOKAHEAD);
  if (rest.length < LOOKAHEAD && !rest.includes("\n") && !NO_WORDS.test(rest)) look.atEnd();
  return WORDS.test(rest);
}

/**
 * Whether a sentence joins a marker to the one before it, see {@link isJoined}. `before`: the text before it.
 *
 * @example
 * isJoinedBefore("between <tool_call> and "); // true
 */
export const isJoinedBefore = (before: string): boolean => JOINED_BEFORE.test(before);

/**
 * Whether a sentence joins a marker to another. `end`: its end.
 *
 * @example
 * // between <tool_call> and </tool_call>
 */
export function isJoined(look: Lookahead, end: number): boolean {
  const window = look.text.slice(end, end + MAX_LINE);
  const [part, word] = JOINED.exec(window) ?? [];
  if (word === undefined && part === window && part.length < MAX_LINE) look.atEnd();
  return word !== undefined;
}
