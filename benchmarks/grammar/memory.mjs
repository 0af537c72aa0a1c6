// Run with --expose-gc: the memory retained for a tool set's grammar, as JSON.
import { heapUsed as heap } from "@toolingua/benchmark-timing";
import { clearGrammarCache, grammarCacheInfo } from "@toolingua/core/grammar";
import { copy, tools } from "./cases.mjs";
import { calls } from "./compilers.mjs";

const SETS = Number(process.argv[2] ?? 100);
// What compiling schemas keeps belongs to the schemas, so it is there before and after.
const sets = Array.from({ length: SETS }, () => copy(tools));
for (const set of sets) calls(set);
clearGrammarCache();
const before = heap();
for (const set of sets) calls(set);
const kept = (heap() - before) / SETS;
const { entries, bytes } = grammarCacheInfo();
for (let i = 0; i < 6 * SETS; i++) calls(copy(tools));
const full = grammarCacheInfo();
console.log(
  JSON.stringify([
    {
      what: "memory of a grammar of 10 tools, kept",
      value: Math.round(kept / 1000),
      unit: "KB",
      most: 12,
      detail: `it says ${Math.round(bytes / entries / 1000)} KB`,
    },
    {
      what: `memory of all grammars kept, of ${7 * SETS}`,
      value: Math.round(full.bytes / 1000),
      unit: "KB",
      most: 4000,
      detail: `${full.entries} grammars`,
    },
  ]),
);
// The engine's threads would keep the process.
process.exit(0);
