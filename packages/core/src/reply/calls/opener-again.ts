import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import type { FormNode } from "../forms/forms.js";
import type { Wrapping } from "../forms/wrapping.js";
import type { CallSequence } from "./call-sequence.js";

/** The tag that a text ends with. */
const LAST_TAG = /(<[^<>]{1,256}>)\s*$/;

/**
 * The tag that names the tool of a call directly after itself, once: the call is in an element of its own name,
 * `<now><now></now></now>`. A call that needs no arguments may end between the two, so it must be closed twice.
 */
export function openerAgain(look: Lookahead, at: number, node: FormNode, host: CallSequence): Wrapping | undefined {
  const { toolName = "", plan } = host.currentCall();
  const source = host.raw();
  const [, tag] = LAST_TAG.exec(source) ?? [];
  if (!tag?.includes(toolName || "<<") || plan.properties.has(toolName) || !look.has(tag, at)) return undefined;
  if (source.indexOf(tag) < source.lastIndexOf(tag)) return undefined;
  const from = at + tag.length;
  const closed = (start: number) => {
    const next = spaceEnd(look.text, start);
    return next - start <= LOOKAHEAD && look.markerEnd(node.literals[0] ?? "", next);
  };
  const end = plan.properties.size === 0 && closed(from);
  const isNested = plan.properties.size > 0 || (end !== false && closed(end) !== false);
  return isNested ? { repair: "extra-opener", from, close: undefined } : undefined;
}
