import { jsonSchemaToGbnf, matchGrammar, toolCallGrammar } from "@toolingua/core/grammar";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LogitMasks } from "./index.js";

/** Compares every mask on the way through some replies with `matchGrammar`, an Earley parser that knows no tokens. */
function compare(grammar: string, words: readonly string[], choices: readonly number[]): void {
  const tokens = [...words, ""];
  const end = words.length;
  const masks = new LogitMasks({ vocabulary: { tokens, type: "raw" }, endTokens: end });
  const processor = masks.compile(grammar).processor();
  const ids = [end];
  let reply = "";
  for (const choice of choices) {
    const data = new Float32Array(tokens.length);
    processor([ids], { data });
    const admitted = tokens.map((_, id) => data[id] === 0);
    expect({ reply, admitted }).toEqual({ reply, admitted: tokens.map((word) => admits(grammar, reply, word)) });
    const ways = words.flatMap((word, id) => (admitted[id] && word !== "" ? [id] : []));
    const id = ways[choice % ways.length];
    if (id === undefined) return;
    ids.push(id);
    reply += words[id];
  }
}

/** Whether a reply can go on with this word, or end if it is empty. */
function admits(grammar: string, reply: string, word: string): boolean {
  const match = matchGrammar(grammar, reply + word);
  return match.matches || (word !== "" && match.at === reply.length + word.length);
}

const choices = fc.array(fc.nat(1000), { minLength: 3, maxLength: 12 });

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "日"), minLength: 1, maxLength: 4 });
const body = fc.letrec<{ any: string; plain: string }>((tie) => ({
  plain: fc.oneof(
    word.map((text) => JSON.stringify(text)),
    fc.constantFrom("[ab]", "[^a]", "[à-ÿ]", "[^é日]", "[a-b日]", '""'),
  ),
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("plain"),
    fc.tuple(tie("plain"), fc.constantFrom("one", "two", "root")).map(([part, rule]) => `(${part} ${rule})?`),
    fc.tuple(tie("any"), tie("any")).map((parts) => `(${parts.join(" | ")})`),
    fc.tuple(tie("any"), tie("any")).map((parts) => `(${parts.join(") (")})`),
    fc
      .tuple(tie("any"), fc.constantFrom("?", "*", "+", "{2}", "{0,3}", "{1,}"))
      .map(([part, how]) => `(${part})${how}`),
  ),
})).any;

describe("masks are what the grammar admits", () => {
  it("of any grammar", () => {
    fc.assert(
      fc.property(body, body, body, fc.array(word, { maxLength: 12 }), choices, (root, one, two, words, path) => {
        const grammar = `root ::= ${root}\none ::= ${one}\ntwo ::= ${two}\n`;
        try {
          compare(grammar, ["a", "b", "é", ...words], path);
        } catch (error) {
          // Rules that begin with themselves are refused, and the parser is the only one that reads them.
          if (!(error instanceof Error) || !error.message.includes("begins with itself")) throw error;
        }
      }),
      { numRuns: 500 },
    );
  });

  const schemas = [
    {},
    { type: "object", properties: { base: { type: "integer" }, unit: { type: "string" } }, required: ["base"] },
    { type: "array", items: { enum: ["a", "ab", "日本", 12, null] }, maxItems: 3 },
    {
      anyOf: [
        { type: "array", items: { $ref: "#" } },
        { type: "array", items: { $ref: "#" }, maxItems: 2 },
      ],
    },
    { type: "string", pattern: "^[a-cà-é]{2,4}-\\d+$" },
    { type: "number", minimum: -12.5 },
    { type: "string", maxLength: 4 },
  ];
  const pieces = [
    '{"',
    '":',
    '",',
    '"}',
    '{"base":',
    '"unit"',
    "[[",
    "]]",
    ",",
    " ",
    "\n",
    "12",
    '"',
    "\\",
    "ab",
    "日",
    "}",
  ];

  it.each(schemas.map((schema) => [JSON.stringify(schema), schema]))("of the grammar of %s", (_, schema) => {
    const { grammar } = jsonSchemaToGbnf(schema);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), choices, (words, path) =>
        compare(grammar, [...pieces, "[", "]", "1", "-", ".", "e", "a", ...words], path),
      ),
      { numRuns: 20 },
    );
  });

  it.each(["hermes", "qwen3-coder", "pythonic", "deepseek-v32", "xml"] as const)("of calls in %s", (protocol) => {
    const tools = [
      { name: "now" },
      { name: "add", parameters: { properties: { a: { type: "number" } }, required: ["a"] } },
    ];
    const { grammar } = toolCallGrammar({ tools, protocol, toolChoice: "required" });
    const letters = [...new Set(grammar.replace(/\\./g, " "))];
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 20, maxLength: 40 }), (path) =>
        compare(grammar, [...letters, ...pieces], path),
      ),
      { numRuns: 5 },
    );
  });
});

describe("tokens of single bytes", () => {
  const tokens = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).padStart(2, "0")}>`);
  const masks = new LogitMasks({ vocabulary: { tokens: [...tokens, ""], type: "byte_fallback" }, endTokens: 256 });
  const encoder = new TextEncoder();

  it("write the characters of a class and no others, in UTF-8", () => {
    const range = fc.tuple(fc.integer({ min: 0x80, max: 0xd7ff }), fc.nat(0x3000));
    fc.assert(
      fc.property(range, fc.integer({ min: 0x80, max: 0xd7ff }), ([first, length], point) => {
        const last = Math.min(first + length, 0xd7ff);
        const hex = (code: number) => `\\U${code.toString(16).padStart(8, "0")}`;
        const processor = masks.compile(`root ::= [${hex(first)}-${hex(last)}]\n`).processor();
        const ids = [256];
        const admits = (byte: number) => {
          const data = new Float32Array(257);
          processor([ids], { data });
          ids.push(byte);
          return data[byte] === 0;
        };
        const bytes = encoder.encode(String.fromCodePoint(point));
        const isIn = first <= point && point <= last;
        const admitted = () => bytes.every(admits) && admits(256);
        expect(admitted()).toBe(isIn);
      }),
      { numRuns: 300 },
    );
  });
});
