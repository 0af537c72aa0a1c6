import { characterTest } from "../../notation/character-test.js";
import { growingPattern, matchAt } from "../../notation/growing-pattern.js";
import { type Input, LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import { closerAt } from "./closers.js";
import type { FormNode } from "./forms.js";
import { namesPython, takesJson } from "./match-token.js";

// Text that models put around the JSON of a call, and between its tags, and that is not part of the format.

/** What opens and closes a block of code in Markdown. */
export const FENCE = "```";
const CDATA = { open: "<![CDATA[", close: "]]>" };
const COMMENT = { open: "<!--", close: "-->" };

/** The longest comment to wait for. */
export const MAX_COMMENT = 1024;

interface Tools {
  isTool(name: string): boolean | undefined;
}

/** Where the wrapped text begins, and the marker that ends it. */
export interface Wrapping {
  repair: "fence" | "cdata" | "quoted-call";
  from: number;
  close: string;
}

/** The code fence that opens at an index. */
export function openFence(look: Lookahead, at: number): Wrapping | undefined {
  if (!look.has(FENCE, at)) return undefined;
  const line = look.text.slice(at, at + LOOKAHEAD);
  const end = line.indexOf("\n");
  if (end >= 0) return { repair: "fence", from: at + end, close: FENCE };
  if (line.length < LOOKAHEAD) look.atEnd();
  return undefined;
}

/**
 * Where a wrapping ends after white space: `open`, or a code fence that nothing opened, before a closing marker of the call.
 */
export function wrappingEnd(look: Lookahead, from: number, open: string | undefined, node: FormNode): number | false {
  const at = spaceEnd(look.text, from);
  if (open !== undefined) return look.has(open, at) && at + open.length;
  const end = at + FENCE.length;
  if (node.branches.length === 0 || !look.has(FENCE, at) || closerAt(look, at, node)) return false;
  return closerAt(look, spaceEnd(look.text, end), node) !== undefined && end;
}

/** The name of JSON alone on a line before it: its code fence is missing. */
function languageAt(look: Lookahead, at: number, tools: Tools): Wrapping | undefined {
  const [found] = (tools.isTool("json") !== true && matchAt(look, at, LANGUAGE)) || [];
  return found === undefined ? undefined : { repair: "fence", from: at + found.length - 1, close: FENCE };
}

const LANGUAGE = growingPattern([["json", "[^\\S\\n]*", "\\n", "\\s*", "[{[]"]], "iu");

/** The CDATA section that opens at an index. */
function cdataAt(look: Lookahead, at: number): Wrapping | undefined {
  return look.has(CDATA.open, at) ? { repair: "cdata", from: at + CDATA.open.length, close: CDATA.close } : undefined;
}

const isQuote = characterTest(/["'`]/);

/** The quote before a whole Python call, as in `"now()"`; a quote around the name alone belongs to the name. */
function quotedCallAt(look: Lookahead, at: number): Wrapping | undefined {
  if (!matchAt(look, at, QUOTED_CALL, 2 * LOOKAHEAD)) return undefined;
  return { repair: "quoted-call", from: at + 1, close: look.text.charAt(at) };
}

const QUOTED_CALL = growingPattern([[".", "[\\p{L}_]", "[\\p{L}\\p{N}_.\\\\-]*", "\\("]]);

export function markupCommentEnd(look: Lookahead, at: number): number | undefined {
  if (!look.has(COMMENT.open, at)) return undefined;
  const window = look.text.slice(at, at + MAX_COMMENT);
  const end = window.indexOf(COMMENT.close);
  if (end >= 0) return at + end + COMMENT.close.length;
  if (window.length < MAX_COMMENT) look.atEnd();
  return undefined;
}

/** Moves the input past the markup comment at its position. Undefined: there is none. */
export function passMarkupComment(input: Input): "passed" | "more" | undefined {
  const look = new Lookahead(input);
  const end = markupCommentEnd(look, input.pos);
  if (look.hitEnd) return "more";
  if (end === undefined) return undefined;
  input.pos = end;
  return "passed";
}

/** The wrapping that opens at an index around a whole Python call, or around the JSON of a call, before `next`. */
export function wrappingAt(
  look: Lookahead,
  at: number,
  next: FormNode | undefined,
  tools: Tools,
): Wrapping | undefined {
  const cdata = cdataAt(look, at);
  if (cdata) return next && takesJson(next) ? cdata : undefined;
  if (!next) return undefined;
  if (isQuote(look.text, at)) return namesPython(next) ? quotedCallAt(look, at) : undefined;
  return takesJson(next) ? languageAt(look, at, tools) : undefined;
}
