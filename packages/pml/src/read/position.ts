import type { PmlPosition } from "../errors.js";

/** The beginning and the end (after the last character) of a node's text. */
export interface PmlRange {
  start: PmlPosition;
  end: PmlPosition;
}

const ranges = new WeakMap<object, PmlRange>();

/** Stores the position of a node. */
export function remember(node: object, range: PmlRange): void {
  ranges.set(node, range);
}

/**
 * The position of a parsed node in its text. `undefined` for a node that was created, copied or changed: trees are
 * plain data and do not contain positions.
 *
 * @example positionOf(parsePml(text).conversation.turns[0])?.start; // { line: 3, column: 5, offset: 57 }
 */
export const positionOf = (node: object): PmlRange | undefined => ranges.get(node);
