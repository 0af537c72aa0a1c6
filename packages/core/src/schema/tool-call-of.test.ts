import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  type AnyTool,
  type ChatMessage,
  collectReply,
  createReplyParser,
  generateWithTools,
  type ParsedReply,
  parseReply,
  type TextModel,
  type ToolCall,
  type ToolCallOf,
  type ToolDefinition,
  type Turn,
} from "../index.js";

// `tsc` runs over this file: the types are tested by compiling it.

const weather = {
  name: "weather",
  parameters: {
    type: "object",
    properties: { city: { type: "string" }, unit: { enum: ["C", "F"] }, days: { type: "integer", default: 1 } },
    required: ["city"],
  },
} as const;
const search = { type: "function", function: { name: "search", parameters: z.object({ query: z.string() }) } } as const;
const now = { name: "now" } as const;
const stop = { name: "stop", input_schema: { type: "object", properties: {} } } as const;

interface Weather {
  city: string;
  unit?: "C" | "F";
  days?: number;
}
const reply = '<tool_call>{"name": "weather", "arguments": {"city": "Oslo", "unit": "C"}}</tool_call>';

test("the calls of parseReply have the types of the tools, at run time too", () => {
  const { toolCalls } = parseReply(reply, { tools: [weather, search, now, stop] });
  expectTypeOf<(typeof toolCalls)[number]["name"]>().toEqualTypeOf<"weather" | "search" | "now" | "stop">();
  expect(toolCalls).toHaveLength(1);
  for (const call of toolCalls) {
    if (call.name === "weather") {
      expectTypeOf(call.arguments).branded.toEqualTypeOf<Weather>();
      expect([call.arguments.city, call.arguments.unit, call.arguments.days]).toEqual(["Oslo", "C", undefined]);
    } else if (call.name === "search") expectTypeOf(call.arguments).toEqualTypeOf<{ query: string }>();
    else if (call.name === "now") expectTypeOf(call.arguments).toEqualTypeOf<Record<string, unknown>>();
    // @ts-expect-error: no tool has this name.
    expect(call.name === "weahter").toBe(false);
  }
  // A typed call is a call: it can go into the history.
  const message: ChatMessage = { role: "assistant", content: "", toolCalls };
  expect(message.toolCalls).toBe(toolCalls);
});

test("tools written inline need no `as const`", () => {
  const { toolCalls } = parseReply('{"name": "add", "arguments": {"a": 1}}', {
    tools: [{ name: "add", parameters: { type: "object", properties: { a: { type: "number" } }, required: ["a"] } }],
  });
  expectTypeOf(toolCalls).branded.toEqualTypeOf<ToolCall<"add", { a: number }>[]>();
  expect(toolCalls[0]?.arguments.a).toBe(1);
});

test("a turn and a parser have typed results and events", async () => {
  const model: TextModel = async function* () {
    yield reply;
  };
  const messages: ChatMessage[] = [{ role: "user", content: "How is Oslo?" }];
  const turn = generateWithTools({ model, messages, tools: [weather, search] });
  const cities: string[] = [];
  for await (const event of turn)
    if (event.type === "call-end" && event.call.name === "weather") cities.push(event.call.arguments.city);
  const { toolCalls } = await turn.result();
  expectTypeOf<(typeof toolCalls)[number]["name"]>().toEqualTypeOf<"weather" | "search">();

  const parser = createReplyParser({ tools: [weather] });
  const parsed = collectReply([...parser.push(reply), ...parser.end()]);
  expectTypeOf<(typeof parsed.toolCalls)[number]["arguments"]>().branded.toEqualTypeOf<Weather>();
  for (const call of [...toolCalls, ...parsed.toolCalls])
    cities.push(call.name === "weather" ? call.arguments.city : call.name);
  expect(cities).toEqual(["Oslo", "Oslo", "Oslo"]);
});

test("unknown tools leave the calls untyped", () => {
  const definitions: ToolDefinition[] = [weather];
  const some = [weather, now] as const;
  const plain = parseReply(reply).toolCalls;
  expectTypeOf(plain).toEqualTypeOf<ToolCall[]>();
  expectTypeOf(parseReply(reply, { tools: definitions }).toolCalls).branded.toEqualTypeOf<ToolCall[]>();
  expectTypeOf(parseReply(reply, { tools: undefined }).toolCalls).toEqualTypeOf<ToolCall[]>();
  expectTypeOf(parseReply(reply, { tools: [] }).toolCalls).toEqualTypeOf<ToolCall[]>();
  expectTypeOf<ToolCallOf<AnyTool>>().toEqualTypeOf<ToolCall>();
  expectTypeOf<ToolCallOf<{ name: "a" | "b"; inputSchema: { type: "object" } }>["name"]>().toEqualTypeOf<"a" | "b">();
  // Typed results are also results.
  const asBefore: ParsedReply = parseReply(reply, { tools: some });
  const turn = (tools: readonly AnyTool[], model: TextModel): Turn => generateWithTools({ model, messages: [], tools });
  expect(asBefore.toolCalls).toMatchObject([{ name: plain[0]?.name }]);
  expect(turn).toBeTypeOf("function");
});

test("null of OpenAPI's `nullable` is in the type and in the call", () => {
  const { toolCalls } = parseReply('{"name": "pay", "arguments": {"note": null}}', {
    tools: [
      {
        name: "pay",
        parameters: { type: "object", properties: { note: { type: "string", nullable: true } }, required: ["note"] },
      },
    ],
  });
  expectTypeOf<(typeof toolCalls)[number]["arguments"]["note"]>().toEqualTypeOf<string | null>();
  expect(toolCalls[0]?.arguments.note).toBeNull();
});
