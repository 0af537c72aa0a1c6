import { LOOKAHEAD, spaceEnd } from "../../notation/input.js";
import { Lookahead } from "../../notation/lookahead.js";
import { NOTHING } from "../arguments/lone-text.js";
import { labelEnd } from "../forms/labels.js";

/**
 * Whether other arguments for the same call follow its arguments: another object, perhaps after words on this line, or text
 * after the label of the arguments.
 */
export function inputFollows(look: Lookahead, from: number, labels: readonly string[]): boolean {
  const window = look.text.slice(from, from + 2 * LOOKAHEAD);
  const near = new Lookahead({ text: window, final: look.isWhole || window.length === 2 * LOOKAHEAD });
  const follows = inputFollowsIn(near, labels);
  if (near.hitEnd) look.atEnd();
  return follows;
}

function inputFollowsIn(look: Lookahead, labels: readonly string[]): boolean {
  const window = look.text;
  if (!window.includes("\n")) look.atEnd();
  // Any other character before the object belongs to another call.
  if (/^(?:\s*|[^\S\n]*(?:[\p{L},;:.][^\S\n]*)*)\{\s*["'}]/u.test(window)) return true;
  const at = spaceEnd(window, 0);
  if (/^\{?\s*$/.test(window.slice(at))) look.atEnd();
  for (const label of labels) {
    const end = labelEnd(look, at, label);
    if (end === false) continue;
    const [line = "", ...more] = window.slice(end).trimStart().split("\n");
    if (more.length === 0) look.atEnd();
    return !/^(?:\{\s*\}|\p{L}[\p{L} ]*:.*)?$/u.test(line.trim()) && !NOTHING.test(line.trim());
  }
  return false;
}
