import type { InvalidToolCall } from "@toolingua/core";

/** An invalid call in LangChain's shape: `args` is the raw text of the model. */
export const invalidToolCall = ({ id, name, raw, error }: InvalidToolCall) =>
  ({ type: "invalid_tool_call", id, args: raw, error: error.message, ...(name !== undefined && { name }) }) as const;

/** Appends text that makes arguments unreadable for every parser of LangChain, strict or lenient. */
export const unparsable = (args = "") => `\\x\\x${args}`;
