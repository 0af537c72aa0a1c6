// node evals/selection/run.mjs [--out FILE]: counts, writes results.json and the README's table.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { withTables } from "../../benchmarks/timing/markdown.mjs";
import { circumstances, committable } from "../../benchmarks/timing/results.mjs";
import { loadQuestions, WHEEL } from "../accuracy/questions.mjs";
import { countFound } from "./count.mjs";
import { tables } from "./tables.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values } = parseArgs({ options: { out: { type: "string" } } });
const about = circumstances(["selection"]);
if (values.out === undefined) committable(about);

const rows = [];
for (const category of ["simple_python", "multiple", "live_simple", "live_multiple"]) {
  rows.push(...(await countFound(category, loadQuestions(category))));
}
const results = { ...about, versions: { ...about.versions, questions: WHEEL }, rows };
console.log(tables(results).join("\n\n"));
const head = JSON.stringify({ ...results, rows: undefined }, null, 2).replace(/\n}$/, "");
const lines = rows.map((row) => `    ${JSON.stringify(row)}`).join(",\n");
writeFileSync(values.out ?? here("results.json"), `${head},\n  "rows": [\n${lines}\n  ]\n}\n`);
if (values.out === undefined)
  writeFileSync(here("README.md"), withTables(readFileSync(here("README.md"), "utf8"), tables(results)));
