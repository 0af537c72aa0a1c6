import { type Input, LOOKAHEAD, spaceEnd } from "../input.js";
import { type Bracket, closes } from "./brackets.js";

/** The number of characters kept before an escape, to judge it. */
export const MAX_BEFORE_ESCAPE = 64;

/** A Windows path, or an escape that neither JSON nor Python has: the text writes backslashes literally. */
const RAW = /(?:^|[\s"'=(,;])(?:[A-Za-z]:|\\\\[\w.$-]+)[^"'<>|*?\n]*$|\\[dswDSWpP.(){}[\]*+?|^$-]/;

/** The next Python argument or JSON key, and the quote that begins its string. */
const NEXT = /^\s*,\s*(?:([\p{L}_][\p{L}\p{N}_]*)\s*=|["']([\p{L}_][\p{L}\p{N}_.-]*)["']\s*:)\s*(["'])(?![\s,)}\]])/u;

/** The string so far, and its context. */
interface EscapedString {
  /** The number of escaped quotes in it, and whether it has an opening bracket. */
  count: number;
  opensBracket: boolean;
  /** The open objects and arrays, outermost first. */
  stack: readonly Bracket[];
  /** Whether the arguments have this key. */
  declares(key: string): boolean;
  closes?: ((text: string, index: number) => boolean | undefined) | undefined;
}

/**
 * Whether a string ends at an escaped quote, where nothing could be read if it went on. `raw`: the backslash is one and
 * the quote ends the string, as in `dir(path='D:\', depth=1)`, since the text before it writes backslashes as they are.
 * `unquoted`: the quote is text and the one after it is missing, as in `{"cmd": "echo \"hi\"}`, since it is the second
 * of a pair. `at`: the backslash; `before`: gives the end of the string up to there. Undefined: more input is needed.
 */
export function endsAtEscape(
  input: Input,
  at: number,
  before: () => string,
  place: EscapedString,
): "raw" | "unquoted" | false | undefined {
  const { count, opensBracket } = place;
  const isRaw = count === 0 && RAW.test(before());
  if (!isRaw && (count % 2 === 0 || opensBracket)) return false;
  const quote = input.text.charAt(at + 1);
  const rest = input.text.slice(at + 2, at + 2 + LOOKAHEAD);
  const [, keyword, key, mark] = NEXT.exec(rest) ?? [];
  if (isRaw && mark === quote && place.declares((keyword ?? key)!)) return "raw";
  if (!/^\s*(?:[)\]},]|$)/.test(rest)) return false;
  if (!input.final) return rest.length < LOOKAHEAD ? undefined : false;
  if (input.text.includes(quote, at + 2) || !endsReply(input.text, at + 2, place)) return false;
  return isRaw ? "raw" : "unquoted";
}

/** Whether all open brackets close here and the reply, or the call's closing marker, follows. */
function endsReply(text: string, from: number, place: EscapedString): boolean {
  let at = spaceEnd(text, from);
  for (let depth = place.stack.length - 1; depth >= 0; depth--) {
    if (!closes(text.charAt(at), place.stack[depth])) return false;
    at = spaceEnd(text, at + 1);
  }
  return text.length - at < LOOKAHEAD && (/^[\s)\]};]*$/.test(text.slice(at)) || place.closes?.(text, at) === true);
}
