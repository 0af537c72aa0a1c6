/** The prefix of a Python string, before its quote: raw, bytes, formatted, Unicode. */
const PREFIX = /(?:[rbuf]|[bf]r|r[bf])(?=["'])/iy;

/**
 * The index of the quote of a Python string whose prefix begins at an index; -1: there is no such string. With an `r` in
 * the prefix, backslashes are text.
 *
 * Source: the Python Language Reference, 2.4.1.
 */
export function prefixedQuote(text: string, at: number): number {
  PREFIX.lastIndex = at;
  return PREFIX.test(text) ? PREFIX.lastIndex : -1;
}
