import { LOOKAHEAD } from "./input.js";
import type { Lookahead } from "./lookahead.js";
import type { FormNode } from "./opening/forms.js";
import { namesPython, takesJson } from "./opening/token-fit.js";

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

/** The code fence that opens at an index. */
export function fenceAt(look: Lookahead, at: number): Wrapping | undefined {
  if (!look.has(FENCE, at)) return undefined;
  const line = look.text.slice(at, at + LOOKAHEAD);
  const end = line.indexOf("\n");
  if (end >= 0) return { repair: "fence", from: at + end, close: FENCE };
  if (line.length < LOOKAHEAD) look.atEnd();
  return undefined;
}

/** The CDATA section that opens at an index. */
function cdataAt(look: Lookahead, at: number): Wrapping | undefined {
  return look.has(CDATA.open, at) ? { repair: "cdata", from: at + CDATA.open.length, close: CDATA.close } : undefined;
}

const QUOTE = /["'`]/;

/** The quote before a call of Python's as a whole, as in `"now()"`: around the name alone it is the name's. */
function quotedCallAt(look: Lookahead, at: number): Wrapping | undefined {
  const quote = look.text.charAt(at);
  const window = look.text.slice(at, at + 2 * LOOKAHEAD);
  if (/^.[\p{L}_][\p{L}\p{N}_.\\-]*\(/u.test(window)) return { repair: "quoted-call", from: at + 1, close: quote };
  if (/^.(?:[\p{L}_][\p{L}\p{N}_.\\-]*)?$/u.test(window) && window.length < 2 * LOOKAHEAD) look.atEnd();
  return undefined;
}

/** Where the comment of markup ends that begins at an index. */
export function markupCommentEnd(look: Lookahead, at: number): number | undefined {
  if (!look.has(COMMENT.open, at)) return undefined;
  const window = look.text.slice(at, at + MAX_COMMENT);
  const end = window.indexOf(COMMENT.close);
  if (end >= 0) return at + end + COMMENT.close.length;
  if (window.length < MAX_COMMENT) look.atEnd();
  return undefined;
}

/** What opens at an index around a call of Python's as a whole, or around the JSON of one, where one of these comes next. */
export function wrappingAt(look: Lookahead, at: number, next: FormNode | undefined): Wrapping | undefined {
  const cdata = cdataAt(look, at);
  if (cdata) return next && takesJson(next) ? cdata : undefined;
  return next && QUOTE.test(look.text.charAt(at)) && namesPython(next) ? quotedCallAt(look, at) : undefined;
}
