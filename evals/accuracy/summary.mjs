// What came of the questions: a row for each model, cell and category; and whether the best cell beats the baselines.
import { circumstances } from "../../benchmarks/timing/results.mjs";
import { modelsIn, recommend } from "./compare.mjs";
import { firstArguments } from "./first-argument.mjs";
import { WHEEL } from "./questions.mjs";
import { wilson } from "./statistics.mjs";

/**
 * Summarises answers. `kindOf(record)`: the kind of a wrong answer. `commit` and `engine` are those of the answers, not
 * the current ones. Throws for answers with different settings.
 */
export function summarise(records, kindOf) {
  const settings = groups(records, ({ seed, maxTokens }) => [seed, maxTokens]).map(([{ seed, maxTokens }]) => ({
    seed,
    maxTokens,
  }));
  if (settings.length > 1) {
    const list = settings.map(({ seed, maxTokens }) => `--seed ${seed} --max-tokens ${maxTokens}`).join("; ");
    throw new Error(
      `These answers were given under different settings (${list}): keep them in runs of different names.`,
    );
  }
  // A question that two overlapping shards asked counts once.
  const unique = [...new Map(records.map((one) => [`${one.model}\n${one.cell}\n${one.id}`, one])).values()];
  const rows = groups(unique, ({ model, cell, category }) => [model, cell, category]).map(row);
  const answers = answersOf(unique, kindOf);
  const { versions, commit: _, ...about } = circumstances(["peers", "accuracy"]);
  const begun = firstArguments(unique);
  const each = (key) => [...new Set(unique.map((one) => one[key] ?? "unknown"))].sort();
  return {
    ...{ ...about, commit: each("commit").join(", "), engine: each("engine").join(", ") },
    ...{ versions: { ...versions, questions: WHEEL }, settings: settings[0], rows },
    ...(begun.length > 0 && { firstArguments: begun }),
    ...{ comparisons: comparisons(modelsIn([{ rows, answers }])), answers },
  };
}

/**
 * Which questions each cell got right, so that any two cells can be compared on the questions both were asked; and of
 * what kind the wrong ones are, in their order.
 */
function answersOf(records, kindOf) {
  return groups(records, ({ model, cell, category, half }) => [model, cell, category, half]).map((list) => {
    const [{ model, cell, category, half }] = list;
    const [right, wrong] = [true, false].map((wanted) => list.filter((one) => one.right === wanted));
    const ids = (some) => some.map(({ id }) => id);
    const kinds = kindOf && wrong.map((record) => kindOf(record) ?? "");
    return { model, cell, category, half, right: ids(right), wrong: ids(wrong), ...(kinds && { kinds }) };
  });
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
  const chosen = records.filter(({ shown }) => shown !== undefined);
  const begun = records.flatMap(({ firstArgument }) => (firstArgument ? [firstArgument] : []));
  const after = (unit) => {
    const known = begun.flatMap((one) => one[unit] ?? []);
    return known.length === 0
      ? {}
      : { [unit]: Number((known.reduce((total, one) => total + one, 0) / known.length).toFixed(2)) };
  };
  const [from, to] = wilson(hits("right"), count).map((share) => Number(share.toFixed(4)));
  return {
    ...{ model, cell, category, count, right: hits("right"), from, to },
    ...{ valid: hits("valid"), failed: hits("failed"), errors: hits("error") },
    ...(records[0].turns !== undefined &&
      Object.fromEntries(["turns", "turnsRight", "callsWanted", "callsRight"].map((key) => [key, sum(key)]))),
    calls: Number((records.reduce((total, { calls }) => total + (calls?.length ?? 0), 0) / count).toFixed(2)),
    ...{
      tokensIn: mean("tokensIn"),
      tokensOut: mean("tokensOut"),
      attempts: mean("attempts"),
      seconds: mean("seconds"),
    },
    // Of the questions with a selection: how many tools it showed, and how often the right one was among them.
    ...(chosen.length > 0 && {
      selection: {
        count: chosen.length,
        shown: Number((chosen.reduce((total, { shown }) => total + shown.length, 0) / chosen.length).toFixed(2)),
        found: chosen.filter(({ found }) => found).length,
      },
    }),
    // Of the replies with a call: after how long, and how much of the reply, its first argument was known.
    ...(begun.length > 0 && {
      firstArgument: Object.assign({}, ...["seconds", "characters", "tokens"].map(after)),
    }),
  };
}

/**
 * Our best cell by half a, against each baseline on half b, the same questions; for each model, in all and by category.
 */
const comparisons = (models) =>
  models.flatMap((model) => {
    const { chosen, against = [], categories = [] } = recommend(model) ?? {};
    return [{ category: "all", against }, ...categories].flatMap(({ category, against }) =>
      against.map(({ cell, count, won, lost, p }) => ({
        ...{ model: model.name, category, best: chosen.name, baseline: cell.name },
        ...{ count, won, lost, p: Number(p.toPrecision(3)) },
      })),
    );
  });

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
