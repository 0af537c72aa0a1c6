import { expect } from "vitest";
import { parseReply, type ToolDefinition } from "../../src/index.js";

/** Tools to read replies with. */
export const tools: ToolDefinition[] = [
  {
    name: "get_weather",
    description: "Weather at a place.",
    parameters: {
      type: "object",
      properties: {
        city: { type: "string" },
        days: { type: "integer" },
        unit: { enum: ["celsius", "fahrenheit"] },
        tags: { type: "array", items: { type: "string" } },
        options: { type: "object", properties: { wind: { type: "boolean" } } },
      },
      required: ["city"],
    },
  },
  {
    name: "write_file",
    parameters: { type: "object", properties: { path: { type: "string" }, content: { type: "string" } } },
  },
  { name: "now", parameters: { type: "object", properties: {}, additionalProperties: false } },
];

/** A call in the Hermes format. */
export const hermes = (json: string) => `<tool_call>\n${json}\n</tool_call>`;
/** A reply read with those tools, by default in the Hermes format. */
export const read = (text: string, options: Parameters<typeof parseReply>[1] = {}) =>
  parseReply(text, { tools, protocol: "hermes", ...options });
/** The arguments of its calls, of which none may be invalid. */
export const argumentsOf = (text: string, options: Parameters<typeof parseReply>[1] = {}) => {
  const { toolCalls, invalidToolCalls } = read(text, options);
  expect(invalidToolCalls).toEqual([]);
  return toolCalls.map((call) => call.arguments);
};
