import { matchAt } from "../../notation/growing-pattern.js";
import { QUOTATION_MARKS } from "../../notation/json-words.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { MAX_LINE } from "./sentence.js";

/** Marks that enclose a marker also with spaces beside it, each with the one that closes it: those of quotations and cells. */
const WITH_SPACES: Record<string, string> = { "«": "»", "»": "«", "‹": "›", "|": "|" };

/** The tag of an element at the end of a text. */
const ELEMENT = /<([\w-]+)(?:\s[^<>]*)?>$/;

/** One short word or mark, without capitals, digits and brackets, and the spaces beside it. */
const SHORT = "([^\\S\\n]*[^\\s<>{}[\\]()\"'`\\p{Lu}\\p{N}]{1,4}[^\\S\\n]*)";

const MARKER = "([<[][^<>[\\]\\s]*[>\\]])";

/** The same directly after another one, which may have a space in it. */
const MARKER_NEXT = { whole: /^[^\S\n]*([<[][^<>[\]\n]*[>\]])/, part: /^[^\S\n]*(?:[<[][^<>[\]\n]*)?$/ };

const SHORT_AND_MARKER = new RegExp(`^${SHORT}${MARKER}`, "u");
const MARKER_AND_SHORT = new RegExp(`${MARKER}${SHORT}$`, "u");

/** The beginning of such a word and a marker. */
const BEGINNING = /^[^\S\n]*[^\s{]{0,4}[^\S\n]*(?:[<[][^\s{>\]]*)?$/;

/** A marker without what tells whether it opens or closes. */
const neutral = (marker: string) => marker.replace(/[/_▁]|start|begin|end/gi, "");

/**
 * Whether a marker alone is in quotation marks, in a cell of a table, or in an element of HTML. `before`: the text before it;
 * `end`: its end, or that of the tag that it begins.
 *
 * @example
 * // « <tool_call> »
 * // | Hermes | <tool_call> |
 * // <code><tool_call></code>
 */
export function isEnclosed(look: Lookahead, before: string, end: number): boolean {
  const element = ELEMENT.exec(before)?.[1];
  if (element) return look.has(`</${element}>`, end);
  const closing = QUOTATION_MARKS[before.slice(-1)];
  const next = closing && look.charAt(end);
  if (next && closing.includes(next)) return true;
  const other = WITH_SPACES[before.trimEnd().slice(-1)];
  if (!other) return false;
  const isSpace = /[^\S\n]/.test(look.charAt(end));
  return look.charAt(isSpace ? end + 1 : end) === other;
}

/**
 * Whether only one short word is between a marker and its closing marker, or its opening marker before it. `before`: the text
 * before it; `end`: its end; `isContent`: whether what is between them, with the spaces beside it, is what the markers are for,
 * such as a tool's name.
 *
 * @example
 * // Пиши между <tool_call> и </tool_call>
 * // <tool_call>…</tool_call>
 */
export function isPaired(
  look: Lookahead,
  before: string,
  marker: string,
  end: number,
  isContent: (between: string) => boolean,
): boolean {
  const window = look.text.slice(end, end + MAX_LINE);
  const [, between, closing] = SHORT_AND_MARKER.exec(window) ?? [];
  const [, opening, betweenBefore] = MARKER_AND_SHORT.exec(before) ?? [];
  if (window.length < MAX_LINE && BEGINNING.test(window)) look.atEnd();
  const isOther = (other = marker, word = "") =>
    other !== marker && neutral(other) === neutral(marker) && !isContent(word);
  return isOther(closing, between) || isOther(opening, betweenBefore);
}

/**
 * Where a marker and its closing marker directly after it end, or where it ends alone. `end`: its end.
 *
 * @example
 * // within <tool_call></tool_call> tags
 */
export function pairEnd(look: Lookahead, marker: string, end: number): number {
  const [found = "", closing] = matchAt(look, end, MARKER_NEXT, MAX_LINE) ?? [];
  const isPair = closing !== undefined && closing !== marker && neutral(closing) === neutral(marker);
  return isPair ? end + found.length : end;
}
