import { BLOCK_COMMENT, COMMENTS, HOLDS_KEY, SLASH_COMMENT, SLASH_COMMENTS } from "../../notation/comment.js";
import { spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { NAME } from "../../schema/names.js";
import { languagesOfCalls, runLanguages } from "../../syntax/fence-languages.js";

// Wrappings that models put around calls without a marker, and that are not part of the calls.

/** The wrapping before calls without a marker. */
export interface Packaging {
  /** The length of the text before the first call. */
  length: number;
  /** The markers that close the wrapping after the calls. */
  closers: readonly string[];
  /** Whether it is a quotation, such as inline code: if text follows the calls, they are quoted. */
  isQuotation: boolean;
}

/** Marks around a name alone, which are part of it. */
const MARKED_NAME = new RegExp(`^(\`|\\*{2})${NAME}\\1`, "u");

/** The object of a call, encoded as a string. */
export const ENCODED = /^"\s*\{/;

const LIST_MARK = "(?:[-*+•]|\\d{1,2}[.)])[^\\S\\n]+";

/** A code fence, inline code or emphasis, a tag that the model invents, or a Markdown backslash. */
const PACKAGING = new RegExp(
  `^\\s*(${LIST_MARK})?(?:(\`{3,8}|~{3,8})[\\w-]*|(\`{1,2}|\\*{2})(?=[\\p{L}_[{\\\\]|$)(?!${NAME}(?:\\3|[\`*]$))|<([a-zA-Z][\\w-]{0,30})>)?\\s*(\\\\(?=[[{]))?`,
  "u",
);

/** The beginning of one. */
const PART =
  /^(?:(?:`+|~+)[\w-]*|\*\*?|<[\w-]{0,31}|[-+•]|\d{1,2}[.)]?|\\|["'][\p{L}\p{N}_.\\-]*|"\s+|\/(?:\/[^\n]*|\*[\s\S]*)?)$/u;

/**
 * The wrapping around calls that begin here, with the comments after it.
 *
 * @example packagingOf("`now()`"); // { length: 1, closers: ["`"], isQuotation: true }
 */
export function packagingOf(text: string): Packaging {
  const [whole = "", mark, fence, quote, tag, backslash] = PACKAGING.exec(text) ?? [];
  const rest = text.slice(whole.length);
  // Without a fence, a line after a hash may be a heading.
  const [comments = ""] = (fence === undefined ? SLASH_COMMENTS : COMMENTS).exec(rest) ?? [];
  const closer = fence ?? quote ?? (tag === undefined ? undefined : `</${tag}>`);
  return {
    length: whole.length + comments.length,
    closers: [...(backslash === undefined ? [] : ["\\]", "\\}"]), ...(closer === undefined ? [] : [closer])],
    isQuotation: (mark ?? quote) !== undefined || MARKED_NAME.test(rest) || ENCODED.test(rest),
  };
}

/** The language of a wrapping that is a code fence; empty for any other. */
const languageOf = (packaging: string): string => /^\s*(?:`{3,8}|~{3,8})([\w-]+)/.exec(packaging)?.[1] ?? "";

/** Whether a wrapping is a fence of code that runs; one of Python is, if the format is Python. */
export function isFenceOfCode(packaging: string, isPython: boolean): boolean {
  const language = languageOf(packaging);
  return runLanguages.includes(language) || (isPython && /^py(?:thon)?$/.test(language));
}

/** Whether a wrapping is a fence whose language says that it contains calls, so that they are meant after words too. */
export const isFenceOfCalls = (packaging: string): boolean => languagesOfCalls.includes(languageOf(packaging));

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
