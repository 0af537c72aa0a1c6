// All texts, counted by one tokenizer after the other.

import { calls, histories, lists, prompts, results, sizes } from "./texts.mjs";
import { installTokenizers, loadTokenizer, tokenizerNames } from "./tokenizers.mjs";
import { transcripts } from "./transcripts.mjs";

/** Rows of `{ kind, what, …, tokens: [by tokenizer, in the order of tokenizerNames] }`. */
export async function countAll(names = tokenizerNames) {
  installTokenizers();
  const rows = [];
  const add = (kind, texts, more = {}) =>
    rows.push(...texts.map(({ text, ...about }) => ({ kind, ...about, ...more, text, tokens: [] })));
  for (const tools of sizes) {
    add("list", lists(tools), { tools });
    add("prompt", await prompts(tools), { tools });
    add("history", await histories(tools), { tools });
  }
  add("call", calls());
  add("result", results());
  add("transcript", transcripts());

  for (const name of names) {
    const count = loadTokenizer(name);
    const known = new Map();
    const started = performance.now();
    for (const row of rows) {
      if (!known.has(row.text)) known.set(row.text, count(row.text));
      row.tokens.push(known.get(row.text));
    }
    console.error(`${name}: ${known.size} texts in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
  return rows.map(({ text: _, ...row }) => row);
}
