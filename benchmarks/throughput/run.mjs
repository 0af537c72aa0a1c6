// node benchmarks/throughput/run.mjs [--quick] [--out FILE]: what the library does per second, beside its targets; prints a
// table and writes results.json, or FILE (with --quick: nothing but FILE).
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { circumstances, committable, print } from "@toolingua/benchmark-timing/results.mjs";
import { unknown } from "@toolingua/benchmark-timing/spread.mjs";
import { loadResults } from "../timing/load.mjs";
import { measureCalls, measureOverhead } from "./calls.mjs";
import { measureEngine } from "./engine.mjs";
import { reliability } from "./reliability.mjs";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false }, out: { type: "string" } } });
const { quick } = values;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const about = circumstances(["throughput"]);
if (!quick && !values.out) committable(about);
const memory = [here("memory.mjs"), quick ? "20" : "500"];
const kept = JSON.parse(execFileSync(process.execPath, ["--expose-gc", ...memory], { encoding: "utf8" }));
const rows = [
  ...(await measureCalls(quick)),
  ...(await measureEngine(quick)),
  ...(await measureOverhead(quick)),
  ...(quick ? unknown(kept) : kept),
];
print([...rows, ...reliability(loadResults())], ({ group }) => group);
const out = values.out ?? (quick ? undefined : here("results.json"));
if (out) {
  const results = { ...about, rows };
  writeFileSync(out, `${JSON.stringify(results, null, 2)}\n`);
}
