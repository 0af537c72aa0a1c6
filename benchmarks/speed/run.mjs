// node benchmarks/speed/run.mjs [NAME …] [--quick] [--out FILE]: measures the benchmarks named, else all; prints one table.
// All of them, and not --quick, or --out: writes results.json, or FILE.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { circumstances, committable, print } from "@toolingua/benchmark-timing/results.mjs";

const benchmarks = ["parse", "grammar", "langchain", "logit-mask"];
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, out: { type: "string" } },
});
const unknown = positionals.filter((name) => !benchmarks.includes(name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}; there are ${benchmarks.join(", ")}.`);
  process.exit(2);
}
const names = benchmarks.filter((name) => positionals.length === 0 || positionals.includes(name));

const complete = names.length === benchmarks.length && !values.quick;
const about = circumstances(["peers", ...names]);
if (complete && !values.out) committable(about);
const rows = [];
for (const benchmark of names) {
  const begun = performance.now();
  const args = ["--expose-gc", here("one.mjs"), benchmark, ...(values.quick ? ["--quick"] : [])];
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) process.exit(status ?? 1);
  for (const row of JSON.parse(stdout)) rows.push({ benchmark, ...row });
  console.error(`${benchmark}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}
print(rows, ({ benchmark }) => benchmark);
const out = values.out ?? (complete ? here("results.json") : undefined);
if (out) {
  const results = { ...about, rows };
  writeFileSync(out, `${JSON.stringify(results, null, 2)}\n`);
}
