import { type AIMessageChunk, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { concat } from "@langchain/core/utils/stream";
import { createAgent } from "langchain";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { z } from "zod";
import { withToolCalling } from "../src/index.js";
import { NativeModel } from "./native-model.js";
import { call, ScriptedTextModel } from "./scripted-text-model.js";

const add = tool(({ a, b }) => String(a + b), {
  name: "add",
  description: "Adds",
  schema: z.object({ a: z.number(), b: z.number() }),
});
const args = { a: 2, b: 3 };
const refusal = Object.assign(new Error("gemma3:4b does not support tools"), { status_code: 400 });
const choiceRefusal = Object.assign(new Error("400 deepseek-reasoner does not support this tool_choice"), {
  status: 400,
});

let warn: MockInstance<typeof console.warn>;
beforeEach(() => {
  warn = vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => warn.mockRestore());

const wrap = (model: Parameters<typeof withToolCalling>[0]) =>
  withToolCalling(model, { native: "auto", protocol: "hermes" });
const question = { messages: [new HumanMessage("2 + 3?")] };

describe("native: auto, on a model that calls tools", () => {
  const native = () =>
    new NativeModel({ turns: [{ text: "Adding.", calls: [{ name: "add", args }] }, { text: "5." }] });

  it("uses the model's own tool calling: messages and tools reach it unchanged", async () => {
    const inner = native();
    const { messages } = await createAgent({ model: wrap(inner), tools: [add] }).invoke(question);
    expect(messages.map((message) => message.getType())).toEqual(["human", "ai", "tool", "ai"]);
    expect(messages.at(-1)?.text).toBe("5.");
    expect(inner.bound).toEqual([
      [["add"], {}],
      [["add"], {}],
    ]);
    expect(inner.requests[1]?.map((message) => message.getType())).toEqual(["human", "ai", "tool"]);
    expect(warn).not.toHaveBeenCalled();
  });

  it("streams the model's chunks, with ids, usage and metadata", async () => {
    const chunks: AIMessageChunk[] = [];
    for await (const chunk of await wrap(native()).bindTools([add]).stream("2 + 3?")) chunks.push(chunk);
    const message = chunks.reduce((sum, next) => concat(sum, next));
    expect(message).toMatchObject({
      content: "Adding.",
      tool_calls: [{ name: "add", args, id: "call_1" }],
      usage_metadata: { output_tokens: 7 },
      response_metadata: { finish_reason: "tool_calls" },
    });
  });

  it("emits content-block events with the call and the text", async () => {
    const events = wrap(native()).streamEvents("2 + 3?", { tools: [add] });
    expect(await events.text).toBe("Adding.");
    expect(await events.toolCalls).toMatchObject([{ name: "add", args }]);
    expect((await events.output).response_metadata).toMatchObject({ finish_reason: "tool_use" });
  });

  it("passes on the tool choice and other call options", async () => {
    const inner = native();
    await wrap(inner)
      .bindTools([add], { tool_choice: "any", parallel_tool_calls: false })
      .invoke("Go.", { stop: ["x"] });
    expect(inner.bound[0]?.[1]).toEqual({ tool_choice: "any", parallel_tool_calls: false });
    expect(inner.options[0]).toMatchObject({ stop: ["x"] });
  });

  it.each([
    ["any", [true, "required", { type: "any" }, { any: {} }]],
    ["add", [{ type: "tool", name: "add" }, { name: "add" }, { function: { name: "add" } }]],
    ["auto", [false, { type: "auto" }, { function_calling_config: { mode: "AUTO" } }]],
    ["none", [{ type: "none" }]],
  ])("passes %s on in LangChain's own spelling", async (word, spellings) => {
    for (const tool_choice of spellings) {
      const inner = native();
      await wrap(inner)
        .bindTools([add], { tool_choice: tool_choice as never })
        .invoke("Go.");
      expect(inner.bound).toEqual([[["add"], { tool_choice: word }]]);
    }
    const one = native();
    const choice = { type: "auto", disable_parallel_tool_use: true };
    await wrap(one).bindTools([add], { tool_choice: choice }).invoke("Go.");
    expect(one.bound[0]?.[1]).toEqual({ tool_choice: "auto", parallel_tool_calls: false });
  });

  it("is given the one tool of structured output by its name", async () => {
    const inner = new NativeModel({ turns: [{ calls: [{ name: "sum", args }] }] });
    const schema = z.object({ a: z.number(), b: z.number() });
    expect(await wrap(inner).withStructuredOutput(schema, { name: "sum" }).invoke("Go.")).toEqual(args);
    expect(inner.bound[0]?.[1]).toMatchObject({ tool_choice: "sum" });
  });

  it("may answer with text if the choice allows it, in any spelling", async () => {
    const allowed = { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "add" }] };
    const google = { function_calling_config: { mode: "AUTO" } };
    for (const tool_choice of [false, { type: "auto" }, { type: "none" }, { auto: {} }, allowed, google]) {
      const inner = new NativeModel({ turns: [{ text: "Hi." }, { text: "Not this." }] });
      const bound = wrap(inner).bindTools([add], { tool_choice: tool_choice as never });
      expect((await bound.invoke("Hello.")).text).toBe("Hi.");
      let text = "";
      inner.requests.length = 0;
      for await (const chunk of await bound.stream("Hello.")) text += chunk.text;
      expect([text, inner.requests.length]).toEqual(["Hi.", 1]);
    }
  });

  it("reaches it under withConfig, withRetry and withFallbacks", async () => {
    const fallback = native();
    const broken = new NativeModel({ turns: [{ error: new Error("busy") }] });
    for (const model of [
      native().withConfig({ stop: ["x"] }),
      native().withRetry(),
      broken.withFallbacks([fallback]),
      native().withConfig({}).withRetry().withConfig({}),
    ]) {
      expect((await wrap(model).bindTools([add]).invoke("2 + 3?")).tool_calls).toMatchObject([{ name: "add", args }]);
      let message: AIMessageChunk | undefined;
      for await (const chunk of await wrap(model).bindTools([add]).stream("2 + 3?")) {
        message = message ? concat(message, chunk) : chunk;
      }
      if (message?.content !== "5.") expect(message?.tool_calls).toHaveLength(1);
    }
    expect(fallback.bound.length).toBeGreaterThan(0);
  });

  it("is prompted without tools, and under never", async () => {
    const inner = native();
    await wrap(inner).invoke("Hi");
    const never = new NativeModel({ turns: [{ text: call("add", args) }] });
    expect(
      (await withToolCalling(never, { protocol: "hermes" }).bindTools([add]).invoke("Go.")).tool_calls,
    ).toHaveLength(1);
    expect([inner.bound, never.bound]).toEqual([[], []]);
  });
});

describe("native: auto, on a model that gets its calls wrong", () => {
  const wrong = () =>
    new NativeModel({
      turns: [{ calls: [{ name: "add", args, raw: "{a: oops" }] }, { text: call("add", args) }, { text: "5." }],
    });

  it("is prompted in the same turn if it wrote only unreadable calls", async () => {
    const inner = wrong();
    const bound = wrap(inner).bindTools([add]);
    const message = await bound.invoke("2 + 3?");
    expect(message.tool_calls).toMatchObject([{ name: "add", args }]);
    expect(message.invalid_tool_calls).toEqual([]);
    expect(message.usage_metadata).toMatchObject({ input_tokens: 2 });
    expect(warn).not.toHaveBeenCalled();
  });

  it("is shown unchanged under surface", async () => {
    const model = withToolCalling(wrong(), { native: "auto", protocol: "hermes", onInvalidCall: "surface" });
    expect((await model.bindTools([add]).invoke("2 + 3?")).invalid_tool_calls).toHaveLength(1);
  });

  it("is prompted for a missing required call", async () => {
    const inner = new NativeModel({ turns: [{ text: "Five." }, { text: call("add", args) }] });
    const message = await wrap(inner).bindTools([add], { tool_choice: "any" }).invoke("2 + 3?");
    expect(message.tool_calls).toMatchObject([{ name: "add", args }]);
    expect(message.text).toBe("");
  });
});

describe("native: auto, on a model that refuses", () => {
  const refusing = (error: Error = refusal, when: "tools" | "choice" = "tools") =>
    new NativeModel({ turns: [{ text: `Adding. ${call("add", args)}` }, { text: "5." }], refuse: { error, when } });

  it.each(["invoke", "stream", "events"])("continues with the prompt in the same turn: %s", async (how) => {
    const bound = wrap(refusing()).bindTools([add]);
    let calls: unknown;
    if (how === "invoke") calls = (await bound.invoke("2 + 3?")).tool_calls;
    else if (how === "events") calls = await wrap(refusing()).streamEvents("2 + 3?", { tools: [add] }).toolCalls;
    else {
      let message: AIMessageChunk | undefined;
      for await (const chunk of await bound.stream("2 + 3?")) message = message ? concat(message, chunk) : chunk;
      calls = message?.tool_calls;
    }
    expect(calls).toMatchObject([{ name: "add", args }]);
  });

  it("asks it natively once, and warns once, whoever wraps it", async () => {
    const inner = refusing();
    const { messages } = await createAgent({ model: wrap(inner), tools: [add] }).invoke(question);
    expect(messages.filter((message) => ToolMessage.isInstance(message)).map((message) => message.content)).toEqual([
      "5",
    ]);
    await wrap(inner).bindTools([add]).invoke("2 + 3?");
    expect(inner.refused).toBe(1);
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      expect.stringContaining("gemma3:4b does not support tools"),
    ]);
  });

  it("is asked natively again if only the tool choice was refused", async () => {
    const inner = refusing(choiceRefusal, "choice");
    const model = wrap(inner);
    expect((await model.bindTools([add], { tool_choice: "any" }).invoke("Go.")).tool_calls).toHaveLength(1);
    await model
      .bindTools([add], { tool_choice: "add" })
      .invoke("Go.")
      .catch(() => {});
    expect(inner.refused).toBe(1);
    const before = inner.bound.length;
    await model.bindTools([add]).invoke("Go.");
    expect(inner.bound.length).toBe(before + 1);
  });

  it("is prompted if binding throws, or it has no bindTools", async () => {
    const throwing = new NativeModel({ turns: [{ text: call("add", args) }] });
    throwing.bindTools = () => {
      throw new Error("Currently, tool calling through Bedrock is only supported for Anthropic models.");
    };
    const textOnly = new ScriptedTextModel({ replies: [call("add", args)] });
    for (const model of [throwing, textOnly, textOnly.withFallbacks([throwing])]) {
      expect((await wrap(model).bindTools([add]).invoke("Go.")).tool_calls).toHaveLength(1);
    }
  });

  it("throws every other error unchanged, also one in the middle", async () => {
    const busy = Object.assign(new Error("429 tool use is not available right now"), { status: 429 });
    await expect(wrap(refusing(busy)).bindTools([add]).invoke("Go.")).rejects.toBe(busy);
    const later = new NativeModel({ turns: [{ text: "Some words", error: refusal }] });
    const read = async () => {
      for await (const _ of await wrap(later).bindTools([add]).stream("Go."));
    };
    await expect(read()).rejects.toBe(refusal);
    expect(warn).not.toHaveBeenCalled();
  });
});
