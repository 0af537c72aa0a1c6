import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { declares, type Plan } from "../../schema/plan.js";
import { CALL_KEYS } from "../arguments/call-keys.js";
import type { FormNode } from "./forms.js";
import { labelEnd } from "./labels.js";
import { openFence } from "./wrapping.js";

/** Whether an object begins with its bracket at an index: a key, or nothing in it. */
export const objectBegins = (look: Lookahead, at: number): boolean =>
  look.charAt(at) === "{" && /^["'“}]/.test(look.charAt(nearEnd(look, at + 1)));

/** Where the white space at an index ends, or within it where more is longer than before any object. */
const nearEnd = (look: Lookahead, at: number): number => at + spaceEnd(look.text.slice(at, at + LOOKAHEAD), 0);

/** The first key of an object. */
const FIRST_KEY = /^\{\s*["'“]([^"'”]*)["'”]/;

/**
 * Whether an object at an index is the input without a label: it is on the line after the name, and begins with an argument of
 * the tool. Others may be a result that the model made up, or a call.
 */
function isInput(look: Lookahead, at: number, plan: Plan | undefined): boolean {
  if (!plan) return false;
  const window = look.text.slice(at, at + LOOKAHEAD);
  const [, key] = FIRST_KEY.exec(window) ?? [];
  if (key !== undefined) return declares(plan, key) && !CALL_KEYS.has(key);
  const isEmpty = /^\{\s*\}/.test(window);
  if (!isEmpty && window.length < LOOKAHEAD) look.atEnd();
  return isEmpty;
}

/** Where a label ends that an object follows, perhaps in a code fence; an empty one is no label. */
function endBeforeObject(look: Lookahead, at: number, label: string, plan?: Plan): number | false {
  const end = label === "" ? at : labelEnd(look, at, label);
  if (end === false) return false;
  const next = nearEnd(look, end);
  if (look.endsAt(next)) return false;
  const fence = openFence(look, next);
  const object = fence ? nearEnd(look, fence.from) : next;
  return objectBegins(look, object) && (label !== "" || isInput(look, object, plan)) && end;
}

/**
 * Where the label of a call ends, or one that models write in its place. `node`: what follows the label; `plan`: that of
 * the call whose name is all of the line before.
 *
 * @returns the index after it; false: it is not here.
 */
export function callLabelEnd(
  look: Lookahead,
  at: number,
  label: string,
  { node, plan }: { node: FormNode; plan: Plan | undefined },
): number | false {
  const end = labelEnd(look, at, label);
  if (end !== false) return end;
  const others = otherLabels(node);
  const found = look.find(others, (other) => endBeforeObject(look, at, other, plan) !== false);
  return found === undefined ? false : endBeforeObject(look, at, found, plan);
}

/** The labels of a call's arguments, if one of them is at an index: after another than the format's, all count. */
export const labelsFrom = (
  look: Lookahead,
  at: number,
  { label, node, labels = [] }: { label: string; node: FormNode; labels: readonly string[] | undefined },
): readonly string[] =>
  labelEnd(look, at, label) === false ? [...labels, ...otherLabels(node).filter((other) => other !== "")] : labels;

const otherLabels = ({ branches }: FormNode): readonly string[] =>
  branches.flatMap(({ token }) => (token.kind === "body" && "labels" in token.body ? (token.body.labels ?? []) : []));
