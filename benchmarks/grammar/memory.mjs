// Run with --expose-gc: what is kept of a tool set's grammar, as JSON.
import { clearGrammarCache, grammarCacheInfo } from "@toolingua/core/grammar";
import { copy, tools } from "./cases.mjs";
import { calls } from "./compilers.mjs";

function heap() {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

const SETS = 100;
// What compiling schemas keeps belongs to the schemas, so it is there before and after.
const sets = Array.from({ length: SETS }, () => copy(tools));
for (const set of sets) calls(set);
clearGrammarCache();
const before = heap();
for (const set of sets) calls(set);
const kept = (heap() - before) / SETS;
const { entries, bytes } = grammarCacheInfo();
for (let i = 0; i < 600; i++) calls(copy(tools));
const full = grammarCacheInfo();
console.log(
  JSON.stringify([
    {
      what: "memory of a grammar of 10 tools, kept",
      value: Math.round(kept / 1000),
      unit: "KB",
      target: 12,
      detail: `it says ${Math.round(bytes / entries / 1000)} KB`,
    },
    {
      what: "memory of all grammars kept, of 700",
      value: Math.round(full.bytes / 1000),
      unit: "KB",
      target: 4000,
      detail: `${full.entries} grammars`,
    },
  ]),
);
// The engine's threads would keep the process.
process.exit(0);
