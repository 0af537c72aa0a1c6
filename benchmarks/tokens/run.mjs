// node benchmarks/tokens/run.mjs: counts everything with every tokenizer; writes results.json and the README's tables.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { withTables } from "../timing/markdown.mjs";
import { circumstances, committable } from "../timing/results.mjs";
import { countAll } from "./count.mjs";
import { tables } from "./tables.mjs";
import { tokenizerNames, tokenizerVersions } from "./tokenizers.mjs";

const { values } = parseArgs({ options: { tables: { type: "boolean" }, help: { type: "boolean", short: "h" } } });
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const version = (name) => JSON.parse(readFileSync(here(`../peers/node_modules/${name}/package.json`), "utf8")).version;

if (values.help) {
  console.log("tokens [--tables]   --tables: counts nothing, writes the README's tables from results.json");
} else {
  const results = values.tables ? JSON.parse(readFileSync(here("results.json"), "utf8")) : await measure();
  writeFileSync(here("README.md"), withTables(readFileSync(here("README.md"), "utf8"), tables(results)));
}

async function measure() {
  const { date, commit, machine, node } = circumstances([]);
  committable({ commit });
  const rows = await countAll();
  const peers = ["@ai-sdk-tool/parser", "@langchain/classic"].map((name) => [name, version(name)]);
  const about = {
    ...{ date, commit, machine, node },
    versions: { ...tokenizerVersions(), ...Object.fromEntries(peers) },
    tokenizers: tokenizerNames,
  };
  // A row a line: a change of one figure is a change of one line.
  const head = JSON.stringify(about, null, 2).replace(/\n}$/, "");
  const lines = rows.map((row) => `    ${JSON.stringify(row)}`).join(",\n");
  writeFileSync(here("results.json"), `${head},\n  "rows": [\n${lines}\n  ]\n}\n`);
  return { ...about, rows };
}
