import { QUOTATION_MARKS } from "../../notation/json-words.js";
import type { Lookahead } from "../../notation/lookahead.js";
import type { Opening } from "../forms/opening.js";
import type { Compiled } from "./compile.js";
import { isPlainTag } from "./marker-index.js";
import {
  isInQuotes,
  isInSentence,
  isJoined,
  isJoinedBefore,
  opensWithinLine,
  sentenceGoesOn,
  tagEnd,
} from "./sentence.js";

/** The end of the text before the marker, and where it is. */
interface Place {
  before: string;
  beginsLine: boolean;
  /** Whether it is in JSON. */
  isInJson(): boolean;
}

/**
 * Whether a sentence mentions a marker: joined to another, in quotation marks, or with words of the same sentence after it. At the
 * beginning of a line only a token without a meaning is mentioned, if it is joined to another. Results, and turns of no format in
 * particular, are never mentioned.
 */
export function isMentioned(
  look: Lookahead,
  found: Opening,
  at: number,
  { before, beginsLine, isInJson }: Place,
  { forms, ownMarkers, turns }: Pick<Compiled, "forms" | "ownMarkers" | "turns">,
): boolean {
  const { marker, opens } = found;
  const end = at + marker.length;
  const isTurn = opens === "span" && turns.own.has(found.span);
  if (opens === "span" && !isTurn && found.span.as !== "reasoning") return false;
  if (beginsLine) return opens !== "call" && opens !== "span" && isJoined(look, end);
  // A turn may be quoted as a whole.
  if (isTurn && QUOTATION_MARKS[before.slice(-1)] !== undefined) return true;
  if (opens === "call") {
    const tag = tagEnd(look, marker, end) ?? end;
    if (isInQuotes(look, before, end) || (tag > end && isInQuotes(look, before, tag))) return true;
    const isPlain = found.node === forms && !found.keys;
    return isPlain && (isJoined(look, end) || sentenceGoesOn(look, marker, end, ownMarkers.has(marker)));
  }
  if (opens === "span" && isPlainTag(marker)) return !opensWithinLine(look, before, end) || isInJson();
  if (isJoinedBefore(before) || isInQuotes(look, before, end)) return true;
  return isJoined(look, end) || isInSentence(look, before, end);
}
