import type { Lookahead } from "../../notation/lookahead.js";
import { openerEnd } from "../forms/call-opener.js";
import type { FormNode } from "../forms/forms.js";
import type { Wrapping } from "../forms/wrapping.js";
import type { CallSequence } from "./call-sequence.js";

/**
 * The opener of a call directly after itself, once: the call is in an element of its own name, `<now><now></now></now>`.
 * `node`: the one before its arguments.
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
  return isAgain ? { repair: "extra-opener", from: end, close: undefined } : undefined;
}
