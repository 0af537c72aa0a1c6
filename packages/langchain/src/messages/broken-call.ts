import type { InvalidToolCall } from "@toolingua/core";

/** An invalid call in LangChain's shape: `args` is what the model wrote. */
export const invalidToolCall = ({ id, name, raw, error }: InvalidToolCall) =>
  ({ type: "invalid_tool_call", id, args: raw, error: error.message, ...(name !== undefined && { name }) }) as const;

/** The end of a broken call's arguments: no parser LangChain uses, strict or forgiving, takes them after that. */
export const unparsable = (args = "") => `\\x\\x${args}`;
