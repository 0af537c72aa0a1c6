import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LanguageModelV3CallOptions, LanguageModelV3Prompt, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LlamaCppEngine } from "../engine/engine.js";
import { writeTinyModel } from "../tiny-model/index.js";
import { EmbeddedChatModel, type EmbeddedChatModelFields } from "./embedded-chat-model.js";

let folder: string;
let engine: LlamaCppEngine;
const modelPath = () => join(folder, "tiny.gguf");
const make = (fields: EmbeddedChatModelFields = {}) => new EmbeddedChatModel({ engine, maxTokens: 12, ...fields });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-embedded-ai-sdk-"));
  await writeTinyModel(modelPath(), { kind: "random" });
  engine = await LlamaCppEngine.load({ modelPath: modelPath(), threads: 1 });
});
afterAll(async () => {
  await engine?.dispose();
  await rm(folder, { recursive: true });
});

const hi: LanguageModelV3Prompt = [{ role: "user", content: [{ type: "text", text: "hi" }] }];
const textOf = async (model: EmbeddedChatModel, options: Partial<LanguageModelV3CallOptions> = {}) =>
  (await model.doGenerate({ prompt: hi, ...options })).content
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("");

async function partsOf(stream: ReadableStream<LanguageModelV3StreamPart>): Promise<LanguageModelV3StreamPart[]> {
  const parts: LanguageModelV3StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe("EmbeddedChatModel of the AI SDK", () => {
  it("answers whole and streamed alike, and reports usage and finish reason", async () => {
    const model = make({ seed: 7, temperature: 1 });
    const { content, ...end } = await model.doGenerate({ prompt: hi });
    expect(end).toMatchObject({
      finishReason: { unified: "length" },
      usage: { outputTokens: { total: 12 } },
      response: { modelId: "tiny" },
    });
    const parts = await partsOf((await model.doStream({ prompt: hi })).stream);
    const text = parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
    expect([{ type: "text", text }]).toEqual(content);
    const { inputTokens, outputTokens } = end.usage;
    // The second prompt is read from the first one's cache.
    const usage = { inputTokens: { total: inputTokens.total, cacheRead: (inputTokens.total ?? 0) - 1 }, outputTokens };
    expect(parts.at(-1)).toMatchObject({ type: "finish", finishReason: end.finishReason, usage });
    expect((inputTokens.noCache ?? 0) + (inputTokens.cacheRead ?? 0)).toBe(inputTokens.total);
  });

  it("accepts a grammar, JSON of a schema, a prefill and stop sequences", async () => {
    const constraint = { type: "gbnf", grammar: 'root ::= "one two three"' };
    const providerOptions = { toolingua: { constraint } };
    expect(await textOf(make(), { providerOptions })).toBe("one two three");
    expect(await textOf(make(), { providerOptions, stopSequences: [" two"] })).toBe("one");
    const schema = {
      type: "object" as const,
      properties: { a: { const: 7 } },
      required: ["a"],
      additionalProperties: false,
    };
    expect(JSON.parse(await textOf(make({ maxTokens: 800 }), { responseFormat: { type: "json", schema } }))).toEqual({
      a: 7,
    });
    const prefilled: LanguageModelV3Prompt = [
      ...hi,
      { role: "assistant", content: [{ type: "text", text: "Well, " }] },
    ];
    expect((await make().doGenerate({ prompt: prefilled })).usage.inputTokens.total).toBeGreaterThan(
      (await make().doGenerate({ prompt: hi })).usage.inputTokens.total ?? 0,
    );
  });

  it("refuses a constraint that it cannot read", async () => {
    const call = (toolingua: Record<string, string | { gramar: string }>) =>
      textOf(make(), { providerOptions: { toolingua } });
    await expect(call({ constraint: { gramar: 'root ::= "a"' } })).rejects.toThrow("not an object with gramar");
    await expect(call({ constraint: 'root ::= "a"' })).rejects.toThrow("`constraint` is");
    await expect(call({ constrain: 'root ::= "a"' })).rejects.toThrow('Did you mean "constraint"?');
  });

  it("refuses options that a text-only model cannot follow, and warns of tools", async () => {
    const output = { type: "text" as const, value: "8" };
    const result: LanguageModelV3Prompt = [
      { role: "tool", content: [{ type: "tool-result", toolCallId: "1", toolName: "add", output }] },
    ];
    await expect(make().doGenerate({ prompt: [...hi, ...result] })).rejects.toMatchObject({
      code: "unsupported-message",
      message: expect.stringMatching(/^Message 1 .*withToolCalling/),
    });
    const tools = [{ type: "function" as const, name: "add", inputSchema: { type: "object" as const } }];
    expect((await make().doGenerate({ prompt: hi, tools })).warnings).toMatchObject([{ feature: "tools" }]);
  });

  it("ends at an abort, and when its reader stops, and continues to work", async () => {
    const model = make({ maxTokens: 4000 });
    await expect(model.doGenerate({ prompt: hi, abortSignal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
    const { stream } = await model.doStream({ prompt: hi });
    for await (const _ of stream) break;
    expect((await make().doGenerate({ prompt: hi })).usage.outputTokens.total).toBe(12);
  });

  it("loads a file at the first call, once, and not after it was disposed of", async () => {
    const model = make({ engine: undefined, modelPath: modelPath(), engineOptions: { contextSize: 512, threads: 1 } });
    expect(await textOf(model)).not.toBe("");
    expect(await model.load()).toBe(await model.load());
    await model.dispose();
    await expect(textOf(model)).rejects.toMatchObject({ code: "disposed" });
    await model.dispose();
  });
});
