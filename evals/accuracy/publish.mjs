// What of a run is committed: results-NAME.json, and the README's tables, made from all such files.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadResults } from "../../benchmarks/timing/load.mjs";
import { withTables } from "../../benchmarks/timing/markdown.mjs";
import { kindsIn } from "./errors.mjs";
import { readRun } from "./records.mjs";
import { summarise } from "./summary.mjs";
import { tables } from "./tables.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Answers of uncommitted or unrecorded files, which cannot be reproduced. */
function ofNoCommit(records) {
  const strays = records.filter(({ commit }) => commit === undefined || commit.endsWith("-dirty"));
  if (strays.length === 0) return;
  throw new Error(
    `${strays.length} of ${records.length} answers were given by files that differ from their commit (${strays[0].commit ?? "none named"}). ` +
      "What is committed are answers of a commit: ask in a clean working tree.",
  );
}

/**
 * Summarises the answers of a run, writes the committed files, and returns the summary. Throws if there are no answers,
 * and if some belong to no commit.
 */
export function publish(name) {
  const records = readRun(name);
  if (records.length === 0) throw new Error(`There are no answers of a run "${name}": no runs/${name}.jsonl.`);
  ofNoCommit(records);
  const { answers, ...summary } = summarise(records, kindsIn(records));
  // The answers of a cell in one line.
  const head = JSON.stringify(summary, null, 2).replace(/\n}$/, "");
  const lines = answers.map((one) => `    ${JSON.stringify(one)}`).join(",\n");
  writeFileSync(here(`results-${name}.json`), `${head},\n  "answers": [\n${lines}\n  ]\n}\n`);
  const readme = readFileSync(here("README.md"), "utf8");
  writeFileSync(here("README.md"), withTables(readme, tables(loadResults().accuracy)));
  return summary;
}
