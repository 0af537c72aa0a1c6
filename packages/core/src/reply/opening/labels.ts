import { LABEL_MARKS } from "../../syntax/spelling.js";
import { LOOKAHEAD } from "../input.js";

/**
 * Where a label that begins a line ends. Models write it in any case, as a heading or a list's item, with emphasis around
 * it, a number behind its words, or space before the colon.
 *
 * @returns the index after it; false: it is not here; undefined: more input is needed.
 * @example labelEnd("**Action 2:** search", 0, "Action:", true); // 14
 */
export function labelEnd(text: string, from: number, label: string, final: boolean): number | false | undefined {
  let i = over(text, from, LEAD);
  const isEmphasised = MARK.test(text.slice(from, i));
  const words = label.slice(0, -1);
  const written = text.slice(i, i + words.length);
  if (written.toLowerCase() !== words.slice(0, written.length).toLowerCase()) return false;
  i += written.length;
  if (written.length === words.length) {
    i = over(text, i, SPACE);
    i = over(text, i, DIGIT);
    const behindWords = i;
    i = over(text, i, EMPHASIS);
    if (text.charAt(i) === ":") {
      // What was opened before the label is closed behind it; other emphasis belongs to what follows.
      const isOpen = isEmphasised && !MARK.test(text.slice(behindWords, i));
      const closed = isOpen ? over(text, i + 1, MARK) : i + 1;
      const end = over(text, closed, SPACE);
      return end === text.length && !final ? undefined : end;
    }
  }
  return i < text.length || i - from > LOOKAHEAD || final ? false : undefined;
}

const LEAD = /[^\S\n]|[*_#>-]/;
const SPACE = /[ \t]/;
const DIGIT = /\d/;
const MARK = new RegExp(`[${LABEL_MARKS}]`);
const EMPHASIS = new RegExp(`[ \\t${LABEL_MARKS}]`);

/** Over signs of one kind, as far as anything looks ahead. */
function over(text: string, from: number, signs: RegExp): number {
  let i = from;
  while (i < text.length && i - from <= LOOKAHEAD && signs.test(text.charAt(i))) i++;
  return i;
}
