import { QUOTATION_MARKS } from "../../notation/json-words.js";
import type { Lookahead } from "../../notation/lookahead.js";
import type { Opening } from "../forms/opening.js";
import type { Compiled } from "./compile.js";
import { isJoined, sentenceGoesOn } from "./sentence.js";

/** The end of the text before the marker, and whether the marker begins a line. */
interface Before {
  before: string;
  beginsLine: boolean;
}

/** Whether a sentence mentions the marker of a call: together with its closing tag, in quotation marks, or with words after it. */
export function isMentioned(
  look: Lookahead,
  { marker, node, keys }: Extract<Opening, { opens: "call" }>,
  at: number,
  { before, beginsLine }: Before,
  { compiled }: { compiled: Pick<Compiled, "forms" | "ownMarkers"> },
): boolean {
  if (beginsLine) return false;
  const end = at + marker.length;
  const isPlain = node === compiled.forms && !keys;
  if (isPlain && isJoined(look, end)) return true;
  const closing = QUOTATION_MARKS[before.slice(-1)];
  const next = closing && look.charAt(end);
  if (next && closing.includes(next)) return true;
  return isPlain && sentenceGoesOn(look, marker, end, compiled.ownMarkers.has(marker));
}
