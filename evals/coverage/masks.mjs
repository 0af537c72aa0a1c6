// What a mask costs each engine: the tokens that a grammar allows next, over the same vocabulary, for the same values.
import { Grammar, GrammarCompiler, GrammarMatcher, TokenizerInfo } from "@toolingua/benchmark-peers/xgrammar.mjs";
import { jsonSchemaToGbnf } from "@toolingua/core/grammar";
import { resolveModel } from "@toolingua/llama-cpp";
import { LogitMasks, readVocabulary } from "@toolingua/logit-mask";
import { getLlama, readGgufFileInfo } from "node-llama-cpp";
import { python } from "./judges.mjs";
import { convert, sampled } from "./llama-cpp.mjs";

/** The model whose vocabulary it is; its weights are not used. */
const MODEL = "smollm2-135m";
/** Every so many of the tools. */
const STEP = 20;

/**
 * A row for each engine: `{ engine, grammar, schemas, tokens, p50, p99, compiled }`, in µs. A mask contains the token before
 * it being accepted; `compiled`: the median time to compile, once, for this vocabulary. Only values that every engine
 * accepts count. One engine after the other, one round each: a difference of less than half says nothing.
 */
export async function measureMasks(cases, step = STEP) {
  const { path, vocabulary, tokenize } = await vocabularyOf(MODEL);
  const asked = cases.filter((_, i) => i % step === 0).map(({ schema, text }) => ({ schema, tokens: tokenize(text) }));
  const ways = await enginesOf(path, vocabulary);
  const times = [];
  for (const { run } of ways) times.push(await run(asked));
  const common = asked.map((_, i) => times.every((list) => list[i].error === undefined));
  return {
    model: MODEL,
    vocabulary: vocabulary.tokens.length,
    schemas: asked.length,
    rows: ways.map(({ engine, grammar }, way) => {
      const mine = times[way].filter((_, i) => common[i]);
      const all = mine.flatMap(({ us }) => us).sort((a, b) => a - b);
      const compiled = mine.map((one) => one.compiled).sort((a, b) => a - b);
      const at = (list, share) => rounded(list[Math.floor(list.length * share)]);
      return {
        ...{ engine, grammar, refused: times[way].filter(({ error }) => error !== undefined).length },
        ...{ schemas: mine.length, tokens: all.length, p50: at(all, 0.5), p99: at(all, 0.99) },
        compiled: at(compiled, 0.5),
      };
    }),
  };
}

const rounded = (value) => Number(value.toPrecision(3));

/** The vocabulary of an embedded model as its file has it, and its tokenizer. */
async function vocabularyOf(name) {
  const { path } = await resolveModel(name);
  const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, maxThreads: 1 });
  const model = await llama.loadModel({ modelPath: path, vocabOnly: true });
  const { tokenizer } = (await readGgufFileInfo(path)).metadata;
  const json = tokenizerOf(tokenizer.ggml);
  return {
    path,
    tokenize: (text) => model.tokenize(text, false),
    vocabulary: { ...readVocabulary(json), json, end: tokenizer.ggml.eos_token_id },
  };
}

/** What a GGUF file says of a byte-level tokenizer, as a `tokenizer.json`. */
function tokenizerOf({ tokens, merges, token_type: types }) {
  const CONTROL = 3;
  const plain = { normalizer: null, truncation: null, padding: null, post_processor: null };
  const digits = { type: "Digits", individual_digits: true };
  const bytes = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true };
  const added = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  return {
    ...{ version: "1.0", ...plain },
    added_tokens: tokens.flatMap((content, id) => (types[id] === CONTROL ? [{ id, content, ...added }] : [])),
    pre_tokenizer: { type: "Sequence", pretokenizers: [digits, bytes] },
    decoder: bytes,
    model: { type: "BPE", vocab: Object.fromEntries(tokens.map((token, id) => [token, id])), merges },
  };
}

async function enginesOf(path, { tokens, type, json, end }) {
  const masks = new LogitMasks({ vocabulary: { tokens, type }, endTokens: end });
  const info = await TokenizerInfo.createTokenizerInfo(tokens, type, false, tokens.length, [end]);
  const compiler = await GrammarCompiler.createGrammarCompiler(info, false);
  const ownGrammar = ({ schema }) => jsonSchemaToGbnf(schema).grammar;
  return [
    {
      ...{ engine: "@toolingua/logit-mask", grammar: "Toolingua's" },
      run: inTurn((asked) => {
        const processor = masks.compile(ownGrammar(asked)).processor();
        const logits = new Float32Array(tokens.length);
        return {
          mask: (known) => processor([known], { data: logits }),
          prepare: () => logits.fill(0),
          admits: (token) => logits[token] === 0,
        };
      }),
    },
    {
      ...{ engine: "web-xgrammar", grammar: "its own" },
      run: inTurn(async ({ schema }) => {
        const grammar = await Grammar.fromJSONSchema(JSON.stringify(schema), true, undefined, undefined, false);
        const compiled = await compiler.compileGrammar(grammar);
        const matcher = await GrammarMatcher.createGrammarMatcher(compiled, undefined, false, 0);
        let bits;
        return {
          async mask(known) {
            if (known.length > 1) matcher.acceptToken(known.at(-1));
            bits = await matcher.getNextTokenBitmask();
          },
          admits: (token) => ((bits[token >> 5] >>> (token & 31)) & 1) === 1,
          dispose() {
            for (const one of [matcher, compiled, grammar]) one.dispose();
          },
        };
      }),
    },
    {
      ...{ engine: "llguidance", grammar: "its own" },
      run: (asked) => python("masks.py", { tokenizer: JSON.stringify(json), end, cases: asked }),
    },
    { ...{ engine: "llama.cpp", grammar: "its own" }, run: (asked) => inLlama(path, asked, convert(schemasOf(asked))) },
    {
      ...{ engine: "llama.cpp", grammar: "Toolingua's" },
      run: (asked) => inLlama(path, asked, asked.map(timedGrammar)),
    },
  ];

  function timedGrammar(asked) {
    const begun = performance.now();
    const grammar = ownGrammar(asked);
    return { grammar, us: (performance.now() - begun) * 1000 };
  }
}

const schemasOf = (asked) => asked.map(({ schema }) => schema);

function inLlama(path, asked, made) {
  const requests = asked.map(({ tokens }, i) => ({ grammar: made[i].grammar ?? "", tokens }));
  return sampled(path, requests).map((one, i) => ({ ...one, compiled: made[i].us }));
}

/** One value after the other, in this process. The first token that is "known" stands for the prompt. */
const inTurn = (compile) => async (asked) => {
  const found = [];
  for (const one of asked) {
    try {
      const begun = performance.now();
      const way = await compile(one);
      const compiled = (performance.now() - begun) * 1000;
      found.push({ compiled, us: await timesOf(way, one.tokens) });
      way.dispose?.();
    } catch (error) {
      found.push({ error: String(error?.message ?? error) });
    }
  }
  return found;
};

async function timesOf({ mask, prepare, admits }, tokens) {
  const known = [0];
  const us = [];
  for (const token of tokens) {
    prepare?.();
    const begun = performance.now();
    const pending = mask(known);
    if (pending instanceof Promise) await pending;
    us.push((performance.now() - begun) * 1000);
    if (!admits(token)) throw new Error(`the grammar refuses token ${token}`);
    known.push(token);
  }
  return us;
}
