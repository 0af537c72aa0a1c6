import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import type { FormNode } from "./forms.js";
import { labelEnd } from "./labels.js";
import { fenceAt } from "./wrapping.js";

/** Whether an object begins with its bracket at an index: a key, or nothing in it. */
export const objectBegins = (look: Lookahead, at: number): boolean =>
  look.charAt(at) === "{" && /^["'“}]/.test(look.charAt(spaceEnd(look.text, at + 1)));

/** Where a label ends that an object follows, perhaps in a code fence; an empty one is no label. */
function endBeforeObject(look: Lookahead, at: number, label: string): number | false {
  const end = label === "" ? at : labelEnd(look, at, label);
  if (end === false) return false;
  const next = spaceEnd(look.text, end);
  if (next - end > LOOKAHEAD || look.endsAt(next)) return false;
  const fence = fenceAt(look, next);
  return objectBegins(look, fence ? spaceEnd(look.text, fence.from) : next) && end;
}

/** Whether one of the labels is at an index, before an object. */
export const isBeforeObject = (look: Lookahead, at: number, labels: readonly string[]): boolean =>
  look.find(labels, (label) => endBeforeObject(look, at, label) !== false) !== undefined;

/**
 * Where the label of a call ends, or one that models write in its place. `node`: what follows the label.
 *
 * @returns the index after it; false: it is not here.
 */
export function callLabelEnd(look: Lookahead, at: number, label: string, { branches }: FormNode): number | false {
  const end = labelEnd(look, at, label);
  if (end !== false) return end;
  const others = branches.flatMap(({ token }) =>
    token.kind === "body" && token.body.body === "input" ? (token.body.labels ?? []) : [],
  );
  const found = look.find(others, (other) => endBeforeObject(look, at, other) !== false);
  return found === undefined ? false : endBeforeObject(look, at, found);
}
