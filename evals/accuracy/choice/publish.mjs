// What of the readings is committed: results.json, and the README's tables.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withTables } from "../../../benchmarks/timing/markdown.mjs";
import { circumstances, isStray } from "../../../benchmarks/timing/results.mjs";
import { WHEEL } from "../questions.mjs";
import { choiceQuestions } from "./questions.mjs";
import { readingOf } from "./readings.mjs";
import { summarise } from "./summary.mjs";
import { tables } from "./tables.mjs";
import { wordScorer } from "./words.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Summarises the records of a run and writes the committed files. Throws if some belong to no commit. */
export async function publish(records) {
  const strays = records.filter(isStray);
  if (strays.length > 0) throw new Error(`${strays.length} readings are of files that differ from their commit.`);
  const readings = records.flatMap(readingOf);
  const scoreOf = wordScorer();
  const words = {};
  const asked = new Set(readings.map(({ id }) => id));
  for (const question of choiceQuestions(200)) if (asked.has(question.id)) words[question.id] = await scoreOf(question);
  const { commit: _, ...about } = circumstances(["accuracy"]);
  const commit = [...new Set(records.map((one) => one.commit))].sort().join(", ");
  const versions = { ...about.versions, questions: WHEEL };
  const results = { ...about, commit, versions, rows: summarise(readings, words), words, readings };
  const head = JSON.stringify({ ...results, rows: undefined, words: undefined, readings: undefined }, null, 2);
  const list = (name) => `  "${name}": [\n${results[name].map((one) => `    ${JSON.stringify(one)}`).join(",\n")}\n  ]`;
  const parts = [head.replace(/\n}$/, ""), list("rows"), `  "words": ${JSON.stringify(words)}`, list("readings")];
  writeFileSync(here("results.json"), `${parts.join(",\n")}\n}\n`);
  writeFileSync(here("README.md"), withTables(readFileSync(here("README.md"), "utf8"), tables(results)));
}
