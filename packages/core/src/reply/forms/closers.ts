import { oncePer } from "../../common/once-per.js";
import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { closingTagEnd } from "../../notation/markup/markup.js";
import { closedBy } from "../../syntax/spelling.js";
import type { FormNode } from "./forms.js";
import { isMarker, literalsAfterBodies } from "./match-token.js";

// Models omit closing markers: some of several consecutive ones may be missing.

/** A closing marker: its end, and the node after it. */
export interface Closer {
  end: number;
  node: FormNode;
}

/** The nearest closing marker at an index; nearer ones are missing. */
export function closerAt(look: Lookahead, at: number, from: FormNode): Closer | undefined {
  const before = look.hitEnd;
  for (let { branches } = from; branches.length > 0; branches = branches.flatMap(({ node }) => node.branches)) {
    for (const { token, node } of branches) {
      const end = token.kind === "literal" && look.markerEnd(token.text, at);
      if (end === false) continue;
      // Even if the text ends within a nearer marker, this one is here.
      look.hitEnd = before;
      return { end, node };
    }
  }
  return undefined;
}

/** Where the closing markers of a block end, some of which may be missing; false: none is here. */
export function blockEnd(look: Lookahead, at: number, close: readonly string[]): number | false {
  let end = -1;
  for (const marker of close) {
    const from = spaceEnd(look.text, Math.max(end, at));
    const name = closedBy(marker);
    const next = name ? closingTagEnd(look, from, name) : look.markerEnd(marker, from);
    if (next !== false) end = next;
  }
  return end >= 0 && end;
}

/** Whether a closing bracket is at an index, and no mark of a tag. */
export function extraBracketAt(look: Lookahead, at: number): boolean {
  const char = look.text.charAt(at);
  return char === "}" || (char === "]" && !look.has("]<]", at));
}

/** Where extra braces after a call end; false: there are none. */
export function extraBracesEnd(look: Lookahead, from: number): number | false {
  let end: number | false = false;
  for (
    let at = spaceEnd(look.text, from);
    at - from <= LOOKAHEAD && look.charAt(at) === "}";
    at = spaceEnd(look.text, end)
  )
    end = at + 1;
  return end;
}

/** The last markers of the blocks of all calls from a node on. Cached: a long reply may have a broken call at every tag. */
const lastBlockClosers = oncePer(({ block, branches }: FormNode): readonly string[] => {
  const closers = block?.close.slice(-1) ?? branches.flatMap(({ node }) => lastBlockClosers(node));
  return [...new Set(closers)].filter(isMarker);
});

/**
 * The markers that end a broken call: the last of its own, and the last of its block. `own`: the ones after its body, if that
 * has begun; `inside`: the node after its first marker.
 */
export const lastClosers = (own: readonly string[] | undefined, node: FormNode, inside: FormNode): string[] => [
  ...new Set([...(own ?? literalsAfterBodies(node)).slice(-1), ...lastBlockClosers(inside)]),
];
