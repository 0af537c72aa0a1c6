import type { Body } from "../protocol.js";
import { type Input, LOOKAHEAD, spaceEnd, standsFirst } from "./input.js";
import type { FormNode } from "./opening/forms.js";
import { afterBody } from "./opening/token-fit.js";

/** A closing tag or token. JSON's own characters close nothing here. */
const MARKER = /^<[^<>]{2,}>$/;

/** How far closing markers in a row are passed over. */
const MAX_CLOSERS = 512;

/** The beginning of a token. */
const TOKEN = /<[|｜]/;

/**
 * Whether a call that its markers have closed is closed once more, with text between and without an opener: the first
 * markers may be a part of a value, as in `split("</function></tool_call>")`, or the text is one after the call. A quote
 * right after the markers says the same. Looks up to {@link LOOKAHEAD} characters; undefined: more input is needed.
 */
export function isClosedAgain(
  { text, pos, final }: Input,
  { body, node }: { body: Body; node: FormNode },
): boolean | undefined {
  const { closers, elements } = afterBody(node);
  const ofArgument = body.body === "elements" ? body.close.filter((part) => typeof part === "string") : [];
  const markers = [...closers, ...ofArgument.map((part) => part.trim())].filter((marker) => MARKER.test(marker));
  // Of markers that words join, no part says what it closes.
  if (!closers.every((closer) => MARKER.test(closer))) return false;
  const unknown = final ? false : undefined;
  let glued = pos;
  let from = spaceEnd(text, pos);
  for (;;) {
    const next = markers.find((marker) => text.startsWith(marker, from));
    if (next === undefined) break;
    glued = from + next.length;
    from = spaceEnd(text, glued);
    if (glued - pos > MAX_CLOSERS) return false;
  }
  if (from - glued > LOOKAHEAD) return false;
  if (from === text.length) return unknown;
  if (/["']/.test(text.charAt(glued))) return true;
  if (text.charAt(from) === "<") return standsFirst(markers, text, from) === undefined ? unknown : false;
  const window = text.slice(from, from + LOOKAHEAD);
  const openers = elements.map((name) => `<${name}`);
  for (let at = window.indexOf("<"); at >= 0; at = window.indexOf("<", at + 1)) {
    const rest = window.slice(at);
    if (markers.some((marker) => rest.startsWith(marker))) return true;
    if (!final && window.length < LOOKAHEAD && markers.some((marker) => marker.startsWith(rest))) return undefined;
    if (TOKEN.test(rest.slice(0, 2)) || openers.some((opener) => rest.startsWith(opener))) return false;
  }
  return window.length < LOOKAHEAD ? unknown : false;
}
