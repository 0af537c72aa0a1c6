import { RunnableLambda } from "@langchain/core/runnables";
import { DynamicTool, tool } from "@langchain/core/tools";
import { protocols, ToolDefinitionError } from "@toolingua/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { ToolBindingError } from "../errors.js";
import { bindableTools, boundDefinitions, toChoice, toToolDefinitions } from "./tools.js";

const fields = { name: "weather", description: "The weather" };
const shape = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

describe("toToolDefinitions", () => {
  const weather: Record<string, unknown> = {
    "a StructuredTool with zod 4": tool(() => "", { ...fields, schema: z.object({ city: z.string() }) }),
    "a StructuredTool with zod 3": tool(() => "", { ...fields, schema: z3.object({ city: z3.string() }) as never }),
    "a StructuredTool with JSON Schema": tool(() => "", { ...fields, schema: shape as never }),
    "a RunnableToolLike": RunnableLambda.from((input: { city: string }) => input.city).asTool({
      ...fields,
      schema: z.object({ city: z.string() }),
    }),
    StructuredToolParams: { ...fields, schema: z.object({ city: z.string() }) },
    "OpenAI's shape": { type: "function", function: { ...fields, parameters: shape } },
    "OpenAI's Responses shape": { type: "function", ...fields, parameters: shape },
    "Anthropic's shape": { ...fields, input_schema: shape },
    "Anthropic's shape with its type": { type: "custom", ...fields, input_schema: shape },
    "MCP's shape": { ...fields, inputSchema: shape },
    "a plain object": { ...fields, schema: shape },
  };

  it.each(Object.entries(weather))("accepts %s", (_, one) => {
    const [definition] = toToolDefinitions([one as never]);
    expect(definition).toMatchObject({ ...fields, parameters: shape });
  });

  it("accepts a tool with one string, and one without a schema", () => {
    const search = new DynamicTool({ name: "search", description: "Searches", func: async () => "" });
    expect(toToolDefinitions([search])[0]?.parameters).toMatchObject({ properties: { input: { type: "string" } } });
    expect(toToolDefinitions([{ name: "now" }])).toEqual([{ name: "now" }]);
  });

  it("does not require a parameter with a default", () => {
    const schema = z.object({ city: z.string(), unit: z.string().default("C") });
    expect(toToolDefinitions([{ name: "weather", schema }])[0]?.parameters).toMatchObject({ required: ["city"] });
  });

  it("reads a schema that is a function, as ArkType's are", () => {
    const input = () => ({ type: "object", properties: { city: { type: "string" } }, required: ["city"] });
    const standard = {
      version: 1,
      vendor: "arktype",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input },
    };
    const schema = Object.assign(() => {}, { "~standard": standard });
    const [definition] = toToolDefinitions([{ name: "weather", schema } as never]);
    expect(definition?.parameters).toEqual(input());
  });

  it("does not change the caller's schema", () => {
    const schema = z.object({ place: z.object({ city: z.string() }) });
    toToolDefinitions([{ name: "weather", schema }]);
    expect(schema.safeParse({ place: { city: "Oslo", extra: 1 } }).success).toBe(true);
  });

  it("returns one schema object for one schema, so that it is compiled once", () => {
    const schema = z.object({ city: z.string() });
    const [first, second] = [1, 2].map(() => toToolDefinitions([{ name: "weather", schema }])[0]?.parameters);
    expect(first).toBe(second);
  });

  const endless: Record<string, unknown> = { type: "object" };
  endless.properties = { inner: endless };
  const refused: [string, unknown[], string, RegExp][] = [
    ["a built-in tool", [{ type: "web_search" }], "built-in-tool", /"web_search".*of your own/],
    ["a built-in tool with a name", [{ type: "web_search_20250305", name: "web_search" }], "built-in-tool", /Tool #1/],
    ["an object that is no tool", [{ googleSearch: {} }], "unknown-shape", /googleSearch/],
    ["null", [null], "unknown-shape", /Tool #1 is null/],
    ["a name alone", ["add"], "unknown-shape", /is "add", and a tool is an object/],
    ["a bare function", [() => 1], "unknown-shape", /a function/],
    ["a list in the list", [[{ name: "a" }]], "unknown-shape", /Tool #1 is a list, and a tool is an object/],
    ["a schema that is a word", [{ name: "a", schema: "object" }], "invalid-schema", /not "object"/],
    ["a schema that is a bare function", [{ name: "a", schema: () => ({}) }], "invalid-schema", /"a"/],
    ["tools that are no list", {} as unknown[], "unknown-shape", /list/],
    ["two tools with one name", [{ name: "a" }, { name: "a" }], "duplicate-name", /"a"/],
    ["a tool without a name", [{ type: "function", function: {} }], "missing-name", /Tool #1/],
    ["a schema that holds itself", [{ name: "a", schema: endless }], "invalid-schema", /"a"/],
    ["a schema that is no object", [{ name: "a", schema: z.string() }], "parameters-not-object", /"string"/],
    [
      "a schema that is no JSON Schema",
      [{ name: "a", schema: z.object({ d: z.map(z.string(), z.string()) }) }],
      "invalid-schema",
      /"a"/,
    ],
  ];
  it.each(refused)("refuses %s", (_, tools, code, message) => {
    const convert = () => toToolDefinitions(tools as never);
    expect(convert).toThrow(code === "built-in-tool" ? ToolBindingError : ToolDefinitionError);
    expect(convert).toThrow(message);
    expect(convert).toThrow(expect.objectContaining({ code }));
  });
});

describe("bindableTools", () => {
  it("binds OpenAI's shape, converted at most once", () => {
    const bound = bindableTools([{ ...fields, schema: shape }], protocols.hermes);
    expect(bound).toEqual([{ type: "function", function: { ...fields, parameters: shape } }]);
    expect(boundDefinitions(bound)).toBe(boundDefinitions(bound));
    expect(boundDefinitions(undefined)).toEqual([]);
  });

  it("accepts any name that the protocol can write, and refuses the others", () => {
    for (const name of ["a.b", "a b", "天気", 'say "hi"'])
      expect(bindableTools([{ name }], protocols.hermes)).toHaveLength(1);
    expect(() => bindableTools([{ name: "a<b" }], protocols.xml)).toThrow(/"xml" cannot call a tool named "a<b"/);
  });
});

describe("toChoice", () => {
  const tools = [{ name: "weather" }, { name: "any" }];
  const spellings: [unknown, unknown][] = [
    [undefined, "auto"],
    [null, "auto"],
    ["auto", "auto"],
    ["none", "none"],
    ["any", "required"],
    ["required", "required"],
    ["weather", { name: "weather" }],
    [{ type: "function", function: { name: "weather" } }, { name: "weather" }],
    [{ type: "function", name: "weather" }, { name: "weather" }],
    [{ type: "tool", name: "weather" }, { name: "weather" }],
    [{ type: "tool", name: "any" }, { name: "any" }],
    [{ name: "weather" }, { name: "weather" }],
    [{ tool: { name: "weather" } }, { name: "weather" }],
    [{ type: "any" }, "required"],
    [{ type: "auto" }, "auto"],
    [{ type: "none" }, "none"],
    [{ any: {} }, "required"],
  ];
  it.each(spellings)("reads %j as %j", (tool_choice, expected) => {
    expect(toChoice({ tool_choice: tool_choice as never }, tools)).toEqual({ toolChoice: expected });
  });

  it("reads both ways to request one call at a time", () => {
    expect(toChoice({ parallel_tool_calls: false }, tools).parallel).toBe(false);
    expect(toChoice({ tool_choice: { type: "auto", disable_parallel_tool_use: true } }, tools).parallel).toBe(false);
  });

  it("cannot require a call without tools", () => {
    expect(toChoice({ tool_choice: "any" }, []).toolChoice).toBe("auto");
  });

  it("lists the tools if an unknown one is chosen", () => {
    expect(() => toChoice({ tool_choice: "wether" }, tools)).toThrow(/"wether".*weather, any/);
    expect(() => toChoice({ tool_choice: { type: "tool", name: "toString" } }, tools)).toThrow(ToolBindingError);
    expect(() => toChoice({ tool_choice: "toString" }, tools)).toThrow(ToolBindingError);
  });
});
