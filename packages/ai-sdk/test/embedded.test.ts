import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LlamaCppEngine, writeTinyModel } from "@toolingua/llama-cpp";
import { EmbeddedChatModel } from "@toolingua/llama-cpp/ai-sdk";
import { generateText, streamText, tool } from "ai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { withToolCalling } from "../src/index.js";

// A real engine with a model of random weights: whatever comes right, the grammar saw to it.

let folder: string;
let engine: LlamaCppEngine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-ai-sdk-"));
  const modelPath = join(folder, "tiny.gguf");
  await writeTinyModel(modelPath, { kind: "random" });
  engine = await LlamaCppEngine.load({ modelPath, threads: 1 });
});
afterAll(async () => {
  await engine?.dispose();
  await rm(folder, { recursive: true });
});

const wrap = () =>
  withToolCalling(new EmbeddedChatModel({ engine, maxTokens: 200, seed: 3 }), {
    protocol: "hermes",
    constraint: "required",
    grammar: { maxStringLength: 10, maxItems: 2 },
  });
const pick = tool({
  inputSchema: z.object({ city: z.enum(["Oslo", "Rome"]), days: z.number().int().min(1).max(9) }),
  execute: (input) => input,
});

it("a required call of the embedded model always matches its tool, whole and streamed", async () => {
  const asked = { tools: { pick }, toolChoice: "required" as const, prompt: "Pick." };
  const { toolCalls, finishReason } = await generateText({ model: wrap(), ...asked });
  expect(toolCalls[0]).toMatchObject({ toolName: "pick", input: { city: expect.stringMatching(/Oslo|Rome/) } });
  expect(toolCalls.some((made) => "invalid" in made && made.invalid)).toBe(false);
  expect(finishReason).toBe("tool-calls");
  const streamed = streamText({ model: wrap(), ...asked });
  expect((await streamed.toolCalls).map(({ input }) => input)).toEqual(toolCalls.map(({ input }) => input));
});
