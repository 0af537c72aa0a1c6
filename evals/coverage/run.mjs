// node evals/coverage/run.mjs [--out FILE]: what grammars made of JSON Schemas admit, ours beside others.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { withTables } from "../../benchmarks/timing/markdown.mjs";
import { circumstances, committable } from "../../benchmarks/timing/results.mjs";
import { WHEEL } from "../accuracy/questions.mjs";
import { SUITE, suiteCases, toolCases } from "./cases.mjs";
import { countOf, textOf } from "./count.mjs";
import { judgeAll, LLGUIDANCE } from "./judges.mjs";
import { tables } from "./tables.mjs";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const about = circumstances(["peers", "coverage"]);
if (values.out === undefined) committable(about);
const rows = [];
for (const cases of [suiteCases(), toolCases()]) {
  const asked = cases.map(({ schema, tests }) => ({ schema, texts: tests.map(({ data }) => textOf(data, schema)) }));
  const judged = await judgeAll(asked);
  for (const [compiler, verdicts] of Object.entries(judged))
    rows.push({ set: cases[0].set, ...countOf(compiler, cases, verdicts) });
}
const wheels = Object.fromEntries([SUITE, LLGUIDANCE, WHEEL].map((wheel) => wheel.split("==")));
const results = { ...about, versions: { ...about.versions, ...wheels }, rows };
for (const block of tables(results)) console.log(`\n${block}`);
writeFileSync(values.out ?? here("results.json"), `${JSON.stringify(results, null, 2)}\n`);
if (values.out === undefined)
  writeFileSync(here("README.md"), withTables(readFileSync(here("README.md"), "utf8"), tables(results)));
