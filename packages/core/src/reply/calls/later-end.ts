import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { factsOf } from "../../syntax/bodies.js";
import type { LastCall } from "./last-call.js";

/** Why a call is rejected whose object may end later than it did. */
export const GOES_ON = "an object continues after its last bracket";

/** The most characters that are searched for another end, before a closing marker. */
const MAX_REST = 256;

/**
 * Where an object may end instead of where it did, because one of its strings goes on: after a later quote and closing brackets
 * that nothing opens, directly before one of the call's closing markers or the end of the reply, as in `{"text": "He wrote "}"
 * here"}</tool_call>`. Of a call without such markers, at the end of its line. Undefined: nowhere.
 */
export function laterEnd(
  look: Lookahead,
  from: number,
  { body, source, mayRefuse }: LastCall,
  markers: readonly string[],
): number | undefined {
  if (!mayRefuse || factsOf(body).language !== "json") return undefined;
  const closers = markers.map((marker) => marker.trim()).filter((marker) => marker !== "");
  const next = spaceEnd(look.text, from);
  if (closers.some((closer) => look.text.startsWith(closer, next))) return undefined;
  // The line of a call without closing markers may have ended before.
  if (closers.length === 0 && /\n\s*$/.test(source().slice(-LOOKAHEAD))) return undefined;
  // Another object has brackets in strings of its own.
  if (/^[\s,;]*[{[]/.test(look.text.slice(from, from + LOOKAHEAD))) return undefined;
  const found = bracketsEnd(look, from, closers);
  if (found === undefined) return undefined;
  const after = spaceEnd(look.text, found);
  const isEnd =
    look.endsAt(after) ||
    closers.some((closer) => look.has(closer, after)) ||
    (closers.length === 0 && look.text.slice(found, after).includes("\n"));
  return isEnd ? found : undefined;
}

/**
 * Where the last closing brackets end that come after a quote and that nothing opens, before one of the markers; without
 * markers, on the line.
 */
function bracketsEnd(look: Lookahead, from: number, closers: readonly string[]): number | undefined {
  let found: number | undefined;
  let depth = 0;
  let isString = false;
  let last = "";
  for (let at = from; at - from < (closers.length > 0 ? MAX_REST : LOOKAHEAD); at++) {
    const char = look.charAt(at);
    if (char === "" || (char === "\n" && closers.length === 0)) break;
    // An object after it has strings of its own.
    if (depth > 0 && char === '"') isString = !isString;
    if (isString && char === "\\") at++;
    if (isString) continue;
    if (char === "<" && closers.some((closer) => look.has(closer, at))) break;
    if (/[{[]/.test(char)) depth++;
    else if (/[}\]]/.test(char)) {
      if (depth > 0) depth--;
      else if (last === '"' || found === at) found = at + 1;
    }
    if (char.trim() !== "") last = char;
  }
  return found;
}
