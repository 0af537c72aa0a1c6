import { describe, expect, it, test } from "vitest";
import { LogitMasks, readVocabulary, type Vocabulary } from "./index.js";

const vocabulary: Vocabulary = { tokens: ["a", "b", ""], type: "raw" };
const tokenizer = { model: { vocab: { a: 0, b: 1 } }, decoder: { type: "ByteLevel" } };
const masks = new LogitMasks({ vocabulary, endTokens: 2 });

const failed = (name: string, code: string, message: string) =>
  expect.objectContaining({ name, code, message: expect.stringContaining(message) });
/** Calls a function as JavaScript does, without types. */
const call = (one: unknown, ...args: unknown[]): unknown => Reflect.apply(Object(one), masks, args);

describe("new LogitMasks", () => {
  test.each([
    ["nothing", undefined, "must be an object, not undefined"],
    [
      "an unknown option",
      { vocabulary, endToken: 2 },
      'no "endToken" in the options of LogitMasks. Did you mean "endTokens"',
    ],
    ["no end token", { vocabulary }, "`endTokens` is missing in the options of LogitMasks: the id of a token"],
    [
      "a word as end token",
      { vocabulary, endTokens: "</s>" },
      '`endTokens` is the id of a token or a list of ids, not "</s>"',
    ],
    ["a broken end token", { vocabulary, endTokens: [1.5] }, "`endTokens` is the id"],
    ["no vocabulary", { endTokens: 2 }, "`vocabulary` is missing in the options of LogitMasks: { tokens, type }"],
    ["null as vocabulary", { vocabulary: null, endTokens: 2 }, "`vocabulary` is { tokens, type }"],
    ["the tokenizer", { vocabulary: tokenizer, endTokens: 2 }, "the tokenizer itself: give readVocabulary(tokenizer)"],
    [
      "an unknown type",
      { vocabulary: { tokens: ["a"], type: "bytelevel" }, endTokens: 0 },
      'Did you mean "byte_level"?',
    ],
  ])("refuses %s", (_, options, message) => {
    expect(() => Reflect.construct(LogitMasks, [options])).toThrow(failed("OptionsError", "bad-option", message));
  });

  it("refuses tokens that are no text, and a million of them", () => {
    const none = { tokens: ["a", undefined, "b"], type: "raw" };
    const message = "The token 1 of the vocabulary is undefined, not a text";
    expect(() => Reflect.construct(LogitMasks, [{ vocabulary: none, endTokens: 0 }])).toThrow(
      failed("LogitMaskError", "vocabulary", message),
    );
    const many = { tokens: Array.from({ length: 2 ** 20 + 1 }, () => ""), type: "raw" as const };
    expect(() => new LogitMasks({ vocabulary: many, endTokens: 0 })).toThrow(
      failed("LogitMaskError", "vocabulary", "1048576"),
    );
  });
});

describe("vocabularies of any size", () => {
  it("may have long tokens", () => {
    const masked = new LogitMasks({
      vocabulary: { tokens: ["é".repeat(100_000), "b", ""], type: "raw" },
      endTokens: 2,
    });
    const data = new Float32Array(3);
    masked.compile('root ::= "é"+\n').processor()([[1]], { data });
    expect([...data]).toEqual([0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]);
  });

  it("may have as many end tokens as tokens", () => {
    const tokens = Array.from({ length: 200_001 }, (_, id) => `${id}`);
    const endTokens = tokens.map((_, id) => id).slice(1);
    const masked = new LogitMasks({ vocabulary: { tokens, type: "raw" }, endTokens });
    const data = new Float32Array(tokens.length);
    masked.compile('root ::= "0"?\n').processor()([[0]], { data });
    expect(data.every((logit) => logit === 0)).toBe(true);
    masked.compile('root ::= "0"\n').processor()([[0]], { data });
    expect(data.every((logit, id) => (logit === 0) === (id === 0))).toBe(true);
  });
});

describe("readVocabulary", () => {
  const model = (vocab: unknown) => ({ ...tokenizer, model: { vocab } });
  test.each([
    ["nothing", undefined, "not undefined"],
    ["a text", JSON.stringify(tokenizer), "JSON.parse"],
    ["another object", {}, "no `model.vocab`"],
    ["an id of a thousand million", model({ a: 1e9 }), 'The id of the token "a" is 1000000000'],
    ["an id below 0", model({ a: -1 }), 'The id of the token "a" is -1'],
    ["an id that is no number", model({ a: "1" }), 'The id of the token "a" is "1"'],
    ["a list without texts", model([[1, 0]]), "The token 0 of the vocabulary is 1, not a text"],
    ["a list of words", model(["abc"]), "The token 0 of the vocabulary is undefined, not a text"],
    ["an object as a token", model([[{ toString: 1 }, 0]]), "The token 0 of the vocabulary is an object, not a text"],
    ["a list without pairs", model([null]), "The token 0 of the vocabulary is undefined, not a text"],
    [
      "an added id of a thousand million",
      { ...tokenizer, added_tokens: [{ id: 1e9, content: "x" }] },
      '"x" is 1000000000',
    ],
    [
      "an added token without text",
      { ...tokenizer, added_tokens: [{ id: 2 }] },
      "The token 2 of the vocabulary is undefined",
    ],
    ["added tokens that are no list", { ...tokenizer, added_tokens: {} }, "`added_tokens`"],
    [
      "null as an added token",
      { ...tokenizer, added_tokens: [{ id: 1, content: "c" }, null] },
      "`added_tokens[1]` of the tokenizer is { id, content }, not null",
    ],
    ["a word as an added token", { ...tokenizer, added_tokens: ["<s>"] }, "`added_tokens[0]` of the tokenizer is { id"],
    [
      "decoders that are no list",
      { ...tokenizer, decoder: { type: "Sequence", decoders: {} } },
      "`decoder.decoders` of the tokenizer is a list",
    ],
    ["a model that is a word", { ...tokenizer, model: "BPE" }, "no `model.vocab`"],
    ["null as a decoder", { ...tokenizer, decoder: null }, "neither byte-level tokens"],
  ])("refuses %s at once", (_, given, message) => {
    expect(() => call(readVocabulary, given)).toThrow(failed("LogitMaskError", "vocabulary", message));
  });

  it("reads ids up to the limit", () => {
    expect(readVocabulary({ ...tokenizer, model: { vocab: { a: 2 ** 20 - 1 } } }).tokens).toHaveLength(2 ** 20);
  });
});

describe("compile", () => {
  test.each([
    ["nothing", undefined, "not undefined"],
    [
      "what jsonSchemaToGbnf returns",
      { grammar: 'root ::= "a"\n', unenforced: [] },
      "not an object: give its `grammar`",
    ],
  ])("refuses %s", (_, grammar, message) => {
    expect(() => call(masks.compile, grammar)).toThrow(failed("LogitMaskError", "grammar", message));
  });

  test.each([
    ['root ::= "a" "\\uD83D"\n', 'The rule root has "\\ud83d"'],
    ['root ::= "a" one\none ::= [\\uD83D-\\uD83E] | "b"\n', "The rule one has a class that admits no character"],
    ["root ::= [^\\U00000000-\\U0010FFFF]\n", "The rule root has a class that admits no character"],
  ])("refuses %s, which no text matches", (grammar, message) => {
    expect(() => masks.compile(grammar)).toThrow(failed("LogitMaskError", "grammar", message));
  });

  it("reads a pair of surrogates as the character", () => {
    expect(masks.compile('root ::= "\\uD83D\\uDE00" | "a"\n')).toBeDefined();
  });

  it("takes long and deep grammars without overflowing the stack", () => {
    const optional = `root ::= ${'"a"? '.repeat(20_000)}"b"\n`;
    const empty = `root ::= ${'""? '.repeat(20_000)}"b"\n`;
    const deep = `root ::= ${'("a"? '.repeat(500)}"b"${")?".repeat(500)}\n`;
    for (const grammar of [optional, empty, deep]) {
      const data = new Float32Array(3);
      masks.compile(grammar).processor()([[0]], { data });
      expect(data[1]).toBe(0);
    }
  });
});

describe("processor", () => {
  const grammar = masks.compile('root ::= ("a" | "b") ("a" | "b")*\n');
  const logits = (replies = 1) => ({ data: new Float32Array(3 * replies) });

  test.each([0, -1, 1.5, "2", Number.NaN, Number.POSITIVE_INFINITY, 1e9, null])("refuses a batch of %s", (size) => {
    const message = "`batchSize` is a whole number from 1 to 65536, not ";
    expect(() => Reflect.apply(grammar.processor, grammar, [size])).toThrow(
      failed("OptionsError", "bad-option", message),
    );
  });

  it("counts replies in words", () => {
    const message = "The processor was made for 1 reply at once, not 2.";
    expect(() => grammar.processor()([[0], [0]], logits(2))).toThrow(failed("LogitMaskError", "batch", message));
    expect(() => call(grammar.processor(), [0], logits())).toThrow(
      failed("LogitMaskError", "batch", "a list of token ids for each reply, and number 0 is 0"),
    );
  });

  test.each([
    ["of equal length", [9, 9]],
    ["that is longer", [9, 9, 9, 9]],
    ["that is shorter", [9]],
    ["that goes on from an ended reply", [1, 0, 2, 5, 5]],
  ])("refuses a second prompt %s", (_, prompt) => {
    const processor = grammar.processor();
    processor([[1]], logits());
    processor([[1, 0]], logits());
    expect(() => processor([prompt], logits())).toThrow(
      failed("LogitMaskError", "reused", "A processor serves one reply"),
    );
  });

  it("refuses a prompt that goes on after the end, and takes padding of a batch, in numbers or bigints", () => {
    const ended = () => {
      const processor = grammar.processor();
      for (const ids of [[1], [1, 0], [1, 0, 2]]) processor([ids], logits());
      return processor;
    };
    expect(() => ended()([[1, 0, 2, 1, 1]], logits())).toThrow(failed("LogitMaskError", "reused", "one reply"));
    const padded = logits();
    ended()([[1n, 0n, 2n, 1n]], padded);
    expect([...padded.data]).toEqual([Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]);
  });

  it("says of a refused token that a processor serves one reply", () => {
    const processor = grammar.processor();
    processor([[1]], logits());
    expect(() => processor([[1, 9]], logits())).toThrow(
      failed("LogitMaskError", "refused", "A processor serves one reply"),
    );
  });

  it("refuses logits of another model or type", () => {
    const wrong = (message: string) => failed("LogitMaskError", "logits", message);
    expect(() => grammar.processor()([[0]], { data: new Float32Array(2) })).toThrow(
      wrong("2 logits for a reply, and the vocabulary needs 3"),
    );
    expect(() => grammar.processor(2)([[0], [0]], { data: new Float32Array(7) })).toThrow(wrong("3.5 logits"));
    expect(() => grammar.processor()([[0]], { data: new Uint16Array(3) })).toThrow(wrong("a Float32Array"));
    expect(() => call(grammar.processor(), [[0]], undefined)).toThrow(wrong("a Float32Array"));
  });

  it.each([
    [null, "`data` is undefined"],
    [{}, "`data` is undefined"],
    [{ data: [1, 2, 3] }, "`data` is an Array"],
    [{ data: new Int32Array(3) }, "`data` is an Int32Array"],
  ])("names logits that are %j", (wrong, message) => {
    expect(() => Reflect.apply(grammar.processor(), undefined, [[[1]], wrong])).toThrow(
      failed("LogitMaskError", "logits", message),
    );
  });

  it("names tokens that are no list", () => {
    for (const wrong of [null, undefined, 5]) {
      expect(() => Reflect.apply(grammar.processor(), undefined, [wrong, logits()])).toThrow(
        failed("LogitMaskError", "batch", "has a list of token ids for each reply, and is"),
      );
    }
  });

  it("takes a model without logits for the last control tokens, and one with more logits", () => {
    const tokens = ["a", "", ""];
    const processor = new LogitMasks({ vocabulary: { tokens, type: "raw" }, endTokens: 1 })
      .compile('root ::= "a"\n')
      .processor();
    for (const size of [2, 3, 9]) {
      const data = new Float32Array(size);
      processor([[0]], { data });
      expect([...data].map((logit) => logit === 0)).toEqual([...data.keys()].map((id) => id === 0));
    }
  });
});
