/** A tool's name that can be written in a call without quotes. */
export const BARE_NAME = /^[\p{L}\p{N}_$][\p{L}\p{N}_$.:/-]*$/u;

/** A name that an element or an argument without quotes can have, and so one that every protocol can write. */
export const ELEMENT_NAME = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

/**
 * The name with `_` for what not every protocol can write: a name of letters, digits, `_`, `.` and `-`, with a letter or `_`
 * first, stays as it is (of letters beyond ASCII, harmony reads none). For tools from elsewhere, whose names no one here chose; two may become the same.
 *
 * @example writableName("find <b>"); // "find_b_"
 */
export function writableName(name: string): string {
  const written = name.replace(/[^\p{L}\p{N}_.-]+/gu, "_");
  return ELEMENT_NAME.test(written) ? written : `_${written}`;
}

/** What is read as a name without quotes: models also put spaces in. */
export const READABLE_NAME = /^[\p{L}\p{N}_$][\p{L}\p{N}_$.:/\- ]*$/u;
