// node evals/replay/run.mjs FILE|FOLDER [--source TEXT] [--out FILE]: reads published replies with each reader, counts.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { table, withTables } from "../../benchmarks/timing/markdown.mjs";
import { circumstances, committable } from "../../benchmarks/timing/results.mjs";
import { count } from "./count.mjs";
import { readers } from "./readers.mjs";
import { loadReplies } from "./rows.mjs";
import { tables } from "./tables.mjs";

const help = `
replay: what is read in replies that models wrote and others published

  npm run bench -- replay FILE|FOLDER [--source TEXT] [--out FILE]

FILE: JSONL, a reply a line; FOLDER: result files of the Berkeley Function Calling Leaderboard, MODEL/…_result.json. See the
README. --source: where the replies are from; writes results.json and the README's tables. --out: writes that file instead.
`;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

async function main() {
  const options = { source: { type: "string" }, out: { type: "string" }, help: { type: "boolean", short: "h" } };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  if (values.help) return console.log(help.trim());
  if (positionals.length !== 1) throw new Error(`Give one file or folder of replies.\n${help}`);
  const rows = loadReplies(positionals[0]);
  const { counts, pairs } = await count(rows, readers);
  const shown = counts.filter(({ by }) => by === "all");
  const head = ["reader", "replies", "right", "lost", "wrong"];
  console.log(
    table(
      head,
      shown.map(({ reader, n, right, lost, wrong }) => [reader, n, right, lost, wrong]),
    ),
  );
  if (values.source === undefined && values.out === undefined) return;
  const about = circumstances(["peers"]);
  if (values.out === undefined) committable(about);
  const results = { ...about, source: values.source ?? "", counts, pairs };
  writeFileSync(values.out ?? here("results.json"), jsonOf(results));
  if (values.out === undefined)
    writeFileSync(here("README.md"), withTables(readFileSync(here("README.md"), "utf8"), tables(results)));
}

/** JSON with a count in each line. */
function jsonOf({ counts, pairs, ...about }) {
  const lines = (list) => list.map((one) => `    ${JSON.stringify(one)}`).join(",\n");
  const head = JSON.stringify(about, null, 2).replace(/\n}$/, "");
  return `${head},\n  "counts": [\n${lines(counts)}\n  ],\n  "pairs": [\n${lines(pairs)}\n  ]\n}\n`;
}

await main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
