import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { openerEnd } from "../forms/call-opener.js";
import type { FormNode } from "../forms/forms.js";
import type { Wrapping } from "../forms/wrapping.js";
import type { CallSequence } from "./call-sequence.js";

/**
 * The opener of a call directly after itself, once: the call is in an element of its own name, `<now><now></now></now>`. A call
 * that needs no arguments may end between the two, so it must be closed twice. `node`: the one before the arguments.
 */
export function openerAgain(
  look: Lookahead,
  at: number,
  node: FormNode | undefined,
  host: CallSequence,
): Wrapping | undefined {
  const body = node?.branches.find(({ token }) => token.kind === "body");
  if (!body || !host.isCalling) return undefined;
  const { toolName, plan } = host.currentCall();
  const isOwn = (name: string) => name === toolName && !plan.properties.has(name);
  const end = openerEnd(body.node.opener ?? [], look, at, isOwn);
  if (end === false) return undefined;
  const opener = look.text.slice(at, end).trimEnd();
  const before = host.raw().trimEnd();
  const isAgain = before.endsWith(opener) && !before.slice(0, -opener.length).trimEnd().endsWith(opener);
  const [closer = ""] = body.node.literals;
  if (!isAgain || (plan.properties.size === 0 && !isTwice(look, end, closer))) return undefined;
  return { repair: "extra-opener", from: end, close: undefined };
}

/** Whether a marker is at an index, and then once more. */
function isTwice(look: Lookahead, from: number, marker: string): boolean {
  let end: number | false = from;
  for (let count = 0; count < 2 && end !== false; count++) {
    const next = spaceEnd(look.text, end);
    end = next - end <= LOOKAHEAD && look.markerEnd(marker, next);
  }
  return end !== false;
}
