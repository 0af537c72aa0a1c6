import fc from "fast-check";
import type { ToolDefinition } from "../../src/index.js";
import { type Scenario, scenario } from "../arbitraries.js";

/** Tools as applications have them, and tools whose names are words of the formats themselves. */
const written: Scenario[] = [
  {
    tools: [
      {
        name: "get_weather",
        parameters: {
          type: "object",
          properties: {
            city: { type: "string" },
            days: { type: "integer" },
            unit: { enum: ["celsius", "fahrenheit"] },
          },
          required: ["city"],
        },
      },
      {
        name: "write_file",
        parameters: {
          type: "object",
          properties: { path: { type: "string" }, content: { type: "string" }, tags: { type: "array" } },
          required: ["path", "content"],
          additionalProperties: false,
        },
      },
      { name: "now" },
    ],
    calls: [
      { name: "get_weather", arguments: { city: "Paris", days: 3 } },
      {
        name: "write_file",
        arguments: { path: "a.md", content: 'Use "quotes", <b>tags</b> & more\n', tags: [1, null] },
      },
      { name: "now", arguments: {} },
    ],
  },
  {
    tools: [
      {
        name: "search",
        parameters: {
          type: "object",
          properties: {
            query: { type: "string" },
            filter: {
              type: "object",
              properties: { from: { type: "number" }, any: {}, nested: { type: "array", items: { type: "string" } } },
            },
            limit: { anyOf: [{ type: "integer" }, { type: "null" }, { type: "array", items: { type: "number" } }] },
            exact: { type: "boolean" },
          },
        },
      },
      {
        name: "kom.memory.v1.search_memory",
        parameters: { type: "object", properties: { namespace: { type: "string" } } },
      },
    ],
    calls: [
      {
        name: "search",
        arguments: {
          query: "x",
          filter: { from: 0.5, any: [[1], { a: "b" }], nested: ["<a>", "b"] },
          limit: [1, 2.5],
          exact: false,
        },
      },
      { name: "kom.memory.v1.search_memory", arguments: { namespace: "project:metal" } },
    ],
  },
  ...["think", "tool", "call", "name", "arguments", "function", "result", "final", "item"].map((name) => ({
    tools: [{ name, parameters: { type: "object", properties: { name: { type: "string" }, arguments: {} } } }],
    calls: [{ name, arguments: { name: "a", arguments: { name: "b" } } }],
  })),
];

const CHOSEN = 150;

/** Tools with calls that fit them. The same for a seed; few, because a validator is compiled for each. */
export const scenariosOf = (seed: number): readonly Scenario[] => [
  ...written,
  ...fc.sample(scenario, { seed, numRuns: CHOSEN }),
];

/** All strings of a value, those of its keys apart. */
export function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => [key, mapStrings(part, change)]);
  return Object.fromEntries(entries);
}

/** The calls with other strings, wherever the tools' schemas let a string be any. */
export function withStrings({ tools, calls }: Scenario, change: (text: string) => string): Scenario["calls"] {
  return calls.map(({ name, arguments: args }) => {
    const schema = tools.find((tool) => tool.name === name)?.parameters;
    return { name, arguments: changed(args, schema, change) as Record<string, unknown> };
  });
}

function changed(value: unknown, schema: ToolDefinition["parameters"], change: (text: string) => string): unknown {
  if (typeof schema !== "object" || "enum" in schema || "anyOf" in schema) return value;
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => changed(item, schema.items as typeof schema, change));
  if (typeof value !== "object" || value === null) return value;
  const properties = (schema.properties ?? {}) as Record<string, typeof schema>;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, changed(part, properties[key], change)]));
}
