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

/**
 * The remains of the mark `]<]minimax[>[` beside a tag, where a model wrote it in characters and not as the token that it is;
 * or `][` and a tag, whose name is captured.
 */
const REMAINS =
  /(?:\]<\].{0,24}\[|\[>\[).{0,16}<\/?[^\s<>]{1,64}>|\][\s,]{0,8}\[<(?:\/([^\s<>]{1,64})>|([^\s<>]{1,64})>(?=[^\].]))/gs;

/** No remains are longer. */
export const MAX_REMAINS = 128;

/**
 * Whether the text of an element contains what may be left of a mark and its tag: of any tag beside `]<]` or `[>[`, of the
 * element's own beside `][`, unless it is in brackets, as in `[--all] [<path>]`.
 *
 * @example holdsRemains("12]<]mnimax[>[</venue>", "venue"); // true
 */
export const holdsRemains = (text: string, name: string): boolean =>
  [...text.matchAll(REMAINS)].some(([, closer, opener = closer]) => opener === undefined || opener === name);
