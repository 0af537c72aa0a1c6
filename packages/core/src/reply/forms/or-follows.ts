import { growingPattern } from "../../notation/growing-pattern.js";
import type { Lookahead } from "../../notation/lookahead.js";

/** Why an alternative is invalid. */
export const IS_ALTERNATIVE = "another call may be meant instead of it; choose one";

/** The word between two alternatives, perhaps in a comment. */
const WORD = ["[/#]{0,2}", "[^\\S\\n]*", "o", "r", "[\\s:,]", "\\s*"];

/** That word, and what the second alternative begins with: a bracket, a code fence, a tag, or a name and its bracket. */
const OR = growingPattern(
  [
    [...WORD, "[\\[\\{`<]"],
    [...WORD, "[\\p{L}_]", "[\\p{L}\\p{N}_.]{0,63}", "\\("],
  ],
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

/** The text between two calls that offers the second as an alternative to the first. */
export const OFFERS_ALTERNATIVE = /^[^\p{L}\p{N}]*(?:or|oder|ou|alternatively)[^\p{L}\p{N}]*$/iu;
