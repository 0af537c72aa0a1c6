import { BLOCK_COMMENT, COMMENTS, HOLDS_KEY, SLASH_COMMENT, SLASH_COMMENTS } from "../../notation/comment.js";
import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { NAME } from "../../schema/names.js";
import { contentsOf } from "../../syntax/fence-languages.js";

// Wrappings that models put around calls without a marker, and that are not part of the calls.

/** The wrapping before calls without a marker. */
export interface Packaging {
  /** The length of the text before the first call. */
  length: number;
  /** The markers that close the wrapping after the calls. */
  closers: readonly string[];
  /** The language of its code fence; empty for any other wrapping. */
  language: string;
  /** Whether it is a quotation, such as inline code: if text follows the calls, they are quoted. */
  isQuotation: boolean;
}

/** Marks around a name alone, which are part of it. */
const MARKED_NAME = new RegExp(`^(\`|\\*{2})${NAME}\\1`, "u");

/** The object of a call, encoded as a string. */
export const ENCODED = /^"\s*\{/;

const LIST_MARK = "(?:[-*+•]|\\d{1,2}[.)])[^\\S\\n]+";

/** An opening code fence and its language, which may have two words: `json tool_call`. */
const FENCE = "(`{3,}|~{3,})((?:json[^\\S\\n]+(?=(?:tool|function)[_-]?(?:call|code|output)s?(?:\\s|$)))?[\\w-]*)";
const FENCE_AT = new RegExp(`^${FENCE}`, "iu");
/** One whose language may go on. */
const PART_OF_FENCE = new RegExp(`^\\s*(?:${LIST_MARK})?(?:\`{3,}|~{3,})[\\w-]*(?:[^\\S\\n]+[\\w-]*)?$`, "u");

/** The bracket of a list around a list of calls. */
const OUTER_LIST = "(\\[)(?=\\s*\\[\\s*[\\p{L}_{])";

/** A code fence, inline code or emphasis, a tag that the model invents, a list around the calls, or a Markdown backslash. */
const PACKAGING = new RegExp(
  `^\\s*(${LIST_MARK})?(?:${FENCE}|(\`{1,2}|\\*{2})(?=[\\p{L}_[{\\\\]|$)(?!${NAME}(?:\\4|[\`*]$))|<([a-zA-Z][\\w-]{0,30})>|${OUTER_LIST})?\\s*(\\\\(?=[[{]))?`,
  "iu",
);

/** The beginning of one. */
const PART =
  /^(?:(?:`+|~+)[\w-]*|\[\s*\[?|\*\*?|<[\w-]{0,31}|[-+•]|\d{1,2}[.)]?|\\|["'][\p{L}\p{N}_.\\-]*|"\s+|\/(?:\/[^\n]*|\*[\s\S]*)?)$/u;

/**
 * The wrapping around calls that begin here, with the comments after it.
 *
 * @example packagingOf("`now()`"); // { length: 1, closers: ["`"], language: "", isQuotation: true }
 */
export function packagingOf(text: string): Packaging {
  const [whole = "", mark, fence, language = "", quote, tag, list, backslash] = PACKAGING.exec(text) ?? [];
  const rest = text.slice(whole.length);
  // Without a fence, a line after a hash may be a heading.
  const [comments = ""] = (fence === undefined ? SLASH_COMMENTS : COMMENTS).exec(rest) ?? [];
  const closer = fence ?? quote ?? (tag === undefined ? list && "]" : `</${tag}>`);
  return {
    length: whole.length + comments.length,
    closers: [...(backslash === undefined ? [] : ["\\]", "\\}"]), ...(closer === undefined ? [] : [closer])],
    language,
    isQuotation: (mark ?? quote) !== undefined || MARKED_NAME.test(rest) || ENCODED.test(rest),
  };
}

/** Whether a fence of this language is one of code that runs; one of Python is, if the format is Python. */
export const isOfCode = (language: string, isPython: boolean): boolean =>
  contentsOf(language) === "code" || (isPython && /^py(?:thon)?$/.test(language));

/** Whether a fence of this language says that it contains calls, so that they are meant after words too. */
export function isOfCalls(language: string): boolean {
  const contents = contentsOf(language);
  return contents === "calls" || contents === "code";
}

const LABEL_OF_CALLS =
  /\n[^\S\n]*[*_]*(?:json|(?:(?:tool|function|api)[\s_-]?)?calls?|tool|function|action)[*_\s]*:[*_]*[^\S\n]*$/i;

/**
 * Whether a text ends with a label that says that a call follows on its line, as the language of a fence does. Of a longer
 * text its last {@link LOOKAHEAD} characters are given, which the label cannot begin.
 *
 * @example
 * isLabelOfCalls("I look it up.\n**Tool call:** "); // true
 */
export const isLabelOfCalls = (before: string): boolean =>
  LABEL_OF_CALLS.test(before.length < LOOKAHEAD ? `\n${before}` : before);

/** Whether a text may be the beginning of a code fence whose language may go on. */
export const mayBeFence = (text: string): boolean => PART_OF_FENCE.test(text);

export function fenceAt(look: Lookahead, at: number): { end: number; language: string } | undefined {
  const window = look.text.slice(at, at + LOOKAHEAD);
  if (window.length < LOOKAHEAD && mayBeFence(window)) look.atEnd();
  const [whole, , language = ""] = FENCE_AT.exec(window) ?? [];
  return whole === undefined ? undefined : { end: at + whole.length, language };
}

/** Whether a text may be the beginning of a wrapping around a call. */
export const mayBePackaging = (text: string): boolean => PART.test(text);

const RULE = String.raw`(?:-{3,}|\*{3,}|_{3,})[^\S\n]*(?=\n|$)`;
/** A rule, and a rule or comment, up to the end of its line. */
const RULES = new RegExp(RULE, "y");
const REMARKS = new RegExp(`${RULE}|${SLASH_COMMENT}(?=\\n|$)|${BLOCK_COMMENT}`, "y");
/** The beginnings of these. */
const PART_OF_RULE = /^(?:--?|\*\*?|__?)$/;
const PART_OF_REMARK = /^(?:\/(?:\*[\s\S]*)?|--?|\*\*?|__?)$/;

/** The longest remarks to wait for. */
const MAX_REMARKS = 512;

/**
 * Where the remarks end that begin after calls at an index, with nothing after them but one of the closers or the end of the
 * reply: rules and, if calls are the whole reply, comments. After words, a comment may say that the calls are an example.
 * Undefined: there is something else.
 */
export function remarksEnd(
  look: Lookahead,
  from: number,
  { closers, beginsReply }: { closers: readonly string[]; beginsReply: boolean },
): number | undefined {
  const [remarks, part] = beginsReply ? [REMARKS, PART_OF_REMARK] : [RULES, PART_OF_RULE];
  const text = look.text.slice(from, from + MAX_REMARKS);
  let at = 0;
  for (let next = 0; next < MAX_REMARKS; ) {
    if (at > 0 && (look.endsAt(from + next) || closers.some((closer) => look.has(closer, from + next))))
      return from + at;
    remarks.lastIndex = next;
    const [remark = ""] = remarks.exec(text) ?? [];
    if (remark === "" && text.length < MAX_REMARKS && part.test(text.slice(next))) look.atEnd();
    if (remark === "" || HOLDS_KEY.test(remark)) return undefined;
    at = next + remark.length;
    next = spaceEnd(text, at);
  }
  return undefined;
}
