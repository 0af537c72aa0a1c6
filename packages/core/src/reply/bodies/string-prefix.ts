/** What may stand before the quote of a Python string: raw, bytes, formatted, Unicode. */
const PREFIX = /(?:[rbuf]|[bf]r|r[bf])(?=["'])/iy;

/**
 * Where the quote of a Python string stands that begins at an index with a prefix; -1: none does. An `r` among the
 * letters says that backslashes are text.
 *
 * Source: the Python Language Reference, 2.4.1.
 */
export function prefixedQuote(text: string, at: number): number {
  PREFIX.lastIndex = at;
  return PREFIX.test(text) ? PREFIX.lastIndex : -1;
}
