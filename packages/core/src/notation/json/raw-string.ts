import { type Input, LOOKAHEAD, matchesAt, spaceEnd } from "../input.js";
import { wholeLength } from "../text-pieces.js";

/** A part of a string between the format's own marks: its text, where reading continues, and whether it ends there. */
export interface RawPiece {
  to: number;
  next: number;
  ends: "marked" | "unmarked" | undefined;
}

/**
 * The available part of the string from the input's position up to its closing mark. The mark may be missing: then the
 * string ends before its brackets and the call's markup, if the reply ends with those. `depth`: the open brackets.
 */
export function readRaw(
  input: Input,
  mark: string,
  depth: number,
  closes: ((text: string, index: number) => boolean | undefined) | undefined,
): RawPiece {
  const { text, pos, final } = input;
  for (let at = input.find(mark.charAt(0), pos); at >= 0; at = input.find(mark.charAt(0), at + 1)) {
    const isHere = matchesAt(text, at, mark);
    if (isHere) return { to: at, next: at + mark.length, ends: "marked" };
    const before = beforeBrackets(text, pos, at, depth);
    const isCloser = closes?.(text, at);
    if (!final && (isHere === undefined || (closes && isCloser === undefined))) {
      return { to: before, next: before, ends: undefined };
    }
    if (!isCloser || text.length - at > LOOKAHEAD + mark.length) continue;
    const end = text.indexOf(">", at) + 1;
    if (end === 0 || spaceEnd(text, end) < text.length) continue;
    return { to: before, next: before, ends: final ? "unmarked" : undefined };
  }
  const to = final ? text.length : beforeBrackets(text, pos, wholeLength(text, final), depth);
  return { to, next: to, ends: undefined };
}

/** Where the closing brackets at the end begin, counting at most the open ones. */
function beforeBrackets(text: string, from: number, to: number, depth: number): number {
  let found = to;
  let open = depth;
  for (let i = to - 1; i >= from && open > 0 && to - i < LOOKAHEAD; i--) {
    const char = text.charAt(i);
    if (/[}\]]/.test(char)) {
      found = i;
      open--;
    } else if (!/\s/.test(char)) break;
  }
  return found;
}
