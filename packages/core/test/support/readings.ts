import { expect } from "vitest";
import { createReplyParser, type JsonSchema, type ProtocolName, type ToolDefinition } from "../../src/index.js";

// Tools for replies that can be read in two ways, and their readings.

const tool = (name: string, properties: Record<string, JsonSchema>, more: object = {}): ToolDefinition => ({
  name,
  parameters: { type: "object", properties, ...more },
});

const text = { type: "string" };
const integer = { type: "integer" };
export const tools = [
  tool("f", { a: integer, b: integer }),
  tool("ship.order", { depot: text, boxes: integer }, { required: ["depot"] }),
  tool("book", { venue: text, guests: text, note: text }),
  tool("run_job", { cmd: text, dir: text }, { required: ["cmd"] }),
  tool("save_tasks", { tasks: { type: "array" }, names: { type: "array", items: text } }),
  tool("set_lamp", { room: text, level: integer }),
  tool("query", { filters: { type: "array", items: text } }, { required: ["filters"], additionalProperties: false }),
  tool("filter_rows", { "min<5>": text }),
  tool("ping", {}),
  tool("read_meter", { room: text }),
  tool("open_file", { path: text, place: { type: "object", properties: { city: text } } }),
];

/** The calls that run, and the codes of those that do not, the same in any chunks. */
export function readings(reply: string, protocol: ProtocolName | "auto") {
  const results = [[reply], [...reply]].map((chunks) => {
    const parser = createReplyParser({ protocol, tools });
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    return events.flatMap((event): unknown[] => {
      if (event.type === "call-end") return [[event.call.name, event.call.arguments]];
      return event.type === "call-invalid" ? [event.call.error.code] : [];
    });
  });
  expect(results[1]).toEqual(results[0]);
  return results[0];
}
