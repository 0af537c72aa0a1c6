import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import type { Lookahead } from "../../notation/lookahead.js";
import { CALL_KEYS } from "../arguments/call-keys.js";
import type { FormNode } from "./forms.js";
import { labelEnd } from "./labels.js";
import { fenceAt } from "./wrapping.js";

/** Whether an object begins with its bracket at an index: a key, or nothing in it. */
export const objectBegins = (look: Lookahead, at: number): boolean =>
  look.charAt(at) === "{" && /^["'“}]/.test(look.charAt(nearEnd(look, at + 1)));

/** Where the white space at an index ends, or within it where more is longer than before any object. */
const nearEnd = (look: Lookahead, at: number): number => at + spaceEnd(look.text.slice(at, at + LOOKAHEAD), 0);

/** The first key of an object. */
const FIRST_KEY = /^\{\s*["'“]([^"'”]*)["'”]/;

/** Whether an object at an index begins like a call itself. */
function beginsCall(look: Lookahead, at: number): boolean {
  const window = look.text.slice(at, at + LOOKAHEAD);
  const [, key] = FIRST_KEY.exec(window) ?? [];
  if (key === undefined && window.length < LOOKAHEAD && !/^\{\s*\}/.test(window)) look.atEnd();
  return key !== undefined && CALL_KEYS.has(key);
}

/** Where a label ends that an object follows, perhaps in a code fence; an empty one is no label. */
function endBeforeObject(look: Lookahead, at: number, label: string): number | false {
  const end = label === "" ? at : labelEnd(look, at, label);
  if (end === false) return false;
  const next = nearEnd(look, end);
  if (look.endsAt(next)) return false;
  const fence = fenceAt(look, next);
  const object = fence ? nearEnd(look, fence.from) : next;
  return objectBegins(look, object) && (label !== "" || !beginsCall(look, object)) && end;
}

/**
 * Where the label of a call ends, or one that models write in its place. `node`: what follows the label.
 *
 * @returns the index after it; false: it is not here.
 */
export function callLabelEnd(look: Lookahead, at: number, label: string, node: FormNode): number | false {
  const end = labelEnd(look, at, label);
  if (end !== false) return end;
  const others = otherLabels(node);
  const found = look.find(others, (other) => endBeforeObject(look, at, other) !== false);
  return found === undefined ? false : endBeforeObject(look, at, found);
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
