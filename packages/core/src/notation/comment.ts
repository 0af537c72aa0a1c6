import { growingPattern } from "./growing-pattern.js";

// Comments of JavaScript and Python, which models write in JSON, and before and between calls. What else a mark may be
// depends on the place: a colour in a value, a heading or a number at the beginning of a line.

/** The mark of a comment up to the end of its line: that of Python or of JavaScript. */
export type CommentMark = "#" | "//";

/** The source of a pattern: a comment of Python. */
const HASH_COMMENT = "#[^\\n]*";
/** The source of a pattern: a comment of JavaScript up to the end of its line. */
export const SLASH_COMMENT = "//[^\\n]*";
/** The source of a pattern: a comment of JavaScript between two marks. */
export const BLOCK_COMMENT = String.raw`/\*[\s\S]*?\*/`;

/** JavaScript's mark at the beginning of a line. */
export const SLASHES_BEGIN = growingPattern([["//"]]);
/** Python's mark at the beginning of a line; several hashes are that of a heading, and one before a digit that of a number. */
export const HASH_BEGINS = growingPattern([["#", "[^#\\d]"]]);

const commentsOf = (...kinds: string[]) => new RegExp(`^(?:(?:${kinds.join("|")})\\s*)+`);

/** Python's comments at the beginning of a text, with the space after them. */
export const HASH_COMMENTS = commentsOf(`${HASH_COMMENT}\n`);
/** JavaScript's comments at the beginning of a text, with the space after them. */
export const SLASH_COMMENTS = commentsOf(`${SLASH_COMMENT}\n`, BLOCK_COMMENT);
/** Comments of both at the beginning of a text, with the space after them. */
export const COMMENTS = commentsOf(`${SLASH_COMMENT}\n`, BLOCK_COMMENT, `${HASH_COMMENT}\n`);

/** A quoted key, which makes it doubtful that a comment contains only words. */
export const HOLDS_KEY = /["'“][\p{L}_][\p{L}\p{N}_.-]{0,63}["'”]\s*:/u;

/** A comment to the end of its line that contains a quoted key: the comment may have ended before the key. */
export const KEY_IN_LINE = new RegExp(`^(?://|#).*${HOLDS_KEY.source}`, "u");

const ENDS_WITH_MARK = /(?:^|[\s)\]}>;])(?:\/\/|#)[^\S\n]{0,60}$/;

/** Whether a text ends with the mark of a comment, first or after a space or bracket, so that the comment contains what follows. The
 * end of a text of LOOKAHEAD characters is enough. */
export const endsWithMark = (text: string): boolean => ENDS_WITH_MARK.test(text);

/** Whether one of JavaScript's marks is at an index. */
export const slashMarkAt = (text: string, at: number): boolean =>
  text.charAt(at) === "/" && /[/*]/.test(text.charAt(at + 1));

/** Whether a character may begin a comment: a `#`, and outside of Python a slash. */
export const mayBeComment = (code: number, python = false): boolean =>
  code === 0x23 /* # */ || (code === 0x2f /* / */ && !python);

/**
 * Where the JavaScript or Python comment at an index ends. `#` begins one only if a space follows: `#fff` is text.
 *
 * @returns the index after the comment; -1: its end is missing; undefined: no comment begins here.
 */
export function commentEnd(text: string, at: number, longest: number): number | undefined {
  const second = text.charAt(at + 1);
  if (!slashMarkAt(text, at) && !(text.charAt(at) === "#" && /\s/.test(second))) return undefined;
  const window = text.slice(at, at + longest);
  if (second === "*") {
    const end = window.indexOf("*/", 2);
    return end < 0 ? -1 : at + end + 2;
  }
  const end = window.search(/[\n\r]/);
  return end < 0 ? -1 : at + end;
}
