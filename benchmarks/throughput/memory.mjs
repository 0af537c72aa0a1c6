// Run with --expose-gc: what the library keeps of tools beside their definitions, as JSON.
import { heapUsed, rounded } from "@toolingua/benchmark-timing";
import { call, copy, instant, replyOf, tools, turn } from "./turns.mjs";

const SETS = Number(process.argv[2] ?? 500);
const reply = replyOf("xml");
const weather = tools.filter(({ name }) => name === call.name);
const silent = instant("I know of nothing.");

/** KB kept of each of many sets after a turn with it, and whether that is gone when the sets are. */
async function keptOf(set, model, count) {
  // As many before as are measured, for what the engine compiles of the library is in the heap as well.
  for (let i = 0; i < SETS; i++) await turn({ model, count, tools: copy(set) });
  const empty = heapUsed();
  let sets = Array.from({ length: SETS }, () => copy(set));
  const defined = heapUsed();
  for (const one of sets) await turn({ model, count, tools: one });
  const kept = heapUsed() - defined;
  sets = undefined;
  return { kept: kept / SETS / 1000, freed: heapUsed() - empty < kept / 10 };
}

const rows = [];
const cases = [
  ["a tool that was shown", weather, silent, 0, { aim: "about 1 KB", most: 1.5 }],
  ["a tool that was called", weather, instant(reply), 1, { aim: "about 1 KB", most: 1.5 }],
  ["a set of 10 tools, all shown, one called", tools, instant(reply), 1, { aim: "about 10 KB", most: 15 }],
];
for (const [what, set, model, count, target] of cases) {
  const { kept, freed } = await keptOf(set, model, count);
  const size = rounded(JSON.stringify(set).length / 1000);
  const detail = `beside its definition, ${size} KB of JSON${freed ? "; freed with it" : ""}`;
  rows.push({ group: "memory", what, value: rounded(kept), unit: "KB kept", ...target, detail });
}
console.log(JSON.stringify(rows));
