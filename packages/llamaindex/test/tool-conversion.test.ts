import type { BaseTool } from "@llamaindex/core/llms";
import { FunctionTool } from "@llamaindex/core/tools";
import { ToolDefinitionError } from "@toolingua/core";
import { defineTool, ToolSpec, tool } from "@toolingua/tools";
import { describe, expect, expectTypeOf, it, vi } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import {
  fromLlamaIndexTools,
  ToolCallingLLM,
  toLlamaIndexTools,
  toToolDefinitions,
  withToolCalling,
} from "../src/index.js";
import { call, ScriptedLLM } from "./scripted-llm.js";

const schema = z.object({ a: z.number(), b: z.number().default(1) });
const add = tool("add", { description: "Adds two numbers", schema }, ({ a, b }) => a + b);
const context = { toolCallId: "1" };

describe.each([
  ["fromLlamaIndexTools", fromLlamaIndexTools],
  ["toToolDefinitions", toToolDefinitions],
])("%s", (_, convert) => {
  it.each([undefined, null, 5, [null], [5], [{}], [{ metadata: null }]])("refuses %j with a code", (given) => {
    expect(() => Reflect.apply(convert, undefined, [given])).toThrow(ToolDefinitionError);
  });
});

describe("toLlamaIndexTools", () => {
  it.each([undefined, null, "add", {}])("refuses %j, which is no list of tools", (given) => {
    expect(() => Reflect.apply(toLlamaIndexTools, undefined, [given])).toThrow(ToolDefinitionError);
  });

  it("refuses a tool that nothing can run", () => {
    const refused = expect.objectContaining({ name: "ToolDefinitionError", code: "missing-execute" });
    expect(() => toLlamaIndexTools([add, { name: "say" }] as never)).toThrow(refused);
  });

  it("converts tools of every form, with the schema of their input", async () => {
    class Desk extends ToolSpec {
      @tool({ description: "Opens a ticket", schema: z.object({ title: z.string() }) })
      open({ title }: { title: string }) {
        return `ticket ${title}`;
      }
    }
    const [made] = toLlamaIndexTools([add]);
    expect(made?.metadata).toMatchObject({
      name: "add",
      description: "Adds two numbers",
      parameters: { required: ["a"] },
    });
    expect(await made?.call({ a: 2 })).toBe(3);
    expect(await toLlamaIndexTools(new Desk())[0]?.call({ title: "Leak" })).toBe("ticket Leak");
    const now = defineTool("now")
      .description("The time")
      .execute(() => "noon");
    const [built, bare] = toLlamaIndexTools([now, { name: "bare", execute: () => 1 }]);
    expect(built?.metadata.parameters).toMatchObject({ type: "object", properties: {} });
    expect(bare?.metadata).toEqual({ name: "bare", description: "", parameters: { type: "object", properties: {} } });
  });

  it("gives results that JSON lacks as data", async () => {
    const itself: Record<string, unknown> = { n: 1n };
    itself.own = itself;
    const [sum, list, own] = toLlamaIndexTools([
      { name: "sum", execute: () => 5n },
      { name: "list", execute: () => ({ at: new Map([["a", 2n]]) }) },
      { name: "own", execute: () => itself },
    ]);
    expect(await sum?.call({})).toBe("5");
    expect(await list?.call({})).toEqual({ at: { a: 2 } });
    expect(await own?.call({})).toEqual({ n: 1, own: "[Circular]" });
  });

  it.each([{ n: 9 }, { n: "x" }, {}, null, undefined, "x"])(
    "runs no tool with %j, which its schema refuses",
    async (input) => {
      const execute = vi.fn(() => "ran");
      const properties = { n: { type: "integer", maximum: 5 } };
      const [made] = toLlamaIndexTools([
        { name: "pay", parameters: { type: "object", properties, required: ["n"] }, execute },
      ]);
      await expect(made!.call(input as object)).rejects.toThrow(/The call to "pay" was not run/);
      expect(execute).not.toHaveBeenCalled();
      expect(await made!.call({ n: 5 })).toBe("ran");
    },
  );

  it.each([
    [undefined, ""],
    [null, ""],
    [true, true],
    [0, 0],
    ["text", "text"],
    [
      [1, "a"],
      [1, "a"],
    ],
    [{ a: { b: 1 } }, { a: { b: 1 } }],
    [{ a: { b: null } }, '{"a":{"b":null}}'],
    [new Date(0), "1970-01-01T00:00:00.000Z"],
  ])("returns %j as LlamaIndex expects it", async (value, given) => {
    expect(await toLlamaIndexTools([{ name: "t", execute: () => value }])[0]?.call({})).toEqual(given);
  });

  it("throws a failure that a tool returns, because LlamaIndex recognises errors only", async () => {
    const failing = tool("t", { description: "x" }, () => Promise.reject(new Error("down")));
    await expect(toLlamaIndexTools([failing])[0]?.call({})).rejects.toThrow('The tool "t" failed: down');
    await expect(toLlamaIndexTools([add])[0]?.call({ a: "one" })).rejects.toMatchObject({ code: "invalid-arguments" });
  });

  it("passes the call's id to a tool, if the model is one of ours", async () => {
    const execute = vi.fn(() => "done");
    const tools = toLlamaIndexTools([{ name: "t", execute }]);
    const llm = withToolCalling(new ScriptedLLM({ replies: [call("t", { n: 1 })] }), {
      protocol: "hermes",
      generateId: () => "call_7",
    });
    await llm.exec({ messages: [{ role: "user", content: "Go" }], tools });
    await tools[0]?.call({ n: 1 });
    expect(execute.mock.calls).toEqual([
      [{ n: 1 }, { toolCallId: "call_7" }],
      [{ n: 1 }, { toolCallId: "" }],
    ]);
  });

  it("refuses tools that no model could call", () => {
    expect(() => toLlamaIndexTools([add, add])).toThrow(ToolDefinitionError);
    expect(() => toLlamaIndexTools([{ ...add, name: "", execute: () => 1 }])).toThrow(/no name/);
  });
});

describe("fromLlamaIndexTools", () => {
  const length = FunctionTool.from(({ text }: { text: string }) => ({ length: text.length }), {
    name: "length",
    description: "Counts",
    parameters: z3.object({ text: z3.string() }),
  });

  it("returns the core's tools", async () => {
    const [made] = fromLlamaIndexTools([length]);
    expect(made).toMatchObject({ name: "length", description: "Counts", parameters: { required: ["text"] } });
    expect(await made?.execute({ text: "four" }, context)).toEqual({ length: 4 });
    expect(await Reflect.apply(made!.execute, made, [{ text: "four" }])).toEqual({ length: 4 });
  });

  it("refuses wrong arguments, with which LlamaIndex would run the tool", async () => {
    const run = vi.fn(() => 1);
    const parameters = z.object({ n: z.number() });
    const [made] = fromLlamaIndexTools([FunctionTool.from(run, { name: "t", description: "x", parameters })]);
    expect(await made?.execute({ n: "one" }, context)).toMatchObject({
      message: expect.stringMatching(
        /^The call to "t" was not run.*"n": "one" {2}\/\/ ← expected number, got string "one"/s,
      ),
    });
    expect(run).not.toHaveBeenCalled();
  });

  it("returns a tool's error, and reports a tool without a function", async () => {
    const down = FunctionTool.from(() => Promise.reject(new Error("down")), {
      name: "down",
      description: "x",
      parameters: z.object({}),
    });
    const remote: BaseTool = { metadata: { name: "remote", description: "x" } };
    const [first, second] = fromLlamaIndexTools([down, remote]);
    expect(await first?.execute({}, context)).toEqual(new Error("down"));
    expect(await second?.execute({}, context)).toEqual(new Error('The tool "remote" has no implementation here.'));
  });

  it("returns the original of a converted tool", async () => {
    const seen = vi.fn(() => "ok");
    const finish = tool(
      "finish",
      { description: "Ends", resultAsAnswer: true },
      (_, { toolCallId }) => `${seen()} ${toolCallId}`,
    );
    const [back, last] = fromLlamaIndexTools(toLlamaIndexTools([add, finish]));
    expect(back).toMatchObject({ name: "add", parameters: add.parameters });
    expect(back).not.toHaveProperty("resultAsAnswer");
    expect(await back?.execute({ a: 1, b: 2 }, context)).toBe(3);
    expect(last?.resultAsAnswer).toBe(true);
    expect(await last?.execute({}, context)).toBe("ok 1");
  });
});

describe("withToolCalling", () => {
  it("keeps the wrapped LLM's chat options in its type, and adds tool_choice", () => {
    class Seeded extends ScriptedLLM {}
    const llm = withToolCalling<{ seed: number }>(new Seeded({ replies: [""] }));
    expectTypeOf(llm).toEqualTypeOf<ToolCallingLLM<{ seed: number }>>();
    expectTypeOf(llm.chat).parameter(0).toHaveProperty("additionalChatOptions");
    expect(llm).toBeInstanceOf(ToolCallingLLM);
    expect(llm.supportToolCall).toBe(true);
  });

  it("refuses a tool whose name its protocol cannot write", async () => {
    const messages = [{ role: "user" as const, content: "Go" }];
    const tools = [{ metadata: { name: "get weather", description: "x" } }];
    const chat = (protocol: "xml" | "hermes") =>
      withToolCalling(new ScriptedLLM({ replies: ["Fine."] }), { protocol }).chat({ messages, tools });
    await expect(chat("xml")).rejects.toMatchObject({ code: "bad-tool-name" });
    expect((await chat("hermes")).message.content).toBe("Fine.");
  });

  it("refuses an invalid LLM", () => {
    expect(() => withToolCalling({} as never)).toThrow(expect.objectContaining({ code: "not-a-model" }));
  });

  it("accepts an LLM that cannot stream, and reports its finish reason", async () => {
    const whole = new ScriptedLLM({
      replies: [`${call("add", { a: 1 }).slice(0, 40)}`],
      raw: { choices: [{ finish_reason: "length" }] },
    });
    const chat = whole.chat.bind(whole);
    whole.chat = ((params: { messages: [] }) => chat({ messages: params.messages })) as never;
    const llm = withToolCalling(whole, { protocol: "hermes", onInvalidCall: "surface" });
    const { message, raw } = await llm.chat({
      messages: [{ role: "user", content: "Go" }],
      tools: toLlamaIndexTools([add]),
    });
    expect(message.options).toMatchObject({ invalidToolCall: [{ error: { code: "truncated" } }] });
    expect(raw).toEqual([{ choices: [{ finish_reason: "length" }] }]);
  });

  it("shows a model only the tools that a conversation needs", async () => {
    const many = Array.from({ length: 30 }, (_, i) => ({
      name: `tool_${i}`,
      description: `Does ${i}`,
      execute: () => i,
    }));
    const inner = new ScriptedLLM({ replies: ["tool_3", call("tool_3", {})] });
    const llm = withToolCalling(inner, { protocol: "hermes", toolSelection: { limit: 2 } });
    const messages = [{ role: "user" as const, content: "Do three" }];
    const { message } = await llm.chat({ messages, tools: toLlamaIndexTools(many) });
    expect(message.options).toMatchObject({ toolCall: [{ name: "tool_3" }] });
    expect(inner.text(-1)).not.toContain("tool_20");
  });
});
