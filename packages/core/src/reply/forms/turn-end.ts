import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { beginTokens, endTokens } from "../../syntax/turn-tokens.js";

/** The most tokens in a row that are looked at. */
const MAX_TOKENS = 8;

/**
 * Where the tokens that end a turn, and the space after each, end; undefined if there are more than {@link MAX_TOKENS}, or more
 * space than the look-ahead covers. `isTurn`: whether another turn begins at an index, perhaps with a token that may end one.
 */
export function turnEnd(look: Lookahead, from: number, isTurn?: (at: number) => boolean): number | undefined {
  let end = from;
  for (let count = 0; count < MAX_TOKENS; count++) {
    const at = end;
    if (isTurn?.(at)) return at;
    const token = look.find(endTokens, (each) => look.has(each, at));
    if (token === undefined) return at;
    end = spaceEnd(look.text, at + token.length);
    if (end - at - token.length > LOOKAHEAD) return undefined;
  }
  return undefined;
}

/**
 * Whether the turn ends at an index before other tokens that end it: the reply ends there, or another turn begins. `isTurn`:
 * see {@link turnEnd}.
 */
export function turnIsOver(look: Lookahead, at: number, isTurn?: (at: number) => boolean): boolean {
  const last = turnEnd(look, at, isTurn);
  // Text that mentions a token does not repeat it so often, nor puts so much space after it.
  if (last === undefined) return true;
  return (
    look.endsAt(last) ||
    isTurn?.(last) === true ||
    look.find(beginTokens, (token) => look.has(token, last)) !== undefined
  );
}
