import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateWithTools, type InvalidToolCall, type ToolDefinition } from "@toolingua/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toTextModel } from "../text-model.js";
import { writeTinyModel } from "../tiny-model/index.js";
import { LlamaCppEngine } from "./engine.js";

let folder: string;
let random: LlamaCppEngine;
let bigram: LlamaCppEngine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-lazy-"));
  const load = async (kind: "random" | "bigram") => {
    await writeTinyModel(join(folder, kind), { kind });
    return LlamaCppEngine.load({ modelPath: join(folder, kind), threads: 1 });
  };
  [random, bigram] = await Promise.all([load("random"), load("bigram")]);
});
afterAll(async () => {
  await Promise.all([random?.dispose(), bigram?.dispose()]);
  await rm(folder, { recursive: true });
});

const messages = [{ role: "user" as const, content: "hello" }];
const sampled = { messages, temperature: 1, topK: 0, topP: 1 };

describe("a grammar with triggers", () => {
  it("constrains the reply from the trigger on, at any position in a token", async () => {
    const constrained = { grammar: 'root ::= "e" "=" [0-9]{3}', triggers: [{ type: "word" as const, value: "e" }] };
    let begun = 0;
    for (let seed = 0; seed < 40; seed++) {
      const { text } = await random.generate({ ...sampled, ...constrained, seed, maxTokens: 60 });
      const at = text.indexOf("e");
      if (at < 0) continue;
      begun++;
      expect(text.slice(at)).toMatch(/^e=[0-9]{3}$/);
    }
    expect(begun).toBeGreaterThan(20);
  });

  it("begins at the first group of a pattern", async () => {
    const triggers = [{ type: "pattern" as const, value: "[a-z](e)" }];
    const grammar = 'root ::= "e" "=" [0-9]{3}';
    for (let seed = 0; seed < 20; seed++) {
      const { text } = await random.generate({ ...sampled, grammar, triggers, seed, maxTokens: 60 });
      if (/[a-z]e/.test(text)) expect(text).toMatch(/[a-z]e=[0-9]{3}$/);
    }
  });

  it("streams the text that it returns, and without a trigger equals a reply without a grammar", async () => {
    const free = { ...sampled, seed: 7, maxTokens: 40 };
    const never = { grammar: 'root ::= "x"', triggers: [{ type: "word" as const, value: "\u2603" }] };
    const { text } = await random.generate({ ...free, ...never });
    expect(text).toBe((await random.generate(free)).text);
    const pieces: string[] = [];
    const constrained = { grammar: 'root ::= "e" "=" [0-9]{3}', triggers: [{ type: "word" as const, value: "e" }] };
    const reply = await random.generate({ ...sampled, ...constrained, seed: 1, onText: (piece) => pieces.push(piece) });
    expect(pieces.join("")).toBe(reply.text);
  });
});

describe("optional calls", () => {
  const tools: ToolDefinition[] = [
    {
      name: "get_weather",
      parameters: {
        type: "object",
        properties: { city: { type: "string", maxLength: 12 }, days: { type: "integer", minimum: 1, maximum: 9 } },
        required: ["city"],
        additionalProperties: false,
      },
    },
  ];

  const turns = async (constraint: "auto" | "off") => {
    const all = [];
    for (let seed = 0; seed < 30; seed++) {
      const model = toTextModel(bigram, { seed, temperature: 1, topK: 0, topP: 1, maxTokens: 300 });
      const options = {
        model,
        tools,
        protocol: "hermes",
        constraint,
        messages,
        grammar: { maxStringLength: 12 },
      } as const;
      all.push(await generateWithTools({ ...options, accept: "own" }).result());
    }
    return all;
  };

  it("are free text up to their beginning, and valid from there on", async () => {
    const constrained = await turns("auto");
    // Except replies truncated by the token limit, and spellings with which the grammar does not begin.
    const begun = ({ raw, error }: InvalidToolCall) => raw.startsWith("<tool_call>") && error.code !== "truncated";
    expect(constrained.flatMap(({ invalidToolCalls }) => invalidToolCalls.filter(begun))).toEqual([]);
    expect(constrained.flatMap(({ toolCalls }) => toolCalls).length).toBeGreaterThan(5);
    expect(constrained.some(({ text }) => text !== "")).toBe(true);
    const free = await turns("off");
    expect(free.flatMap(({ toolCalls }) => toolCalls)).toEqual([]);
  });
});
