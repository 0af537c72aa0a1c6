import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";

/** A tag without attributes, with or without the mark that belongs to it. */
export interface MarkedTag {
  name: string;
  /** Whether it is a closing tag. */
  closes: boolean;
  isMarked: boolean;
  end: number;
}

const TAG = /<(\/?)([^\s<>/="']{1,128})\s{0,32}>/uy;
/** The beginning of such a tag at the end of the text. */
const CUT_TAG = /^<\/?(?:[^\s<>/="']{1,128}\s{0,32})?$/u;
const MAX_TAG = 164;

/**
 * The tag at an index, from its mark on; models write space between the two.
 *
 * @example markedTag(look, 0, "]<]minimax[>["); // { name: "city", closes: false, … } for `]<]minimax[>[<city>Rome`
 */
export function markedTag(look: Lookahead, at: number, mark: string): MarkedTag | undefined {
  const { text } = look;
  const after = at + mark.length;
  const from = look.has(mark, at) ? spaceEnd(text, after, after + LOOKAHEAD) : at;
  if (look.charAt(from) !== "<") return undefined;
  TAG.lastIndex = from;
  const [whole, slash, name] = TAG.exec(text) ?? [];
  if (whole !== undefined && name !== undefined)
    return { name, closes: slash === "/", isMarked: from > at, end: from + whole.length };
  if (text.length - from < MAX_TAG && CUT_TAG.test(text.slice(from))) look.atCut();
  return undefined;
}
