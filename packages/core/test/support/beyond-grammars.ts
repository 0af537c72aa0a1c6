import type { InvalidToolCall } from "../../src/index.js";

/** Whether a call is invalid for what a grammar cannot keep out: a key of any object that comes twice. */
export const isBeyondGrammars = ({ error }: InvalidToolCall): boolean =>
  error.message.includes("comes twice, with different values");
