import { expect } from "vitest";
import { createReplyParser, type ProtocolName, type ToolDefinition } from "../../src/index.js";

/**
 * Reads replies with these tools: the text, the source of the invalid calls and the names of the others, the same in any
 * chunks.
 */
export const spokenWith =
  (tools: readonly ToolDefinition[]) =>
  (reply: string, protocol: ProtocolName | "auto"): { text: string; invalid: string[]; calls: string[] } => {
    const [whole, streamed] = [[reply], [...reply]].map((chunks) => {
      const parser = createReplyParser({ protocol, tools });
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
      return {
        text: events.map((event) => (event.type === "text" ? event.text : "")).join(""),
        invalid: events.flatMap((event) => (event.type === "call-invalid" ? [event.call.raw] : [])),
        calls: events.flatMap((event) => (event.type === "call-end" ? [event.call.name] : [])),
      };
    });
    expect(streamed).toEqual(whole);
    return whole!;
  };
