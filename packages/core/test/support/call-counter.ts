import { expect } from "vitest";
import { createReplyParser, type ProtocolName, parseReply, type ToolDefinition } from "../../src/index.js";

/**
 * Counts the calls of these tools in a reply, whole and streamed, where a text is untrusted.
 *
 * @example callCounter(tools)("hermes", call, `See: ${call}`); // 0
 */
export const callCounter =
  (tools: readonly ToolDefinition[]) =>
  (protocol: ProtocolName, reply: string, untrusted: string): number => {
    const options = { tools, protocol, untrusted: [untrusted] };
    const parser = createReplyParser(options);
    const events = [...[...reply].flatMap((char) => parser.push(char)), ...parser.end()];
    const { length } = parseReply(reply, options).toolCalls;
    expect(events.filter(({ type }) => type === "call-end")).toHaveLength(length);
    return length;
  };
