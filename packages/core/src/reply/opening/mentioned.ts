import { QUOTATION_MARKS } from "../../notation/json-words.js";
import type { Lookahead } from "../../notation/lookahead.js";
import type { ToolTable } from "../arguments/tool-table.js";
import type { Opening } from "../forms/opening.js";
import type { Compiled } from "./compile.js";
import { isEnclosed, isPaired, pairEnd } from "./enclosed-marker.js";
import { isPlainTag } from "./marker-index.js";
import {
  endsSentence,
  isInSentence,
  isJoined,
  isJoinedBefore,
  opensWithinLine,
  sentenceGoesOn,
  tagEnd,
} from "./sentence.js";

/** Where a marker is. */
interface Place {
  at: number;
  /** The end of the text before it. */
  before: string;
  beginsLine: boolean;
  isInJson(): boolean;
}

/**
 * Whether a sentence only mentions a marker. It may be joined to another marker, be in quotation marks, or have words of the
 * same sentence after it. The marker of a call has no arguments then. At the beginning of a line only a token without a meaning
 * is mentioned, if it is joined to another. Within a sentence, a token of other formats' reasoning is always mentioned. The
 * markers of results are never mentioned, nor are turns of other formats.
 *
 * @example
 * // a call: Use <tool_call> to call a tool.
 * // reasoning: The <think> tag begins it.
 * // a turn of the requested format: The template puts [INST] before each message.
 * // a token without a meaning: Between <|start|> and <|message|> is the role.
 */
export function isMentioned(
  look: Lookahead,
  found: Opening,
  { at, before, beginsLine, isInJson }: Place,
  {
    forms,
    ownMarkers,
    turns,
    isOthersReasoning,
  }: Pick<Compiled, "forms" | "ownMarkers" | "turns" | "isOthersReasoning">,
  tools: ToolTable,
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
    if (isEnclosed(look, before, end) || (tag > end && isEnclosed(look, before, tag))) return true;
    if (found.node !== forms || found.keys) return false;
    const isName = (between: string) => /^\p{Ll}/u.test(between) || tools.knows(between.trim());
    if (isJoined(look, end) || isPaired(look, "", marker, end, isName)) return true;
    return sentenceGoesOn(look, marker, pairEnd(look, marker, end), ownMarkers.has(marker));
  }
  if (opens === "span" && !isTurn && isPlainTag(marker)) return !opensWithinLine(look, before, end) || isInJson();
  const isReasoning = opens === "span" && !isTurn;
  if (isReasoning && isOthersReasoning(marker)) return !endsSentence(before);
  if (isJoinedBefore(before) || isEnclosed(look, before, end) || isJoined(look, end)) return true;
  // Reasoning and answers begin with a letter directly after the marker, or after a sentence.
  const isContent = (between: string) => /^\p{L}/u.test(between) || (endsSentence(before) && /\p{L}/u.test(between));
  if (isPaired(look, before, marker, end, isContent)) return true;
  // What the requested format marks as reasoning is none of the answer, and calls in it are not made.
  return !isReasoning && isInSentence(look, before, pairEnd(look, marker, end));
}
