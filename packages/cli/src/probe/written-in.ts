import { isDeepStrictEqual } from "node:util";
import { type ProtocolName, parseReply, type ToolCall, type ToolDefinition } from "@toolingua/core";
import { everyProtocolName } from "./candidates.js";

/**
 * The format in which a model wrote its calls, whatever it was asked for: readers understand all of them, so that only a look at
 * the reply tells. Of several that read the same calls, the first of `preferred` counts. `undefined` where there are no
 * calls, or they are in no format as it is declared.
 *
 * @example writtenIn('<tool_call>{"name": "now", "arguments": {}}</tool_call>', { tools, calls, preferred: ["hermes"] }); // "hermes"
 */
export function writtenIn(
  raw: string,
  {
    tools,
    calls,
    preferred,
  }: { tools: readonly ToolDefinition[]; calls: readonly ToolCall[]; preferred: readonly ProtocolName[] },
): ProtocolName | undefined {
  if (calls.length === 0) return undefined;
  const plain = (list: readonly ToolCall[]) => list.map(({ name, arguments: args }) => ({ name, arguments: args }));
  const wanted = plain(calls);
  return [...new Set([...preferred, ...everyProtocolName])].find((protocol) => {
    const { toolCalls } = parseReply(raw, { tools, protocol, accept: "own", deltas: false });
    return isDeepStrictEqual(plain(toolCalls), wanted);
  });
}
