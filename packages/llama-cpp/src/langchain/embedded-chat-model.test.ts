import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AIMessage,
  type AIMessageChunk,
  ChatMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type UsageMetadata,
} from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LlamaCppEngine } from "../engine/engine.js";
import { writeTinyModel } from "../tiny-model/index.js";
import { EmbeddedChatModel, type EmbeddedChatModelFields } from "./embedded-chat-model.js";

let folder: string;
let engine: LlamaCppEngine;
const modelPath = () => join(folder, "tiny.gguf");
const make = (fields: EmbeddedChatModelFields = {}) => new EmbeddedChatModel({ engine, maxTokens: 12, ...fields });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-embedded-"));
  await writeTinyModel(modelPath(), { kind: "random" });
  engine = await LlamaCppEngine.load({ modelPath: modelPath(), threads: 1 });
});
afterAll(async () => {
  await engine?.dispose();
  await rm(folder, { recursive: true });
});

async function wholeOf(stream: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | undefined;
  for await (const chunk of stream) whole = whole === undefined ? chunk : concat(whole, chunk);
  return whole!;
}

// LangChain's type of `usage_metadata` is `never` under exactOptionalPropertyTypes.
const usageOf = (message: { usage_metadata?: unknown }) => message.usage_metadata as UsageMetadata;

const ending = {
  usage_metadata: { input_tokens: expect.any(Number), output_tokens: 12, total_tokens: expect.any(Number) },
  response_metadata: { model: "tiny", finish_reason: "length", seed: 7 },
};

describe("EmbeddedChatModel", () => {
  it("answers a hundred conversations, each with a system message", async () => {
    const model = make({ maxTokens: 2 });
    for (let call = 0; call < 100; call++) {
      const reply = await model.invoke([new SystemMessage("Be brief."), new HumanMessage(`Call ${call}`)]);
      expect(usageOf(reply).output_tokens).toBe(2);
    }
  });

  it("reports usage and finish reason", async () => {
    expect(await make({ seed: 7 }).invoke("hello")).toMatchObject(ending);
  });

  it("streams the text that it would have returned, with usage and metadata once", async () => {
    const model = make({ seed: 7, temperature: 1 });
    const streamed = await wholeOf(await model.stream("hello"));
    expect(streamed).toMatchObject(ending);
    expect(streamed.text).toBe((await model.invoke("hello")).text);
  });

  it("passes every token to callbacks, with its chunk", async () => {
    const tokens: string[] = [];
    const chunks: unknown[] = [];
    const handleLLMNewToken = (token: string, ...rest: unknown[]) => {
      tokens.push(token);
      chunks.push((rest.at(-1) as { chunk?: unknown }).chunk);
    };
    const streamed = await wholeOf(await make().stream("hello", { callbacks: [{ handleLLMNewToken }] }));
    expect(tokens.join("")).toBe(streamed.text);
    expect(chunks.every((chunk) => chunk !== undefined)).toBe(true);
  });

  it("works in streamEvents", async () => {
    let text = "";
    for await (const { event, data } of make().streamEvents("hello", { version: "v2" })) {
      if (event === "on_chat_model_stream") text += (data.chunk as AIMessageChunk).text;
    }
    expect(text).toBe((await make().invoke("hello")).text);
  });

  it("ends before a stop sequence, of the model or of the call", async () => {
    const grammar = 'root ::= "one two three"';
    expect((await make({ stop: [" three"] }).invoke("hi", { grammar })).text).toBe("one two");
    const reply = await make({ stop: [" three"] }).invoke("hi", { grammar, stop: [" two"] });
    expect(reply.text).toBe("one");
    expect(reply.response_metadata.finish_reason).toBe("stop");
  });

  it("accepts a grammar, a constraint and a prefill as call options", async () => {
    const model = make();
    expect((await model.invoke("hi", { grammar: 'root ::= "a grammar"' })).text).toBe("a grammar");
    const constraint = { type: "gbnf" as const, grammar: 'root ::= " constraint"' };
    expect((await model.invoke("hi", { constraint, prefill: "a" })).text).toBe(" constraint");
    const bound = model.withConfig({ grammar: 'root ::= "bound"' });
    expect((await wholeOf((await bound.stream("hi")) as AsyncIterable<AIMessageChunk>)).text).toBe("bound");
  });

  it("refuses wrong options of a call before the model is loaded", async () => {
    const unloaded = new EmbeddedChatModel({ modelPath: "/nowhere.gguf" });
    const call = (options: object) => unloaded.invoke("hi", options);
    await expect(call({ gramar: 'root ::= "a"' })).rejects.toThrow('Did you mean "grammar"?');
    await expect(call({ temperature: "hot" })).rejects.toThrow('`temperature` is a number from 0, not "hot"');
    await expect(call({ constraint: 'root ::= "a"' })).rejects.toThrow("`constraint` is");
    await expect(call({ tags: ["a"], runName: "b", timeout: 1000 })).rejects.toThrow("/nowhere.gguf");
  });

  it("refuses wrong options of the engine and of the store before anything is downloaded", () => {
    const make = (fields: object) => () => new EmbeddedChatModel({ model: "smollm2-135m", ...fields });
    expect(make({ engineOptions: { contextsize: 512 } })).toThrow('`engineOptions`. Did you mean "contextSize"?');
    expect(make({ engineOptions: { contextSize: "512" } })).toThrow(
      "`engineOptions.contextSize` is a whole number from 1",
    );
    expect(make({ engineOptions: { modelPath: "/nowhere.gguf" } })).toThrow('no "modelPath" in `engineOptions`');
    expect(make({ engineOptions: 512 })).toThrow(
      "`engineOptions` is an object, such as { contextSize: 4096 }, not 512",
    );
    expect(make({ resolveOptions: { source: ["wheels"] } })).toThrow('`resolveOptions`. Did you mean "sources"?');
  });

  it("refuses two models at once", () => {
    const two = { modelPath: "/nowhere.gguf", model: "smollm2-135m" };
    expect(() => new EmbeddedChatModel(two)).toThrow(
      "one of `engine`, `modelPath` and `model`, not `modelPath` and `model`",
    );
    expect(() => new EmbeddedChatModel({ engine: {} } as never)).toThrow("`engine` is a LlamaCppEngine");
  });

  it("continues a last AI message", async () => {
    const model = make();
    const asMessage = await model.invoke([new HumanMessage("hi"), new AIMessage("Well, ")]);
    const asOption = await model.invoke("hi", { prefill: "Well, " });
    expect(asMessage.text).toBe(asOption.text);
    expect(usageOf(asMessage).input_tokens).toBe(usageOf(asOption).input_tokens);
  });

  it("accepts text blocks and roles by name", async () => {
    const model = make();
    const blocks = await model.invoke([
      new SystemMessage({ content: [{ type: "text", text: "Be brief." }] }),
      new ChatMessage({
        role: "user",
        content: [
          { type: "text", text: "h" },
          { type: "text", text: "i" },
        ],
      }),
    ]);
    const plain = await model.invoke([new SystemMessage("Be brief."), new HumanMessage("hi")]);
    expect(blocks.text).toBe(plain.text);
  });

  it("refuses content that a text-only model cannot read, and points to the wrapper for tools", async () => {
    const refused = (message: HumanMessage | AIMessage | ToolMessage | ChatMessage) =>
      expect(make().invoke([new HumanMessage("hi"), message])).rejects.toMatchObject({
        code: "unsupported-message",
        message: expect.stringMatching(/^Message 1 .*withToolCalling/),
      });
    await refused(new ToolMessage({ content: "8", tool_call_id: "1" }));
    await refused(new AIMessage({ content: "", tool_calls: [{ name: "add", args: {}, id: "1" }] }));
    await refused(new HumanMessage({ content: [{ type: "image_url", image_url: "data:," }] }));
    for (const role of ["critic", "constructor", "__proto__"]) await refused(new ChatMessage("hi", role));
    expect("bindTools" in make()).toBe(false);
  });

  it("ends at an abort, whole and streamed, and continues to work", async () => {
    const model = make({ maxTokens: 4000 });
    await expect(model.invoke("hi", { signal: AbortSignal.abort() })).rejects.toThrow();
    const controller = new AbortController();
    const read = async () => {
      for await (const _ of await model.stream("hi", { signal: controller.signal })) controller.abort();
    };
    await expect(read()).rejects.toThrow(/abort/i);
    expect(usageOf(await make().invoke("hi")).output_tokens).toBe(12);
  });

  it("loads a file at the first call, once, and not after it was disposed of", async () => {
    const model = make({ engine: undefined, modelPath: modelPath(), engineOptions: { contextSize: 512, threads: 1 } });
    const [a, b] = await Promise.all([model.invoke("hi"), model.invoke("hi")]);
    expect(a.text).toBe(b.text);
    expect(await model.load()).toBe(await model.load());
    expect((await model.load()).contextSize).toBe(512);
    await model.dispose();
    await expect(model.invoke("hi")).rejects.toMatchObject({ code: "disposed" });
    await expect(model.load()).rejects.toMatchObject({ code: "disposed" });
    await model.dispose();
  });

  it("tries again after a failed load", async () => {
    const model = make({ engine: undefined, modelPath: join(folder, "later.gguf") });
    await expect(model.invoke("hi")).rejects.toMatchObject({ code: "model-not-found" });
    await writeTinyModel(join(folder, "later.gguf"), { kind: "random" });
    expect(usageOf(await model.invoke("hi")).output_tokens).toBe(12);
    await model.dispose();
  });

  it("leaves a given engine to its owner", async () => {
    await make().dispose();
    expect(usageOf(await make().invoke("hi")).output_tokens).toBe(12);
  });

  it("is identified by its settings in LangSmith and in caches", () => {
    const model = make({ temperature: 0.5, stop: ["x"], seed: 1 });
    expect(model.getLsParams({ stop: ["y"] } as never)).toEqual({
      ls_provider: "llama-cpp",
      ls_model_name: "tiny",
      ls_model_type: "chat",
      ls_temperature: 0.5,
      ls_max_tokens: 12,
      ls_stop: ["y"],
    });
    expect(model._identifyingParams()).not.toEqual(
      make({ temperature: 0.6, stop: ["x"], seed: 1 })._identifyingParams(),
    );
  });
});
