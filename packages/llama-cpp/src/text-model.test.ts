import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Constraint, TextModelChunk, TextModelRequest } from "@toolingua/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LlamaCppEngine } from "./engine/engine.js";
import { toTextModel } from "./text-model.js";
import { writeTinyModel } from "./tiny-model/index.js";

let folder: string;
let engine: LlamaCppEngine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-text-model-"));
  await writeTinyModel(join(folder, "tiny.gguf"), { kind: "random" });
  engine = await LlamaCppEngine.load({ modelPath: join(folder, "tiny.gguf"), threads: 1 });
});
afterAll(async () => {
  await engine?.dispose();
  await rm(folder, { recursive: true });
});

async function read(request: Omit<TextModelRequest, "messages">, defaults = {}) {
  let text = "";
  let last: TextModelChunk | undefined;
  for await (const chunk of toTextModel(
    engine,
    defaults,
  )({ messages: [{ role: "user", content: "hi" }], ...request })) {
    if (typeof chunk === "string") text += chunk;
    last = chunk;
  }
  return { text, last };
}

describe("toTextModel", () => {
  it("streams text, then usage and the finish reason", async () => {
    const { text, last } = await read({ maxTokens: 8 });
    expect(text).not.toBe("");
    const usage = { inputTokens: expect.any(Number), outputTokens: 8, cacheReadTokens: expect.any(Number) };
    expect(last).toEqual({ usage, finish: "length" });
  });

  it("reports the usage so far before each chunk, for a reader who stops early", async () => {
    const chunks: TextModelChunk[] = [];
    for await (const chunk of toTextModel(engine)({ messages: [{ role: "user", content: "hi" }], maxTokens: 8 })) {
      chunks.push(chunk);
      if (typeof chunk === "string") break;
    }
    expect(chunks).toEqual([
      { usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) } },
      expect.any(String),
    ]);
  });

  it("constrains the reply, continues a prefill and ends before a stop sequence", async () => {
    const constraint = { type: "gbnf" as const, grammar: 'root ::= "one, two, three"' };
    const { text, last } = await read({ constraint, prefill: "zero, ", stop: [", three"] });
    expect(text).toBe("one, two");
    expect(last).toMatchObject({ finish: "stop" });
  });

  it("uses its defaults for missing fields of the request", async () => {
    const defaults = { maxTokens: 3, temperature: 1, seed: 5 };
    expect((await read({}, defaults)).last).toMatchObject({ usage: { outputTokens: 3 } });
    expect((await read({ maxTokens: 2 }, defaults)).last).toMatchObject({ usage: { outputTokens: 2 } });
    expect((await read({ seed: 6 }, defaults)).text).not.toBe((await read({}, defaults)).text);
  });

  it("throws the reason of an abort", async () => {
    const reason = new Error("enough");
    await expect(read({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it("refuses wrong defaults and an engine that is none, at once", () => {
    const make = toTextModel as (engine: unknown, defaults?: unknown) => unknown;
    expect(() => make(engine, { maxtokens: 8 })).toThrow('Did you mean "maxTokens"?');
    expect(() => make(engine, { temperature: "hot" })).toThrow('`temperature` is a number from 0, not "hot"');
    expect(() => make(null)).toThrow("`engine` is a LlamaCppEngine, not null");
    expect(() => make({ modelPath: "tiny.gguf" })).toThrow("`engine` is a LlamaCppEngine");
  });

  it("refuses a constraint without a grammar, which would leave the reply free", async () => {
    const constraint: Constraint = JSON.parse('{"type": "gbnf", "gramar": ""}');
    await expect(read({ constraint })).rejects.toThrow(/`constraint` is .*, not an object with type, gramar/);
  });
});
