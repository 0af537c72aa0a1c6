import { type Input, LOOKAHEAD, spaceEnd } from "../input.js";
import { labelEnd } from "../opening/labels.js";

/** Words that models write for an empty input. */
export const NOTHING = /^(?:none|null|nil|n\/a|not applicable|-+|\(none\))\.?$/i;

/**
 * Whether other arguments for the same call follow its arguments: another object on this line or the next, or text after
 * the label of the arguments. Undefined: more input is needed.
 */
export function inputFollows({ text, pos, final }: Input, labels: readonly string[]): boolean | undefined {
  const window = text.slice(pos, pos + 2 * LOOKAHEAD);
  const isCut = window.length < 2 * LOOKAHEAD && !final;
  if (isCut && !window.includes("\n")) return undefined;
  // Any other character before the object belongs to another call.
  if (/^[^\S\n]*(?:[\p{L},;:.][^\S\n]*)*\{\s*["'}]/u.test(window)) return true;
  const at = spaceEnd(window, 0);
  if (isCut && /^\{?\s*$/.test(window.slice(at))) return undefined;
  if (window.slice(at).search(OBJECT) === 0) return true;
  for (const label of labels) {
    const end = labelEnd(window, at, label, !isCut);
    if (end === undefined) return undefined;
    if (end === false) continue;
    const [line = "", ...more] = window.slice(end).trimStart().split("\n");
    if (isCut && more.length === 0) return undefined;
    return !/^(?:\{\s*\}|\p{L}[\p{L} ]*:.*)?$/u.test(line.trim()) && !NOTHING.test(line.trim());
  }
  return false;
}

const OBJECT = /\{\s*["'}]/;
