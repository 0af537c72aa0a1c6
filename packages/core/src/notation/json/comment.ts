/**
 * Where the JavaScript or Python comment at an index ends. `#` begins one only if
 * a space follows: `#fff` is text.
 *
 * @returns the index after the comment; -1: its end is missing; undefined: no comment begins here.
 */
export function commentEnd(text: string, at: number, longest: number): number | undefined {
  const second = text.charAt(at + 1);
  const begins = text.charAt(at) === "#" ? /\s/.test(second) : text.charAt(at) === "/" && /[/*]/.test(second);
  if (!begins) return undefined;
  const window = text.slice(at, at + longest);
  if (second === "*") {
    const end = window.indexOf("*/", 2);
    return end < 0 ? -1 : at + end + 2;
  }
  const end = window.search(/[\n\r]/);
  return end < 0 ? -1 : at + end;
}

/** Whether a character may begin a comment; a slash does not in Python. */
export const mayBeComment = (code: number, python = false): boolean =>
  code === 0x23 /* # */ || (code === 0x2f /* / */ && !python);

/** A quoted key, which makes it doubtful that a comment contains only words. */
export const HOLDS_KEY = /["'“][\p{L}_][\p{L}\p{N}_.-]{0,63}["'”]\s*:/u;

/** A comment to the end of its line that contains a quoted key: the comment may have ended before the key. */
export const KEY_IN_LINE = new RegExp(`^(?://|#).*${HOLDS_KEY.source}`, "u");
