// node evals/coverage/run.mjs [--out FILE]: what grammars made of JSON Schemas admit, ours beside others.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { withTables } from "../../benchmarks/timing/markdown.mjs";
import { circumstances, committable } from "../../benchmarks/timing/results.mjs";
import { WHEEL } from "../accuracy/questions.mjs";
import { SUITE, suiteCases, toolCases } from "./cases.mjs";
import { askedOf, countOf, textsOf, verdictsOf } from "./count.mjs";
import { judgeAll, LLGUIDANCE } from "./judges.mjs";
import { measureMasks } from "./masks.mjs";
import { grammarBytes, orderCase, SIZES } from "./orders.mjs";
import { tables } from "./tables.mjs";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const about = circumstances(["peers", "coverage"]);
if (values.out === undefined) committable(about);
const rows = [];
const sets = [suiteCases(), toolCases()];
for (const cases of sets) {
  const judged = await judgeAll(cases.map(askedOf));
  for (const [compiler, given] of Object.entries(judged)) {
    const verdicts = given.map((one, i) => verdictsOf(cases[i], one));
    rows.push({ set: cases[0].set, ...countOf(compiler, cases, verdicts) });
  }
}

const orderCases = SIZES.map(orderCase);
const accepted = Object.entries(await judgeAll(orderCases)).map(([compiler, given]) => ({
  compiler,
  accepted: given.map(({ verdicts = [] }) => verdicts.filter(Boolean).length),
}));
const orders = {
  ...{ sizes: SIZES, asked: orderCases.map(({ texts }) => texts.length), rows: accepted },
  bytes: Object.fromEntries(
    ["standard", "anyOrder"].map((name) => [name, SIZES.map((size) => grammarBytes(size, name === "anyOrder"))]),
  ),
};

const valid = sets.at(-1).map(({ schema, tests: [{ data }] }) => ({ schema, text: textsOf(data, schema).at(-1) }));
const masks = await measureMasks(valid);
const wheels = Object.fromEntries([SUITE, LLGUIDANCE, WHEEL].map((wheel) => wheel.split("==")));
const results = { ...about, versions: { ...about.versions, ...wheels }, rows, orders, masks };
for (const block of tables(results)) console.log(`\n${block}`);
writeFileSync(values.out ?? here("results.json"), `${JSON.stringify(results, null, 2)}\n`);
if (values.out === undefined)
  writeFileSync(here("README.md"), withTables(readFileSync(here("README.md"), "utf8"), tables(results)));
// The engine's threads would keep the process.
process.exit(0);
