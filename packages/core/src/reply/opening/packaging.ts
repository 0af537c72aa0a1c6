// What models put around calls that have no marker, and that is no part of them.

/** Where calls without a marker begin. */
export interface Packaging {
  /** The length of what stands before the first call. */
  length: number;
  /** What closes it behind the calls, if anything does. */
  closers: readonly string[];
  /** It is what shows something in a text, such as inline code: with words after the calls they are quoted. */
  isQuotation: boolean;
}

const LIST_MARK = "(?:[-*+•]|\\d{1,2}[.)])[^\\S\\n]+";

/** A code fence, inline code or emphasis, a tag of the model's own invention, or a backslash of Markdown. */
const PACKAGING = new RegExp(
  `^\\s*(${LIST_MARK})?(?:(\`{3})[\\w-]*|(\`{1,2}|\\*{2})(?=[\\p{L}_[{\\\\]|$)|<([a-zA-Z][\\w-]{0,30})>)?\\s*(\\\\(?=[[{]))?`,
  "u",
);

/** The beginning of one. */
const PART = /^(?:`+[\w-]*|\*\*?|<[\w-]{0,31}|[-+•]|\d{1,2}[.)]?|\\|["'][\p{L}\p{N}_.\\-]*)$/u;

/**
 * What stands around calls that begin here.
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

/** Whether a text may be the beginning of what stands around a call. */
export const mayBePackaging = (text: string): boolean => PART.test(text);
