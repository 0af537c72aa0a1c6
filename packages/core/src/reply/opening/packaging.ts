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

const LIST_MARK = "(?:[-*+•]|\\d{1,2}[.)])[^\\S\\n]+";

/** A code fence, inline code or emphasis, a tag that the model invents, or a Markdown backslash. */
const PACKAGING = new RegExp(
  `^\\s*(${LIST_MARK})?(?:(\`{3}|~{3})[\\w-]*|(\`{1,2}|\\*{2})(?=[\\p{L}_[{\\\\]|$)|<([a-zA-Z][\\w-]{0,30})>)?\\s*(\\\\(?=[[{]))?`,
  "u",
);

/** The beginning of one. */
const PART = /^(?:(?:`+|~+)[\w-]*|\*\*?|<[\w-]{0,31}|[-+•]|\d{1,2}[.)]?|\\|["'][\p{L}\p{N}_.\\-]*)$/u;

/**
 * The wrapping around calls that begin here.
 *
 * @example packagingOf("`now()`"); // { length: 1, closers: ["`"], isQuotation: true }
 */
export function packagingOf(text: string): Packaging {
  const [whole = "", mark, fence, quote, tag, backslash] = PACKAGING.exec(text) ?? [];
  const closer = fence ?? quote ?? (tag === undefined ? undefined : `</${tag}>`);
  return {
    length: whole.length,
    closers: [...(backslash === undefined ? [] : ["\\]", "\\}"]), ...(closer === undefined ? [] : [closer])],
    isQuotation: mark !== undefined || quote !== undefined,
  };
}

/** Whether a text may be the beginning of a wrapping around a call. */
export const mayBePackaging = (text: string): boolean => PART.test(text);
