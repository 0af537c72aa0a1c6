import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateWithTools, type InvalidToolCall, type ToolDefinition } from "@toolingua/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LlamaCppEngine } from "./engine/engine.js";
import { grammarOf } from "./grammar-of.js";
import { type TextModelDefaults, toTextModel } from "./text-model.js";
import { writeTinyModel } from "./tiny-model/index.js";

let folder: string;
const engines: LlamaCppEngine[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolingua-optional-"));
});
afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.dispose()));
  await rm(folder, { recursive: true });
});

/** A model that writes what resembles these texts. */
async function modelOf(corpus?: readonly string[]) {
  const modelPath = join(folder, `${engines.length}.gguf`);
  await writeTinyModel(modelPath, { kind: "bigram", ...(corpus && { corpus }) });
  const engine = await LlamaCppEngine.load({ modelPath, threads: 1 });
  engines.push(engine);
  return (defaults: TextModelDefaults) => toTextModel(engine, defaults);
}

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

const request = {
  ...{ tools, protocol: "hermes" as const, accept: "own" as const },
  messages: [{ role: "user" as const, content: "hello" }],
  grammar: { maxStringLength: 12 },
};

describe("optional calls", () => {
  it("are valid, and text before them is free", async () => {
    const model = await modelOf();
    const turns = async (constraint: "auto" | "off") => {
      const all = [];
      for (let seed = 0; seed < 30; seed++) {
        const sampled = model({ seed, temperature: 1, topK: 0, topP: 1, maxTokens: 300 });
        all.push(await generateWithTools({ ...request, model: sampled, constraint }).result());
      }
      return all;
    };
    const constrained = await turns("auto");
    // Except replies truncated by the token limit.
    const wrong = ({ error }: InvalidToolCall) => error.code !== "truncated";
    expect(constrained.flatMap(({ invalidToolCalls }) => invalidToolCalls.filter(wrong))).toEqual([]);
    expect(constrained.flatMap(({ toolCalls }) => toolCalls).length).toBeGreaterThan(5);
    expect(constrained.some(({ text }) => text !== "")).toBe(true);
    const free = await turns("off");
    expect(free.flatMap(({ toolCalls }) => toolCalls)).toEqual([]);
  });

  it("leave a reply no result to make up, which would end it empty", async () => {
    const result = "<tool_response>21 C</tool_response>";
    const answer = "Hm.";
    const model = await modelOf([result, result, result, answer]);
    const reply = async (constraint: "auto" | "off") =>
      generateWithTools({ ...request, model: model({ maxTokens: 60 }), constraint }).result();
    expect((await reply("off")).text).toBe("");
    expect((await reply("auto")).text).toBe(answer);
  });
});

describe("grammarOf", () => {
  const grammar = 'root ::= "a"';
  const triggers = [{ type: "word" as const, value: "a" }];

  it("is the grammar of the whole reply", () => {
    expect(grammarOf({ type: "gbnf", grammar })).toBe(grammar);
    expect(grammarOf({ type: "gbnf", grammar, triggers, whole: 'root ::= "a"?' })).toBe('root ::= "a"?');
    expect(grammarOf(undefined)).toBeUndefined();
  });

  it("is refused where it would force a call", () => {
    const refused = expect.objectContaining({ name: "OptionsError", code: "bad-option" });
    expect(() => grammarOf({ type: "gbnf", grammar, triggers })).toThrow(refused);
  });
});
