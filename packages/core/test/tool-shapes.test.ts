import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toolCallGrammar } from "../src/grammar/index.js";
import {
  type AnyTool,
  createReplyParser,
  generateWithTools,
  normalizeTools,
  OptionsError,
  parseReply,
  ToolDefinitionError,
} from "../src/index.js";
import { parseToolCallArguments, validateArguments } from "../src/providers/index.js";

// Tools as people paste them, at every door.

const text = '<tool_call>{"name": "add", "arguments": {"a": "1"}}</tool_call>';
const parameters = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
const schema = z.object({ a: z.number().int() });
const shapes: [string, AnyTool][] = [
  ["ours", { name: "add", parameters }],
  ["ours, with zod", { name: "add", parameters: schema }],
  ["OpenAI's", { type: "function", function: { name: "add", parameters } }],
  ["Responses'", { type: "function", name: "add", parameters } as AnyTool],
  ["Anthropic's", { name: "add", input_schema: parameters }],
  ["MCP's", { name: "add", inputSchema: parameters }],
  ["LangChain's", { name: "add", schema }],
];
const wrong: [string, unknown][] = [
  ["null", null],
  ["a name", "add"],
  ["an object without a name", { parameters }],
  ["no schema", { name: "add", parameters: 42 }],
];

describe.each(shapes)("a tool of %s shape", (_, tool) => {
  it("is accepted by every function", async () => {
    const expected = { toolCalls: [{ name: "add", arguments: { a: 1 } }], invalidToolCalls: [] };
    expect(parseReply(text, { tools: [tool] })).toMatchObject(expected);
    const parser = createReplyParser({ tools: [tool] });
    const events = [...parser.push(text), ...parser.end()];
    expect(events.at(-1)).toMatchObject({ type: "call-end", call: { arguments: { a: 1 } } });
    const model = async function* () {
      yield text;
    };
    const messages = [{ role: "user" as const, content: "1?" }];
    expect(await generateWithTools({ model, messages, tools: [tool] }).result()).toMatchObject(expected);
    expect(normalizeTools([tool])[0]).toMatchObject({ name: "add", parameters: { required: ["a"] } });
    const { grammar } = toolCallGrammar({ tools: [tool], protocol: "hermes", toolChoice: "required" });
    expect(grammar).toMatch(/"\\"a\\":/);
    expect(validateArguments(tool, { a: "x" })).toHaveLength(1);
    expect(parseToolCallArguments(tool, '{"a": "1"}', "openai").arguments).toEqual({ a: 1 });
  });
});

describe.each(wrong)("%s as a tool", (_, tool) => {
  it("is a typed error in every function", async () => {
    const tools = [tool] as AnyTool[];
    const messages = [{ role: "user" as const, content: "1?" }];
    expect(() => parseReply(text, { tools })).toThrow(ToolDefinitionError);
    expect(() => createReplyParser({ tools })).toThrow(ToolDefinitionError);
    expect(() => normalizeTools(tools)).toThrow(ToolDefinitionError);
    expect(() => toolCallGrammar({ tools, protocol: "hermes", toolChoice: "required" })).toThrow(ToolDefinitionError);
    await expect(generateWithTools({ model: async function* () {}, messages, tools }).result()).rejects.toThrow(
      ToolDefinitionError,
    );
  });
});

it("an invalid list of tools, reply or option is a typed error", async () => {
  const named = { tools: { add: parameters } as never };
  const list = "a list of tools (`fromAiSdkTools` of @toolingua/ai-sdk makes one)";
  const how = { messages: [], model: async function* () {}, protocol: "hermes", toolChoice: "required" } as const;
  expect(() => parseReply(text, named)).toThrow(`\`tools\` must be ${list}, not an object.`);
  expect(() => normalizeTools(named.tools)).toThrow(`\`tools\` must be ${list}, not an object.`);
  await expect(generateWithTools({ ...how, ...named }).result()).rejects.toThrow(`${list}, not an object.`);
  for (const no of [5, undefined, null, [text]]) expect(() => parseReply(no as never)).toThrow(OptionsError);
  expect(() => parseReply(text, { protcol: "hermes" } as object)).toThrow(/Did you mean "protocol"/);
  expect(() => createReplyParser({ tool: [] } as object)).toThrow(/Did you mean "tools"/);
  expect(() => parseReply(text, { accept: "all" as "any" })).toThrow(OptionsError);
  expect(() => toolCallGrammar({ tools: [], protocol: "hermes" } as never)).toThrow(/`toolChoice` is missing/);
});

it("a call that ended before its arguments is not a call without arguments", () => {
  const optional = { name: "say", parameters: { type: "object", properties: { text: { type: "string" } } } };
  expect(() => parseToolCallArguments(optional, "", "openai")).toThrow(/JSON object/);
  expect(parseToolCallArguments({ name: "now" }, "", "openai").arguments).toEqual({});
});
