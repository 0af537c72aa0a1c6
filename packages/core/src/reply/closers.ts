import type { Body } from "../protocol.js";
import { type Input, LOOKAHEAD, spaceEnd, standsAt } from "./input.js";
import type { FormNode } from "./opening/forms.js";

// Models leave closing markers out: of several that should stand one after the other, some may.

/** The nearest closing marker that is here; those before it are missing. Undefined: more input is needed. */
export function closerAt(
  from: FormNode,
  text: string,
  pos: number,
): { text: string; node: FormNode } | undefined | false {
  let waits = false;
  let { branches } = from;
  while (branches.length > 0) {
    for (const { token, node } of branches) {
      if (token.kind !== "literal") continue;
      const stands = standsAt(text, pos, token.text);
      if (stands) return { text: token.text, node };
      if (stands === undefined) waits = true;
    }
    branches = branches.flatMap(({ node }) => node.branches);
  }
  return waits ? undefined : false;
}

/** Where the markers that end a block have ended, of which some may be missing; false: none stands here. */
export function blockEnd(input: Input, close: readonly string[]): number | undefined | false {
  let end = -1;
  for (const marker of close) {
    const at = spaceEnd(input.text, Math.max(end, input.pos));
    const stands = standsAt(input.text, at, marker);
    if (stands === undefined && !input.final) return undefined;
    if (stands) end = at + marker.length;
  }
  return end >= 0 && end;
}

/** Whether another argument begins after closing markers of which some are missing. */
export function elementFollows({ text, pos, final }: Input, body: Body | undefined): boolean | undefined {
  const [open] = body?.body === "elements" ? body.open : [];
  if (typeof open !== "string" || open.length < 2) return false;
  const at = spaceEnd(text, pos);
  return standsAt(text, at, open.trimEnd()) ?? (final || at - pos > LOOKAHEAD ? false : undefined);
}

/** Where a brace ends that follows a call and is one too many; false: none does; undefined: more input is needed. */
export function extraBraceEnd({ text, pos, final }: Input): number | undefined | false {
  const at = spaceEnd(text, pos);
  if (at === text.length && !final && at - pos <= LOOKAHEAD) return undefined;
  return text.charAt(at) === "}" && at + 1;
}
