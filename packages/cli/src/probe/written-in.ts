import { isDeepStrictEqual } from "node:util";
import { type ProtocolName, parseReply, type ToolCall, type ToolDefinition } from "@toolingua/core";
import { protocolNames } from "../protocols/named-protocol.js";

/**
 * The format in which a model wrote its calls, whatever was requested: readers accept all formats, so only the reply
 * shows it. If several formats match, the first of `preferred` counts. `undefined` if there are no calls, or they match
 * no declared format.
 *
 * @example
 * writtenIn('<tool_call>{"name": "now", "arguments": {}}</tool_call>', { tools, calls, preferred: ["hermes"] }); // "hermes"
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
  return [...new Set([...preferred, ...protocolNames])].find((protocol) => {
    const { toolCalls } = parseReply(raw, { tools, protocol, accept: "own", deltas: false });
    return isDeepStrictEqual(plain(toolCalls), wanted);
  });
}
