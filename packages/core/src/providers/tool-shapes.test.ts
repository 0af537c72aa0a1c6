import { describe, expect, it } from "vitest";
import { z } from "zod";
import { conversationToJson, type GivenTool, providers } from "./index.js";

const schema = { type: "object", properties: { city: { type: "string" } } };
const about = { name: "weather", description: "The weather" };
const own = { ...about, parameters: schema };
const shapes: [string, GivenTool][] = [
  ["OpenAI", { type: "function", function: own }],
  ["Anthropic", { ...about, input_schema: schema }],
  ["MCP", { ...about, inputSchema: schema }],
  ["LangChain", { ...about, schema }],
];
const messages = [{ role: "user" as const, content: "Oslo?" }];

describe.each(Object.entries(providers))("%s", (_, format) => {
  it.each(shapes)("takes tools in the shape of %s", (_, tool) => {
    expect(format.toTools([tool])).toEqual(format.toTools([own]));
    expect(format.toRequest({ messages, tools: [tool] })).toEqual(format.toRequest({ messages, tools: [own] }));
    expect(format.toTools([tool, tool]).losses.map(({ path }) => path)).toContain("/1/name");
  });

  it("refuses a tool without a name, and one whose schema is under a misspelt key", () => {
    const misspelt = { name: "a", paramters: schema } as GivenTool;
    expect(() => format.toTools([misspelt])).toThrow('Did you mean "parameters"?');
    expect(() => format.toRequest({ messages, tools: [misspelt] })).toThrow('Did you mean "parameters"?');
    expect(() => format.toTools([{} as GivenTool])).toThrow("Tool #1 has no name");
  });
});

it.each(["x", new Date(), { city: z.string() }])(
  "a schema that cannot be read is refused with its place: %j",
  (parameters) => {
    for (const format of Object.values(providers)) {
      const tools = [own, { name: "bad", parameters }];
      expect(() => format.toTools(tools)).toThrow(/^\/1\/parameters: /);
      expect(() => format.toRequest({ messages, tools })).toThrow(/^\/tools\/1\/parameters: /);
      expect(() => format.formatSchema(parameters as object)).toThrow(/^(?:A schema|This) is /);
    }
  },
);

it.each(Object.entries(providers))("%s refuses a description that is no text, in both directions", (name, format) => {
  const wrong = { ...own, description: 5 } as never;
  expect(() => format.toTools([own, wrong])).toThrow("/1/description: expected a string, got");
  expect(() => format.toRequest({ messages, tools: [wrong] })).toThrow("/tools/0/description: expected a string, got");
  const written = JSON.stringify(format.toTools([own]).value).replace('"The weather"', "5");
  expect(() => format.fromTools(JSON.parse(written)), name).toThrow(/^\/0\/.*description: expected a string, got/);
  expect(format.fromTools(JSON.parse(written.replace("5", "null"))).value[0]).not.toHaveProperty("description");
});

it("strict mode is kept in the shape of OpenAI", () => {
  const tool = { type: "function" as const, function: { ...own, strict: true } };
  expect(providers.openai.toTools([tool])).toEqual(providers.openai.toTools([{ ...own, strict: true }]));
});

it("a log has tools in one shape", () => {
  const tools = shapes.map(([, tool]) => tool);
  expect(JSON.parse(conversationToJson({ messages, tools }).value).tools).toEqual([own, own, own, own]);
});
