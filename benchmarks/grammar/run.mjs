// node benchmarks/grammar/run.mjs [--quick]: measures, prints a table, writes results.json (with --quick: nothing).
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, platform, release } from "node:os";
import { fileURLToPath } from "node:url";
import { callSchema, copy, manyTools, tools, wideTool } from "./cases.mjs";
import { calls, nodeLlamaCpp, ours, xgrammar } from "./compilers.mjs";
import { compare, rounded } from "./timing.mjs";

const quick = process.argv.includes("--quick");
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const version = (name) => JSON.parse(readFileSync(here(`node_modules/${name}/package.json`), "utf8")).version;
const often = { rounds: quick ? 2 : 8, times: quick ? 60 : 200 };
const seldom = { rounds: quick ? 1 : 4, times: quick ? 4 : 10 };
const rows = [];
const row = (what, value, unit, target, detail) => rows.push({ what, value: rounded(value), unit, target, detail });

const fresh = (list, protocol, options) => ({ prepare: () => copy(list), run: (set) => calls(set, protocol, options) });
const cached = { prepare: () => tools, run: (set) => calls(set) };
const [one, ten, elements, auto, again] = await compare(
  [
    fresh(tools.slice(0, 1)),
    fresh(tools),
    fresh(tools, "am-xml"),
    fresh(tools, "hermes", { toolChoice: "auto" }),
    cached,
  ],
  often,
);
row("1 tool, cold", one, "ms", 1);
row("10 tools, cold", ten, "ms", 2);
row("10 tools, cold, XML elements", elements, "ms", 2);
row("10 tools, cold, tool choice auto", auto, "ms");
row("10 tools, again", again * 1000, "µs", 10);
const [many] = await compare([fresh(manyTools(200))], seldom);
row("200 tools, cold", many, "ms", 50);
for (const protocol of ["hermes", "llama3-json", "am-xml", "pythonic", "qwen3-coder"])
  row(`text of 10 tools, ${protocol}`, calls(copy(tools), protocol).grammar.length, "characters", 10_000);
const lines = (count) => calls([wideTool(count)]).grammar.split("\n").length;
row("rules for 30 optional arguments, against 15", lines(30) / lines(15), "×", 2.1, `${lines(30)} rules`);

const schemas = (keyword) => () => copy(callSchema(tools, keyword));
const [own, llama, wasm] = await compare(
  [
    { prepare: schemas("oneOf"), run: ours },
    { prepare: schemas("oneOf"), run: nodeLlamaCpp },
    { prepare: schemas("anyOf"), run: xgrammar },
  ],
  { rounds: seldom.rounds, times: quick ? 10 : 40 },
);
row(
  "a schema of 10 tools, node-llama-cpp's converter",
  own / llama,
  "of its time",
  undefined,
  `${rounded(own)} ms, it ${rounded(llama)} ms`,
);
row(
  "a schema of 10 tools, web-xgrammar's",
  own / wasm,
  "of its time",
  undefined,
  `${rounded(own)} ms, it ${rounded(wasm)} ms`,
);
rows.push(...JSON.parse(execFileSync(process.execPath, ["--expose-gc", here("memory.mjs")], { encoding: "utf8" })));

const results = {
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus()[0]?.model ?? "unknown"} × ${cpus().length}, ${platform()} ${release()}`,
  node: process.version,
  versions: Object.fromEntries(
    ["@toolingua/core", "node-llama-cpp", "@mlc-ai/web-xgrammar"].map((name) => [name, version(name)]),
  ),
  rows,
};
for (const { what, value, unit, target, detail } of rows) {
  const verdict = target === undefined ? "" : value <= target ? `met (≤ ${target})` : `MISSED (≤ ${target})`;
  console.log([what.padEnd(52), `${value} ${unit}`.padEnd(22), verdict.padEnd(20), detail ?? ""].join(" ").trimEnd());
}
if (!quick) writeFileSync(here("results.json"), `${JSON.stringify(results, null, 2)}\n`);
process.exit(0);
