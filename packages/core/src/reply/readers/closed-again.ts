import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import type { ElementsBody } from "../../syntax/syntax.js";
import type { AfterBody } from "../forms/match-token.js";

/** A closing tag or token. JSON's own characters do not count. */
const MARKER = /^<[^<>]{2,}>$/;

/** The maximum number of characters of consecutive closing markers that are skipped. */
const MAX_CLOSERS = 512;

/** The beginning of a token. */
const TOKEN = /<[|｜]/;

/**
 * Whether a call that its markers have closed is closed once more, after text without an opener: the first markers may
 * be a part of a value, as in `split("</function></tool_call>")`, or the text comes after the call. A quote directly
 * after the markers has the same two readings. Looks up to {@link LOOKAHEAD} characters.
 */
export function isClosedAgain(
  look: Lookahead,
  at: number,
  { close }: ElementsBody,
  { closers, elements }: Pick<AfterBody, "closers" | "elements">,
): boolean {
  const { text } = look;
  const ofArgument = close.filter((part) => typeof part === "string");
  const markers = [...closers, ...ofArgument.map((part) => part.trim())].filter((marker) => MARKER.test(marker));
  // If markers are joined by words, no single part shows what it closes.
  if (!closers.every((closer) => MARKER.test(closer))) return false;
  let glued = at;
  let from = spaceEnd(text, at);
  for (;;) {
    const next = markers.find((marker) => text.startsWith(marker, from));
    if (next === undefined) break;
    glued = from + next.length;
    from = spaceEnd(text, glued);
    if (glued - at > MAX_CLOSERS) return false;
  }
  if (from - glued > LOOKAHEAD || look.endsAt(from)) return false;
  if (/["']/.test(text.charAt(glued))) return true;
  if (text.charAt(from) === "<") {
    // A marker that is cut off may be one of them.
    for (const marker of markers) look.has(marker, from);
    return false;
  }
  const window = text.slice(from, from + LOOKAHEAD);
  const openers = elements.map((name) => `<${name}`);
  for (let tag = window.indexOf("<"); tag >= 0; tag = window.indexOf("<", tag + 1)) {
    const rest = window.slice(tag);
    if (markers.some((marker) => rest.startsWith(marker))) return true;
    const mayBeMarker = window.length < LOOKAHEAD && markers.some((marker) => marker.startsWith(rest));
    if (mayBeMarker && !look.isWhole) {
      look.atEnd();
      return false;
    }
    if (TOKEN.test(rest.slice(0, 2)) || openers.some((opener) => rest.startsWith(opener))) return false;
  }
  if (window.length < LOOKAHEAD) look.atEnd();
  return false;
}
