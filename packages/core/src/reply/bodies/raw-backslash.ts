import { type Input, LOOKAHEAD, spaceEnd } from "../input.js";
import { type Bracket, closes } from "./brackets.js";

/** How much of a string before its escapes is kept to judge one by. */
export const KEPT = 64;

/** A path of Windows, or an escape that neither JSON nor Python has: backslashes are written as they are. */
const RAW = /(?:^|[\s"'=(,;])(?:[A-Za-z]:|\\\\[\w.$-]+)[^"'<>|*?\n]*$|\\[dswDSWpP.(){}[\]*+?|^$-]/;

/** The next argument of Python's, or the next key of JSON's, and the quote that begins its string. */
const NEXT = /^\s*,\s*(?:([\p{L}_][\p{L}\p{N}_]*)\s*=|["']([\p{L}_][\p{L}\p{N}_.-]*)["']\s*:)\s*(["'])(?![\s,)}\]])/u;

/** Where the string stands. */
interface StringPlace {
  /** The open objects and arrays, outermost first. */
  stack: readonly Bracket[];
  /** Whether the arguments have this key. */
  declares(key: string): boolean;
  closes?: ((text: string, index: number) => boolean | undefined) | undefined;
}

/**
 * Whether the quote after a backslash ends its string, as in `dir(path='D:\', depth=1)`: the text before it writes
 * backslashes as they are, and with an escaped quote nothing could be read. `at`: the backslash; `before`: the end of the
 * string up to there. Undefined: more input is needed.
 */
export function endsAfterBackslash(input: Input, at: number, before: string, place: StringPlace): boolean | undefined {
  if (!RAW.test(before)) return false;
  const quote = input.text.charAt(at + 1);
  const rest = input.text.slice(at + 2, at + 2 + LOOKAHEAD);
  const [, keyword, key, mark] = NEXT.exec(rest) ?? [];
  if (mark === quote && place.declares((keyword ?? key)!)) return true;
  if (!input.final) return rest.length < LOOKAHEAD ? undefined : false;
  return !input.text.includes(quote, at + 2) && endsReply(input.text, at + 2, place);
}

/** Whether all brackets that are open are closed here, and the reply ends with them or what closes the call. */
function endsReply(text: string, from: number, place: StringPlace): boolean {
  let at = spaceEnd(text, from);
  for (let depth = place.stack.length - 1; depth >= 0; depth--) {
    if (!closes(text.charAt(at), place.stack[depth])) return false;
    at = spaceEnd(text, at + 1);
  }
  return text.length - at < LOOKAHEAD && (/^[\s)\]};]*$/.test(text.slice(at)) || place.closes?.(text, at) === true);
}
