import { growingPattern } from "../../notation/growing-pattern.js";
import type { Lookahead } from "../../notation/lookahead.js";

/** Why the first of several alternatives is invalid. */
export const HAS_ALTERNATIVE = "another call follows that may be meant instead; make only the calls that you choose";

/** Why those after it are. */
export const IS_ALTERNATIVE = "it may be meant instead of the call before it; make only the calls that you choose";

/** The words between two alternatives. */
const WORDS = ["or", "oder", "ou"];

/** What a call begins with: a bracket, a code fence, a tag, or a name and its bracket. */
const CALL = [["[\\[\\{`<]"], ["[\\p{L}_]", "[\\p{L}\\p{N}_.]{0,63}", "\\("]];

/** The word between two alternatives, perhaps in a comment, and the beginning of the second. */
const OR = growingPattern(
  WORDS.flatMap((word) => CALL.map((call) => ["[/#]{0,2}", "[^\\S\\n]*", ...word, "[\\s:,]", "\\s*", ...call])),
  "iu",
);

/** The number of characters in which they are looked for. */
const MAX_OR = 64;

/**
 * Whether the text at an index offers an alternative to the call that was read: `or`, and a call after it. The index after the
 * beginning of that call.
 */
export function orFollows(look: Lookahead, at: number): number | false {
  const near = look.text.slice(at, at + MAX_OR);
  const found = OR.whole.exec(near);
  if (found) return at + found[0].length;
  if (near.length < MAX_OR && OR.part.test(near)) look.atEnd();
  return false;
}

/** Whether the word `or` is at an index, whatever follows it; {@link orFollows} needs a call after the word. */
export function orBegins(look: Lookahead, at: number): boolean {
  const word = look.text.slice(at, at + 3).toLowerCase();
  if (word.length < 3 && "or ".startsWith(word)) look.atEnd();
  return /^or\s/.test(word);
}

const OR_ALONE = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:(?:${WORDS.join("|")})(?: alternatively)?|alternatively)[^\\p{L}\\p{N}]*$`,
  "iu",
);

/** Whether the text between two calls offers the second as an alternative to the first. */
export const offersAlternative = (between: string): boolean => between.length <= MAX_OR && OR_ALONE.test(between);
