// What came of the questions: a row for each model, cell and category; and whether the best cell beats the baselines.
import { writeFileSync } from "node:fs";
import { cpus, platform, release } from "node:os";
import { fileURLToPath } from "node:url";
import { baselines, NATIVE } from "./cells.mjs";
import { WHEEL } from "./questions.mjs";
import { mcnemar, wilson } from "./statistics.mjs";

/** Sums up; with a name, writes `results-NAME.json` as well. */
export function summarise(records, name) {
  // A question that was asked twice, by two shards that overlap, counts once.
  const unique = [...new Map(records.map((one) => [`${one.model}\n${one.cell}\n${one.id}`, one])).values()];
  const rows = groups(unique, ({ model, cell, category }) => [model, cell, category]).map(row);
  const summary = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus()[0]?.model ?? "unknown"} × ${cpus().length}, ${platform()} ${release()}`,
    node: process.version,
    questions: WHEEL,
    rows,
    comparisons: comparisons(unique),
  };
  if (name) {
    const path = fileURLToPath(new URL(`results-${name}.json`, import.meta.url));
    writeFileSync(path, written(summary, answers(unique)));
  }
  return summary;
}

/** Which questions each cell got right, so that any two cells can be compared on the questions both were asked. */
function answers(records) {
  return groups(records, ({ model, cell, category, half }) => [model, cell, category, half]).map((list) => {
    const [{ model, cell, category, half }] = list;
    const names = (wanted) => list.filter(({ right }) => right === wanted).map(({ id }) => id);
    return { model, cell, category, half, right: names(true), wrong: names(false) };
  });
}

/** As JSON, the answers of a cell in one line. */
function written(summary, answers) {
  const head = JSON.stringify(summary, null, 2).replace(/\n}$/, "");
  return `${head},\n  "answers": [\n${answers.map((one) => `    ${JSON.stringify(one)}`).join(",\n")}\n  ]\n}\n`;
}

/** The lists of those that have the same keys. */
export function groups(list, keysOf) {
  const found = new Map();
  for (const one of list) {
    const key = keysOf(one).join("\n");
    found.set(key, [...(found.get(key) ?? []), one]);
  }
  return [...found.values()];
}

function row(records) {
  const [{ model, cell, category }] = records;
  const count = records.length;
  const hits = (what) => records.filter((one) => one[what]).length;
  const sum = (what) => records.reduce((total, one) => total + (one[what] ?? 0), 0);
  const mean = (what) => Number((sum(what) / count).toFixed(2));
  const [from, to] = wilson(hits("right"), count).map((share) => Number(share.toFixed(4)));
  return {
    ...{ model, cell, category, count, right: hits("right"), from, to },
    ...{ valid: hits("valid"), failed: hits("failed"), errors: hits("error") },
    ...(records[0].turns !== undefined && { turns: sum("turns"), turnsRight: sum("turnsRight") }),
    calls: Number((records.reduce((total, { calls }) => total + (calls?.length ?? 0), 0) / count).toFixed(2)),
    ...{
      tokensIn: mean("tokensIn"),
      tokensOut: mean("tokensOut"),
      attempts: mean("attempts"),
      seconds: mean("seconds"),
    },
  };
}

/** Our best cell by half a, against each baseline on half b, the same questions; for each model and category. */
function comparisons(records) {
  const isBaseline = ({ cell }) => baselines.includes(cell) || cell === NATIVE;
  return groups(records, ({ model, category }) => [model, category]).flatMap((list) => {
    const [{ model, category }] = list;
    const share = (cell) => cell.filter(({ right }) => right).length / cell.length;
    const ours = groups(
      list.filter((one) => !isBaseline(one)),
      ({ cell }) => [cell],
    );
    const chosen = ours
      .map((cell) => ({ name: cell[0].cell, half: cell.filter(({ half }) => half === "a") }))
      .filter(({ half }, i) => half.length > 0 && half.length < ours[i].length) // a search drops cells before half b
      .sort((one, other) => share(other.half) - share(one.half))[0];
    if (!chosen) return [];
    const best = new Map(
      list.filter(({ cell, half }) => cell === chosen.name && half === "b").map(({ id, right }) => [id, right]),
    );
    const others = groups(
      list.filter((one) => isBaseline(one) && one.half === "b" && best.has(one.id)),
      ({ cell }) => [cell],
    );
    return others.map((cell) => {
      const won = cell.filter(({ id, right }) => best.get(id) && !right).length;
      const lost = cell.filter(({ id, right }) => !best.get(id) && right).length;
      const p = Number(mcnemar(won, lost).toPrecision(3));
      return { model, category, best: chosen.name, baseline: cell[0].cell, count: cell.length, won, lost, p };
    });
  });
}

const percent = (share) => `${Math.round(share * 100)} %`;

export function printSummary({ rows, comparisons }) {
  const line = ({ model, cell, category, count, right, from, to, valid, failed, ...row }) => [
    ...[model, cell, category, `${right}/${count}`, `${percent(from)} to ${percent(to)}`],
    ...[row.turns === undefined ? "" : `${row.turnsRight}/${row.turns}`, valid, failed, row.calls.toFixed(1)],
    ...[Math.round(row.tokensIn), Math.round(row.tokensOut), row.seconds.toFixed(1)],
  ];
  const head = ["model", "cell", "category", "right", "95 %", "turns", "valid", "unread", "calls", "in", "out", "s"];
  print([head, ...rows.map(line)]);
  if (comparisons.length === 0) return;
  console.log("\nOur best by half a, on half b (p: McNemar's exact test)");
  const against = ["model", "category", "ours", "baseline", "questions", "only ours", "only theirs", "p"];
  print([
    against,
    ...comparisons.map((one) => [one.model, one.category, one.best, one.baseline, one.count, one.won, one.lost, one.p]),
  ]);
}

/** Prints rows of cells, in columns. */
export function print(table) {
  const text = table.map((cells) => cells.map(String));
  const widths = text[0].map((_, i) => Math.max(...text.map((cells) => cells[i].length)));
  for (const cells of text)
    console.log(
      cells
        .map((cell, i) => cell.padEnd(widths[i]))
        .join("  ")
        .trimEnd(),
    );
}
