import { type Input, LOOKAHEAD, standsAt } from "./input.js";

// What models put around the JSON of a call, and between its tags, that is no part of the format.

export const FENCE = "```";
const CDATA = { open: "<![CDATA[", close: "]]>" };
const COMMENT = { open: "<!--", close: "-->" };

/** The longest comment that is waited for. */
const MAX_COMMENT = 1024;

/** Where what is wrapped begins, and what ends it. */
export interface Wrapping {
  repair: "fence" | "cdata" | "quoted-call";
  from: number;
  close: string;
}

/** The code fence that opens here; false: none does; undefined: more input is needed. */
export function fenceAt({ text, pos, final }: Input): Wrapping | false | undefined {
  const stands = standsAt(text, pos, FENCE);
  if (!stands) return stands === undefined && final ? false : stands;
  const line = text.slice(pos, pos + LOOKAHEAD);
  const end = line.indexOf("\n");
  if (end >= 0) return { repair: "fence", from: pos + end, close: FENCE };
  return line.length < LOOKAHEAD && !final ? undefined : false;
}

/** The same for a CDATA section. */
function cdataAt({ text, pos, final }: Input): Wrapping | false | undefined {
  const stands = standsAt(text, pos, CDATA.open);
  if (stands) return { repair: "cdata", from: pos + CDATA.open.length, close: CDATA.close };
  return stands === undefined && !final ? undefined : false;
}

/** The same for a quote before a call of Python's as a whole, as in `"now()"`: around the name alone it is the name's. */
function quotedCallAt({ text, pos, final }: Input): Wrapping | false | undefined {
  if (!/["'`]/.test(text.charAt(pos))) return false;
  const window = text.slice(pos, pos + 2 * LOOKAHEAD);
  if (/^.[\p{L}_][\p{L}\p{N}_.\\-]*\(/u.test(window))
    return { repair: "quoted-call", from: pos + 1, close: text.charAt(pos) };
  const waits = /^.(?:[\p{L}_][\p{L}\p{N}_.\\-]*)?$/u.test(window) && window.length < 2 * LOOKAHEAD && !final;
  return waits ? undefined : false;
}

/** Where the markup's comment ends that begins here; false: none does; undefined: more input is needed. */
export function markupCommentEnd({ text, pos, final }: Input): number | false | undefined {
  const stands = standsAt(text, pos, COMMENT.open);
  if (!stands) return stands === undefined && !final ? undefined : false;
  const end = text.slice(pos, pos + MAX_COMMENT).indexOf(COMMENT.close);
  if (end >= 0) return pos + end + COMMENT.close.length;
  return text.length - pos < MAX_COMMENT && !final ? undefined : false;
}

/** What opens here around a call of Python's as a whole, or around the JSON of one. */
export function wrappingAt(
  input: Input,
  { python, json }: { python: boolean; json: boolean },
): Wrapping | false | undefined {
  const quote = python && quotedCallAt(input);
  if (quote !== false) return quote;
  const cdata = cdataAt(input);
  return cdata === undefined || json ? cdata : false;
}
