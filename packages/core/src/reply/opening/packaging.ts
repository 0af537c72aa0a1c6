import { COMMENTS, SLASH_COMMENTS } from "../../notation/comment.js";
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
  /^(?:(?:`+|~+)[\w-]*|\*\*?|<[\w-]{0,31}|[-+•]|\d{1,2}[.)]?|\\|["'][\p{L}\p{N}_.\\-]*|\/(?:\/[^\n]*|\*[\s\S]*)?)$/u;

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
