import { growingPattern, matchAt } from "../../notation/growing-pattern.js";
import type { Lookahead } from "../../notation/lookahead.js";

/**
 * The word between two alternatives, perhaps in a comment or with a colon, and the bracket of the second; after the bare word
 * also a backtick.
 */
const OR = growingPattern(
  [
    ["or", "\\s", "\\s*", "[\\[\\{`]"],
    ["or", ":", "\\s*", "[\\[\\{]"],
    ...["#", "//"].map((mark) => [mark, "[^\\S\\n]*", "or", "[:\\s]", "\\s*", "[\\[\\{]"]),
  ],
  "iu",
);

/** The number of characters in which they are looked for. */
const MAX_OR = 32;

/** Whether the text at an index offers an alternative to the call that was read: `or` or `# or`, and a bracket after it. */
export function orFollows(look: Lookahead, at: number): boolean {
  return at < look.text.length && matchAt(look, at, OR, MAX_OR) !== undefined;
}

const OR_WORD = growingPattern([["or", "\\s"]], "iu");

/** Whether the word `or` is at an index, whatever follows it; {@link orFollows} needs a bracket after the word. */
export const orBegins = (look: Lookahead, at: number): boolean => matchAt(look, at, OR_WORD) !== undefined;
