import { growingPattern } from "../../notation/growing-pattern.js";
import type { Lookahead } from "../../notation/lookahead.js";

/** The word between two alternatives, and the bracket of the second. */
export const OR = growingPattern([["o", "r", "\\s", "\\s*", "[\\[\\{`]"]], "iu");

/** The number of characters in which `or` and an opening bracket are looked for. */
export const MAX_OR = 16;

/** Whether the text at an index offers an alternative to the call that was read (`or …`). */
export function orFollows(look: Lookahead, at: number): boolean {
  const rest = look.text.slice(at, at + MAX_OR);
  if (OR.whole.test(rest)) return true;
  if (rest !== "" && rest.length < MAX_OR && OR.part.test(rest)) look.atEnd();
  return false;
}
