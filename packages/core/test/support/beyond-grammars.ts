import type { InvalidToolCall } from "../../src/index.js";

/** Whether a call is invalid for a reason that a grammar cannot prevent: a repeated key in any object. */
export const isBeyondGrammars = ({ error }: InvalidToolCall): boolean =>
  error.message.includes("comes twice, with different values");
