import type { PmlPosition } from "../errors.js";

/** Where something begins, and where it ends (behind its last character). */
export interface PmlRange {
  start: PmlPosition;
  end: PmlPosition;
}

const ranges = new WeakMap<object, PmlRange>();

/** Keeps where a node stands. */
export function remember(node: object, range: PmlRange): void {
  ranges.set(node, range);
}

/**
 * Where a node of a tree that was read stands in its text. `undefined` for a node that was made, copied or changed since:
 * trees are plain data and do not hold it.
 *
 * @example positionOf(parsePml(xml).conversation.turns[0])?.start; // { line: 3, column: 5, offset: 57 }
 */
export const positionOf = (node: object): PmlRange | undefined => ranges.get(node);
