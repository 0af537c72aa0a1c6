import { checkArgument } from "../check-argument.js";

// The names of tools, arguments and variables, as they are written in calls.

// All have a limit: with the flag `u`, a repetition without one exhausts the stack on a text of any length. Keys of schemas
// have at most 1,000 characters.

// Sources for patterns with the flag `u` that are built of parts.

/** The source of {@link PLAIN_NAME}. */
export const NAME = "[\\p{L}_][\\p{L}\\p{N}_.-]{0,999}";

/** A name of a length to wait for, or to search for at every place of a text. */
export const SHORT_NAME = "[\\p{L}_][\\p{L}\\p{N}_.-]{0,63}";

/** The same of Python. */
export const SHORT_PYTHON_NAME = "[\\p{L}_][\\p{L}\\p{N}_]{0,63}";

/** A tool's name that can be written without quotes in a call. */
export const BARE_NAME = /^[\p{L}\p{N}_$][\p{L}\p{N}_$.:/-]{0,999}$/u;

/** A name that is valid for an element, an attribute or a key without quotes, and so in every protocol. */
export const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_.-]{0,999}$/u;

const MARKUP = /[<>{}"\r\n]|^\s*$/;

/**
 * Whether a key has characters of markup or JSON, so that it may be more than a key, or is empty.
 *
 * @example isMarkupOrEmpty('days: 2}'); // true
 */
export const isMarkupOrEmpty = (key: string): boolean => MARKUP.test(key);

const TOKEN = /<[|｜]|\}[^{}]*\{|^\s*$/;

/**
 * Whether a key contains a token of a model, or the end of an object and the beginning of another one, or is empty.
 *
 * @example isTokenOrEmpty('days:2}<|end|>{"x'); // true
 */
export const isTokenOrEmpty = (key: string): boolean => TOKEN.test(key);

/**
 * Replaces the characters that some protocol cannot write by `_`. A name of letters, digits, `_`, `.` and `-` that
 * begins with a letter or `_` stays unchanged (harmony reads no letters beyond ASCII). For tools with external names;
 * two names may become equal.
 *
 * @example writableName("find <b>"); // "find_b_"
 */
export function writableName(name: string): string {
  checkArgument("name", "string", name);
  const written = name.replace(/[^\p{L}\p{N}_.-]+/gu, "_");
  return PLAIN_NAME.test(written) ? written : `_${written}`;
}

/** A name in Python: that of a keyword argument or of a variable. */
export const PYTHON_NAME = /^[\p{L}_][\p{L}\p{N}_]{0,999}$/u;

/** A character of a name, also of one with a namespace. */
export const NAME_CHARACTER = /[\p{L}\p{N}_.:-]/u;

/** A name that is read without quotes; models also write spaces in names. */
export const READABLE_NAME = /^[\p{L}\p{N}_$][\p{L}\p{N}_$.:/\- ]{0,999}$/u;
