import type { Body } from "../protocol.js";
import { LOOKAHEAD, spaceEnd } from "./input.js";
import type { Lookahead } from "./lookahead.js";
import type { FormNode } from "./opening/forms.js";

// Models leave closing markers out: of several that should stand one after the other, some may.

/** The nearest closing marker that is at an index; those before it are missing. */
export function closerAt(look: Lookahead, at: number, from: FormNode): { text: string; node: FormNode } | undefined {
  const before = look.hitEnd;
  for (let { branches } = from; branches.length > 0; branches = branches.flatMap(({ node }) => node.branches)) {
    for (const { token, node } of branches) {
      if (token.kind !== "literal" || !look.has(token.text, at)) continue;
      // Whatever the end of the text leaves open of the nearer ones, this one is here.
      look.hitEnd = before;
      return { text: token.text, node };
    }
  }
  return undefined;
}

/** Where the markers that end a block have ended, of which some may be missing; false: none stands here. */
export function blockEnd(look: Lookahead, at: number, close: readonly string[]): number | false {
  let end = -1;
  for (const marker of close) {
    const next = spaceEnd(look.text, Math.max(end, at));
    if (look.has(marker, next)) end = next + marker.length;
  }
  return end >= 0 && end;
}

/** Whether another argument begins after closing markers of which some are missing. */
export function elementFollows(look: Lookahead, from: number, body: Body | undefined): boolean {
  const [open] = body?.body === "elements" ? body.open : [];
  if (typeof open !== "string" || open.length < 2) return false;
  const at = spaceEnd(look.text, from);
  const tag = open.trimEnd();
  return at - from > LOOKAHEAD ? look.text.startsWith(tag, at) : look.has(tag, at);
}

/** Where a brace ends that follows a call and is one too many; false: none does. */
export function extraBraceEnd(look: Lookahead, from: number): number | false {
  const at = spaceEnd(look.text, from);
  if (at - from <= LOOKAHEAD && look.endsAt(at)) return false;
  return look.text.charAt(at) === "}" && at + 1;
}
