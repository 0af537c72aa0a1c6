import type { InvalidToolCall } from "../types.js";

/**
 * Whether an invalid call was read in the only possible way: it names an unknown tool, or its arguments do not match the
 * schema. Its arguments may be shown; those of a call that is broken, or could be read in two ways, are a guess.
 *
 * @example if (hasOneReading(call)) show(call.name, call.arguments);
 */
export const hasOneReading = ({ error }: Pick<InvalidToolCall, "error">): boolean =>
  error.code === "unknown-tool" || (error.code === "invalid-arguments" && !error.ambiguous);
