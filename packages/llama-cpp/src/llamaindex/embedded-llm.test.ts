import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Settings } from "@llamaindex/core/global";
import type { ChatMessage, ChatResponseChunk } from "@llamaindex/core/llms";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LlamaCppEngine } from "../engine/engine.js";
import { writeTinyModel } from "../tiny-model/index.js";
import { EmbeddedLLM, type EmbeddedLLMFields } from "./embedded-llm.js";

let folder: string;
let engine: LlamaCppEngine;
const modelPath = () => join(folder, "tiny.gguf");
const make = (fields: EmbeddedLLMFields = {}) => new EmbeddedLLM({ engine, maxTokens: 12, ...fields });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-embedded-llm-"));
  await writeTinyModel(modelPath(), { kind: "random" });
  engine = await LlamaCppEngine.load({ modelPath: modelPath(), threads: 1 });
});
afterAll(async () => {
  await engine?.dispose();
  await rm(folder, { recursive: true });
});

const hi: ChatMessage[] = [{ role: "user", content: "hi" }];
async function all(stream: AsyncIterable<ChatResponseChunk>): Promise<{ text: string; raw: unknown }> {
  let text = "";
  let raw: unknown;
  for await (const chunk of stream) {
    text += chunk.delta;
    raw = chunk.raw;
  }
  return { text, raw };
}

const ending = { model: "tiny", finish_reason: "length", seed: 7, usage: { completion_tokens: 12 } };

describe("EmbeddedLLM", () => {
  it("answers whole and streamed alike, and reports usage and finish reason", async () => {
    const llm = make({ seed: 7, temperature: 1 });
    const { message, raw } = await llm.chat({ messages: hi });
    expect(raw).toMatchObject(ending);
    const streamed = await all(await llm.chat({ messages: hi, stream: true }));
    expect(streamed).toMatchObject({ text: message.content, raw: ending });
    expect((await llm.complete({ prompt: "hi" })).text).toBe(message.content);
  });

  it("reports its context size in its metadata, also before it is loaded", () => {
    expect(make().metadata).toMatchObject({ model: "tiny", contextWindow: engine.contextSize, maxTokens: 12 });
    const later = { engine: undefined, modelPath: modelPath() };
    expect(make(later).metadata.contextWindow).toBe(8192);
    expect(make({ ...later, engineOptions: { contextSize: 512 } }).metadata.contextWindow).toBe(512);
  });

  it("accepts a grammar, a constraint, a prefill and stop sequences as chat options", async () => {
    const text = async (additionalChatOptions: object, fields: EmbeddedLLMFields = {}) =>
      (await make(fields).chat({ messages: hi, additionalChatOptions })).message.content;
    expect(await text({ grammar: 'root ::= "a grammar"' })).toBe("a grammar");
    const constraint = { type: "gbnf", grammar: 'root ::= " constraint"' };
    expect(await text({ constraint, prefill: "a" })).toBe(" constraint");
    const grammar = 'root ::= "one two three"';
    expect(await text({ grammar }, { stop: [" three"] })).toBe("one two");
    expect(await text({ grammar, stop: [" two"] }, { stop: [" three"] })).toBe("one");
  });

  it("continues a last assistant message", async () => {
    const asMessage = await make().chat({ messages: [...hi, { role: "assistant", content: "Well, " }] });
    const asOption = await make().chat({ messages: hi, additionalChatOptions: { prefill: "Well, " } });
    expect(asMessage.message).toEqual(asOption.message);
  });

  it("accepts text parts and every role", async () => {
    const parts: ChatMessage[] = [
      { role: "developer", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "h" },
          { type: "text", text: "i" },
        ],
      },
    ];
    const plain: ChatMessage[] = [{ role: "system", content: "Be brief." }, ...hi];
    expect((await make().chat({ messages: parts })).message).toEqual((await make().chat({ messages: plain })).message);
  });

  it("refuses content that a text-only model cannot read, and points to the wrapper for tools", async () => {
    const toolResult = { id: "1", result: "8", isError: false };
    for (const message of [
      { role: "user", content: "8", options: { toolResult } },
      { role: "assistant", content: "", options: { toolCall: [{ id: "1", name: "add", input: {} }] } },
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:," } }] },
      // Not a system message, whose text is trusted.
      { role: "critic", content: "8" },
      { content: "8" },
    ] as ChatMessage[]) {
      await expect(make().chat({ messages: [...hi, message] })).rejects.toMatchObject({
        code: "unsupported-message",
        message: expect.stringMatching(/^Message 1 .*withToolCalling/),
      });
    }
    expect("supportToolCall" in make()).toBe(false);
  });

  it("ends at an abort, and when its reader stops, and continues to work", async () => {
    const llm = make({ maxTokens: 4000 });
    const signal = AbortSignal.abort();
    await expect(llm.chat({ messages: hi, additionalChatOptions: { signal } })).rejects.toThrow(/abort/i);
    for await (const _ of await llm.chat({ messages: hi, stream: true })) break;
    expect((await make().chat({ messages: hi })).raw).toMatchObject({ usage: { completion_tokens: 12 } });
  });

  it("is reported to LlamaIndex's callbacks", async () => {
    const seen: string[] = [];
    const note = (event: { type: string }) => seen.push(event.type);
    Settings.callbackManager.on("llm-start", note).on("llm-end", note);
    await make().chat({ messages: hi });
    await all(await make().chat({ messages: hi, stream: true }));
    await new Promise((resolve) => setImmediate(resolve));
    Settings.callbackManager.off("llm-start", note).off("llm-end", note);
    expect(seen).toEqual(["llm-start", "llm-end", "llm-start", "llm-end"]);
  });

  it("loads a file at the first call, once, and not after it was disposed of", async () => {
    const llm = make({ engine: undefined, modelPath: modelPath(), engineOptions: { contextSize: 512, threads: 1 } });
    const [a, b] = await Promise.all([llm.chat({ messages: hi }), llm.chat({ messages: hi })]);
    expect(a.message).toEqual(b.message);
    expect(await llm.load()).toBe(await llm.load());
    await llm.dispose();
    await expect(llm.chat({ messages: hi })).rejects.toMatchObject({ code: "disposed" });
    await llm.dispose();
  });
});
