import type {
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
} from "@ai-sdk/provider";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { withToolCalling } from "../src/index.js";
import { add, ask, contentIn, now, partsOf } from "./both-halves.js";
import { call, type Reply, ScriptedModel } from "./scripted-model.js";

const nativeCall = { type: "tool-call" as const, toolCallId: "n1", toolName: "add", input: '{"a":2,"b":3}' };
const asked: LanguageModelV3CallOptions = { prompt: ask(), tools: [add] };
const refusal = () => Object.assign(new Error("gemma3 does not support tools"), { statusCode: 400 });

/** A model that refuses tools, and else writes what its script says. */
class Refusing extends ScriptedModel {
  refusals = 0;
  constructor(
    replies: readonly Reply[],
    private readonly how: "throws" | "warns" | "streams the error" = "throws",
  ) {
    super({ replies });
  }

  override async doGenerate(options: LanguageModelV3CallOptions) {
    if (!options.tools) return super.doGenerate(options);
    this.refusals++;
    if (this.how !== "warns") throw refusal();
    const text = { type: "text" as const, text: "I have no tools." };
    return { ...(await new ScriptedModel({ replies: [{ content: [text] }] }).doGenerate(options)), warnings };
  }

  override async doStream(options: LanguageModelV3CallOptions): Promise<LanguageModelV3StreamResult> {
    if (!options.tools) return super.doStream(options);
    this.refusals++;
    if (this.how === "throws") throw refusal();
    const how = this.how;
    return {
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: "ping" } as never);
          controller.enqueue({ type: "stream-start", warnings: how === "warns" ? warnings : [] });
          if (how !== "warns") controller.enqueue({ type: "error", error: refusal() });
        },
      }),
    };
  }
}
const warnings = [{ type: "unsupported" as const, feature: "tools" }];

beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

describe('native: "auto"', () => {
  it("asks a model with native tool calls, and passes its answer on unchanged", async () => {
    const inner = new ScriptedModel({ replies: [{ content: [nativeCall], finish: "tool-calls" }] });
    const model = withToolCalling(inner, { native: "auto" });
    expect((await model.doGenerate(asked)).content).toEqual([nativeCall]);
    expect(inner.calls[0]).toBe(asked);
  });

  it.each(["throws", "warns", "streams the error"] as const)(
    "prompts a model that refuses (it %s), remembers it, and warns once",
    async (how) => {
      const inner = new Refusing([call("add", { a: 2, b: 3 }), call("add", { a: 4, b: 5 })], how);
      const model = withToolCalling(inner, { native: "auto", protocol: "hermes" });
      const parts = await partsOf((await model.doStream(asked)).stream);
      expect(contentIn(parts)).toMatchObject([{ toolName: "add", input: '{"a":2,"b":3}' }]);
      expect((await model.doGenerate(asked)).content).toMatchObject([{ input: '{"a":4,"b":5}' }]);
      expect(inner.refusals).toBe(1);
      expect(console.warn).toHaveBeenCalledTimes(1);
    },
  );

  it("prompts in the same step if a call is required and the native reply has none; both count", async () => {
    const replies = ["It is 5.", call("add", { a: 2, b: 3 })];
    const forced: LanguageModelV3CallOptions = { ...asked, toolChoice: { type: "required" } };
    const options = { native: "auto", protocol: "hermes" } as const;
    const whole = await withToolCalling(new ScriptedModel({ replies }), options).doGenerate(forced);
    expect(whole.content).toMatchObject([{ toolName: "add" }]);
    expect(whole.usage.inputTokens.total).toBe(20);
    const parts = await partsOf(
      (await withToolCalling(new ScriptedModel({ replies }), options).doStream(forced)).stream,
    );
    expect(contentIn(parts)).toMatchObject([{ toolName: "add" }]);
    expect(parts.at(-1)).toMatchObject({ type: "finish", usage: whole.usage });
  });

  it("prompts if a call is required and the native stream breaks off without one", async () => {
    const inner = new ScriptedModel({ replies: ["It is", call("add", { a: 2, b: 3 })] });
    const answer = inner.doStream.bind(inner);
    const breaksOff = () =>
      new TransformStream<LanguageModelV3StreamPart, LanguageModelV3StreamPart>({
        transform: (part, out) => (part.type === "finish" && inner.calls.length === 1 ? undefined : out.enqueue(part)),
      });
    inner.doStream = async (options) => {
      const { stream } = await answer(options);
      return { stream: stream.pipeThrough(breaksOff()) };
    };
    const model = withToolCalling(inner, { native: "auto", protocol: "hermes" });
    const parts = await partsOf((await model.doStream({ ...asked, toolChoice: { type: "required" } })).stream);
    expect(contentIn(parts)).toMatchObject([{ toolName: "add" }]);
  });

  it("passes other errors on", async () => {
    const error = Object.assign(new Error("invalid api key"), { statusCode: 401 });
    const model = withToolCalling(new ScriptedModel({ replies: [error] }), { native: "auto" });
    await expect(model.doGenerate(asked)).rejects.toBe(error);
  });

  it("reads a native stream no further than its reader does", async () => {
    const inner = new ScriptedModel({ replies: ["a".repeat(200)] });
    const { stream } = await withToolCalling(inner, { native: "auto" }).doStream(asked);
    const before = inner.read;
    expect(before).toBeLessThan(6);
    await stream.cancel();
    expect(inner.read).toBe(before);
    expect(inner.cancelled).toBe(true);
  });

  const schema = { type: "object" as const, properties: { x: { type: "number" as const } }, required: ["x"] };

  it("prompts for a structured answer without tools, as without this option", async () => {
    const inner = new ScriptedModel({ replies: ['Sure:\n```json\n{"x": "1",}\n```'] });
    const model = withToolCalling(inner, { native: "auto" });
    const { content } = await model.doGenerate({ prompt: ask(), responseFormat: { type: "json", schema } });
    expect(content).toEqual([{ type: "text", text: '{"x":1}' }]);
    expect(inner.text(0)).toContain('"x"');
  });

  it.each(["doGenerate", "doStream"] as const)(
    "prompts if the native call is of another tool than the named one: %s",
    async (half) => {
      const other = { ...nativeCall, toolName: "now", input: "{}" };
      const inner = new ScriptedModel({
        replies: [{ content: [other], finish: "tool-calls" }, call("add", { a: 2, b: 3 })],
      });
      const model = withToolCalling(inner, { native: "auto", protocol: "hermes" });
      const toolChoice = { type: "tool" as const, toolName: "add" };
      const request = { prompt: ask(), tools: [add, now], toolChoice };
      const content =
        half === "doGenerate"
          ? (await model.doGenerate(request)).content
          : contentIn(await partsOf((await model.doStream(request)).stream));
      expect(content).toMatchObject([{ toolName: "add", input: '{"a":2,"b":3}' }]);
    },
  );

  it("keeps native calls if the provider ignores a choice that was not forced", async () => {
    const unsupported = [{ type: "unsupported" as const, feature: "toolChoice" }];
    const inner = new ScriptedModel({ replies: [{ content: [nativeCall], finish: "tool-calls" }] });
    const warning: typeof inner.doGenerate = async (options) => ({
      ...(await ScriptedModel.prototype.doGenerate.call(inner, options)),
      warnings: unsupported,
    });
    inner.doGenerate = warning;
    const model = withToolCalling(inner, { native: "auto" });
    expect((await model.doGenerate({ ...asked, toolChoice: { type: "auto" } })).content).toEqual([nativeCall]);
    expect(inner.calls).toHaveLength(1);
  });

  it("counts the usage of a reply whose warning says that it knows no tools", async () => {
    const model = withToolCalling(new Refusing([call("add", { a: 2, b: 3 })], "warns"), {
      native: "auto",
      protocol: "hermes",
    });
    expect((await model.doGenerate(asked)).usage.inputTokens.total).toBe(20);
  });
});

describe("a wrong native call", () => {
  const bare = jsonSchema<{ amount: number }>({
    type: "object",
    properties: { amount: { type: "number" } },
    required: ["amount"],
  });
  const zod = z.object({ amount: z.number() });

  it.each([
    ["a bare schema", bare, '{"amount":"all of it"}', "expected number"],
    ["a bare schema", bare, "{}", "amount"],
    ["a bare schema", bare, "", "amount"],
    ["a bare schema", bare, "5", "expected the text of a JSON object"],
    ["a bare schema", bare, "[]", "expected the text of a JSON object"],
    ["a bare schema", bare, '{"amount":1,"amount":5000}', "comes twice"],
    ["a bare schema", bare, '{"amount":1e999}', "cannot be kept exactly"],
    ["zod's", zod, '{"amount":1,"amount":5000}', "comes twice"],
  ] as const)("of a tool with %s does not run, and the model is shown why", async (_, inputSchema, input, why) => {
    const content = [{ ...nativeCall, toolName: "pay", input }];
    for (const isStreamed of [false, true]) {
      const ran: unknown[] = [];
      const tools = { pay: tool<{ amount: number }, string>({ inputSchema, execute: (args) => `${ran.push(args)}` }) };
      const inner = new ScriptedModel({ replies: [{ content, finish: "tool-calls" }, "I could not."] });
      const model = withToolCalling(inner, { native: "auto" });
      const asked = { model, tools, prompt: "Pay.", stopWhen: stepCountIs(2) };
      const steps = isStreamed ? await streamText(asked).steps : (await generateText(asked)).steps;
      expect(ran).toEqual([]);
      expect(steps.map(({ text, toolCalls }) => [text, toolCalls.map(({ invalid }) => invalid)])).toEqual([
        ["", [true]],
        ["I could not.", []],
      ]);
      expect(steps[0]?.toolCalls[0]?.providerMetadata?.toolingua?.invalid).toMatchObject({
        toolName: "pay",
        raw: input,
        message: expect.stringContaining(why),
      });
      const shown = JSON.stringify(inner.calls[1]?.prompt);
      expect(shown).toContain("was not run");
      expect(shown).not.toContain("toolingua");
    }
  });

  it("runs with its coerced arguments if it only matches with them", async () => {
    const coercing = z.object({ amount: z.coerce.number() });
    for (const inputSchema of [bare, coercing]) {
      const ran: unknown[] = [];
      const tools = { pay: tool({ inputSchema, execute: (args: unknown) => `${ran.push(args)}` }) };
      const replies = [{ content: [{ ...nativeCall, toolName: "pay", input: '{"amount":"5"}' }] }];
      const asked = () => ({
        model: withToolCalling(new ScriptedModel({ replies }), { native: "auto" }),
        tools,
        prompt: "Pay.",
      });
      await generateText(asked());
      await streamText(asked()).consumeStream();
      expect(ran).toEqual([{ amount: 5 }, { amount: 5 }]);
    }
  });

  it("runs with all digits of an id, as a text or not at all", async () => {
    const id = "1234567890123456789";
    for (const [inputSchema, expected] of [
      [z.object({ id: z.union([z.int(), z.string()]) }), [{ id }]],
      [jsonSchema<object>({ type: "object", properties: { id: { type: ["integer", "string"] } } }), [{ id }]],
      [jsonSchema<object>({ type: "object", properties: { id: { type: "integer" } } }), []],
      [jsonSchema<object>({ type: "object", properties: { id: {} } }), []],
    ] as const) {
      const ran: unknown[] = [];
      const tools = { pay: tool({ inputSchema, execute: (args: unknown) => `${ran.push(args)}` }) };
      const replies = [{ content: [{ ...nativeCall, toolName: "pay", input: `{"id":${id}}` }] }];
      const model = withToolCalling(new ScriptedModel({ replies }), { native: "auto" });
      await generateText({ model, tools, prompt: "Pay." });
      expect(ran).toEqual(expected);
    }
  });

  it("has none of the keys that its tool declares", async () => {
    const inputSchema = { type: "object" as const, properties: { a: { type: "number" as const } } };
    const content = [{ ...nativeCall, input: '{"b":1}' }];
    const model = withToolCalling(new ScriptedModel({ replies: [{ content }] }), { native: "auto" });
    const { content: answered } = await model.doGenerate({ prompt: ask(), tools: [{ ...add, inputSchema }] });
    expect(answered).toMatchObject([
      { input: '{"b":1', providerMetadata: { toolingua: { invalid: { toolName: "add" } } } },
    ]);
  });

  it("has its own arguments in the next native request", async () => {
    const tools = { pay: tool({ inputSchema: bare, execute: () => "paid" }) };
    const content = [{ ...nativeCall, toolName: "pay", input: '{"amount":"ten"}' }];
    const inner = new ScriptedModel({ replies: [{ content, finish: "tool-calls" }, "No."] });
    const model = withToolCalling(inner, { native: "auto" });
    await generateText({ model, tools, prompt: "Pay.", stopWhen: stepCountIs(2) });
    expect(inner.calls[1]?.prompt[1]?.content).toMatchObject([{ type: "tool-call", input: { amount: "ten" } }]);
  });

  it("is none if it is right, runs at the provider or has a tool that the provider defines", async () => {
    const right = { ...nativeCall, input: ' {"b":3,"a":2}' };
    const search = { type: "provider" as const, id: "p.search" as const, name: "search", args: {} };
    const content = [
      right,
      { ...nativeCall, toolCallId: "n2", input: '{"a":"x"}', providerExecuted: true },
      { ...nativeCall, toolCallId: "n3", toolName: "search", input: '{"a":"x"}' },
      { ...nativeCall, toolCallId: "n4", toolName: "unknown", input: '{"a":"x"}' },
    ];
    const request = { ...asked, tools: [add, search] };
    const made = () => withToolCalling(new ScriptedModel({ replies: [{ content }] }), { native: "auto" });
    expect((await made().doGenerate(request)).content).toEqual(content);
    expect(contentIn(await partsOf((await made().doStream(request)).stream))).toEqual(content);
  });

  it("of a name that every object has does not run", async () => {
    const content = [{ ...nativeCall, toolName: "constructor", input: "{}" }];
    const model = withToolCalling(new ScriptedModel({ replies: [{ content }] }), { native: "auto" });
    expect((await model.doGenerate(asked)).content).toMatchObject([{ input: "{" }]);
  });
});
