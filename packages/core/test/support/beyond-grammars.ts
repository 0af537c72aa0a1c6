import type { InvalidToolCall } from "../../src/index.js";

/**
 * Whether a call is invalid for what a grammar cannot keep out: a key of any object that comes twice, or digits that no
 * number keeps. A limit on digits would make a constrained model write another number.
 */
export const isBeyondGrammars = ({ error }: InvalidToolCall): boolean =>
  /comes twice, with different values|cannot be represented exactly/.test(error.message);
