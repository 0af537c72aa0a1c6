import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChatMessage } from "@toolingua/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chooseByOdds } from "./choose-by-odds.js";
import { LlamaCppEngine } from "./engine/engine.js";
import { writeTinyModel } from "./tiny-model/index.js";

let folder: string;
let engine: LlamaCppEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-odds-"));
  const modelPath = join(folder, "random.gguf");
  await writeTinyModel(modelPath, { kind: "random", vocabularySize: 320 });
  engine = await LlamaCppEngine.load({ modelPath, threads: 1 });
});
afterAll(async () => {
  await engine?.dispose();
  await rm(folder, { recursive: true });
});

const tools = [{ name: "get_weather", description: "Tells the weather of a city." }];
const asked = (content: string): ChatMessage[] => [{ role: "user", content }];

describe("chooseByOdds", () => {
  it("finds no odds in a question without content", async () => {
    const { odds, toolChoice } = await chooseByOdds(engine, { messages: asked("N/A"), tools, protocol: "hermes" });
    expect(odds).toBeCloseTo(0, 3);
    expect(["required", "none"]).toContain(toolChoice);
  });

  it("demands a call from the threshold on, and an answer below it", async () => {
    const question = { messages: asked("Will it rain in Oslo?"), tools, protocol: "hermes" as const };
    const { odds } = await chooseByOdds(engine, question);
    expect(odds).not.toBe(0);
    const choice = async (threshold: number) => (await chooseByOdds(engine, { ...question, threshold })).toolChoice;
    expect([await choice(odds - 0.01), await choice(odds + 0.01)]).toEqual(["required", "none"]);
  });

  it("refuses a conversation that does not end with the user's message", async () => {
    for (const messages of [[], [...asked("Hello."), { role: "assistant" as const, content: "Hello." }]]) {
      await expect(chooseByOdds(engine, { messages, tools })).rejects.toMatchObject({ code: "unsupported-message" });
    }
  });

  it("refuses a protocol whose calls begin with no fixed marker", async () => {
    const question = { messages: asked("Will it rain?"), tools };
    await expect(chooseByOdds(engine, { ...question, protocol: "at-command" })).rejects.toMatchObject({
      code: "bad-option",
    });
  });
});
