// The combined results of all runs: shares, pairs, the effect of each factor, the recommendation.
import { factorsIn, unnamed } from "./cell-name.mjs";
import { labelOf } from "./labels.mjs";
import { setOf } from "./question-sets.mjs";
import { differenceInterval, LEVEL, mcnemar, mean, wilson } from "./statistics.mjs";

/** The factors of a cell of ours, in the order of its name; and what each is compared with, if it was asked. */
const factors = {
  ...{ protocol: "hermes", style: "native", constraint: "off", retry: "no-retry", shots: "0" },
  ...unnamed,
};
const names = Object.keys(factors);

/** Where no call may be made, or any: nothing that cells which demand a call are asked. */
export const demandsCall = (category) => !category.includes("relevance");

/** A question that wants a call. Conversations are not summed with questions: they are right by other rules. */
const wantsCall = (category) => demandsCall(category) && setOf(category) !== "several turns";

/**
 * The models of all files, each with its cells: `{ name, label, ours, factors, answers, rows, cost }`. `label`: the cell in
 * words; `answers`: by question, `{ category, half, right, kind }` (`kind`: of error, where it is known); a question that
 * several runs asked counts once.
 */
export function modelsIn(files) {
  const models = new Map();
  for (const { answers = [], rows = [], engine } of files) {
    const onServer = engine?.startsWith("xllamacpp") ?? false;
    // What another engine answered is another model's.
    const named = (model) => (onServer ? `${model} in llama.cpp's server` : model);
    const cellOf = (model, name) => {
      if (!models.has(model)) models.set(model, new Map());
      const cells = models.get(model);
      if (!cells.has(name)) cells.set(name, newCell(name));
      return cells.get(name);
    };
    for (const { model: asked, cell, category, half, right, wrong, kinds = [] } of answers) {
      const { answers } = cellOf(named(asked), cell);
      for (const id of right) answers.set(id, { category, half, right: true });
      for (const [i, id] of wrong.entries()) answers.set(id, { category, half, right: false, kind: kinds[i] });
    }
    for (const row of rows)
      if (models.get(named(row.model))?.has(row.cell)) cellOf(named(row.model), row.cell).rows.push(row);
  }
  return [...models].map(([name, cells]) => ({
    name,
    cells: [...cells.values()].map((cell) => ({ ...cell, cost: costOf(cell.rows) })),
  }));
}

function newCell(name) {
  // Baselines are named after their packages, or way/choice/shots.
  const factors = factorsIn(name);
  const label = labelOf(name);
  return { name, label, ours: factors !== undefined, factors, answers: new Map(), rows: [] };
}

/** Means of a question, over rows of results. */
export function costOf(rows) {
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const each = (key) => rows.reduce((sum, row) => sum + row[key] * row.count, 0) / count;
  const share = (key) => rows.reduce((sum, row) => sum + row[key], 0) / count;
  return {
    ...{ tokensIn: each("tokensIn"), tokensOut: each("tokensOut"), seconds: each("seconds") },
    ...{ valid: share("valid"), failed: share("failed") },
  };
}

/** The share of right answers among the questions that fit, with Wilson's 95 % interval. */
export function shareOf(cell, fits) {
  const asked = [...cell.answers.values()].filter(fits);
  const right = asked.filter((answer) => answer.right).length;
  const [low, high] = wilson(right, asked.length);
  return { count: asked.length, right, share: right / asked.length, low, high };
}

/** The kinds of errors in the matching answers, the most frequent first: "4 wrong value, 1 wrong tool". */
export function errorsOf(cell, fits) {
  const counts = new Map();
  for (const { kind } of [...cell.answers.values()].filter(fits))
    if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.map(([kind, count]) => `${count} ${kind}`).join(", ");
}

/**
 * Two cells on the questions both were asked: McNemar's exact test. `won`, `lost`: only the one, only the other was
 * right; `both` were.
 */
export function pair(one, other, fits) {
  const asked = [...one.answers].filter(([id, answer]) => fits(answer) && other.answers.has(id));
  const count = (mine, theirs) =>
    asked.filter(([id, { right }]) => right === mine && other.answers.get(id).right === theirs).length;
  const [won, lost] = [count(true, false), count(false, true)];
  return { count: asked.length, won, lost, both: count(true, true), p: mcnemar(won, lost) };
}

/** The answers of a half to questions that need a call; of one category, if one is named. */
export const inHalf = (half, category) => (answer) =>
  answer.half === half && (category === undefined ? wantsCall(answer.category) : answer.category === category);

/**
 * The rule of the report. Chosen on half a: of our cells (those that half b was asked of, if any was), the one with the
 * largest share of right calls, the mean of the categories, on the questions that all of them were asked; of equals the
 * one with the fewest tokens. Judged on half b, against every baseline by McNemar's test. A baseline that beats it
 * there is recommended in its place, if it does so beyond chance for as many baselines (Bonferroni).
 *
 * `against`: the pairs with each baseline, over all categories; `categories`: in each, `{ category, against }`.
 */
export function recommend({ cells }) {
  const chosen = choose(cells.filter((cell) => cell.ours));
  if (!chosen) return undefined;
  const baselines = cells.filter((cell) => !cell.ours && shareOf(cell, inHalf("b")).count > 0);
  const pairs = (category) =>
    baselines.map((cell) => ({ cell, ...pair(chosen, cell, inHalf("b", category)) })).filter(({ count }) => count > 0);
  const against = pairs();
  const better = against
    .filter(({ won, lost, p }) => lost > won && p * against.length < LEVEL)
    .sort((one, other) => one.p - other.p)[0]?.cell;
  const categories = [...new Set([...chosen.answers.values()].map(({ category }) => category))].filter(wantsCall);
  return {
    ...{ chosen, against, better, recommended: better ?? chosen },
    categories: categories
      .map((category) => ({ category, against: pairs(category) }))
      .filter(({ against }) => against.length > 0),
  };
}

/** Whether the first of a pair is better, beyond chance. */
export const beats = ({ won, lost, p }) => won > lost && p < LEVEL;

function choose(ours) {
  const asked = (cell, half) => shareOf(cell, inHalf(half)).count;
  const onBoth = ours.filter((cell) => asked(cell, "a") > 0 && asked(cell, "b") > 0);
  const candidates = onBoth.length > 0 ? onBoth : ours.filter((cell) => asked(cell, "a") > 0);
  const most = Math.max(0, ...candidates.map((cell) => asked(cell, "a")));
  // A cell that a run had only begun with would leave no questions in common.
  const complete = candidates.filter((cell) => asked(cell, "a") >= 0.8 * most);
  const common = (id) => complete.every(({ answers }) => answers.has(id));
  const score = ({ answers }) => {
    const shared = [...answers].filter(([id, answer]) => inHalf("a")(answer) && common(id));
    const categories = byCategory(shared);
    return mean([...categories.values()].map((list) => mean(list.map(([, { right }]) => Number(right)))));
  };
  const tokens = ({ cost }) => cost.tokensIn + cost.tokensOut;
  return complete
    .map((cell) => ({ cell, score: score(cell) }))
    .sort((a, b) => b.score - a.score || tokens(a.cell) - tokens(b.cell))[0]?.cell;
}

/** Answers by category (Map.groupBy is newer than Node.js 20). */
function byCategory(list) {
  const found = new Map();
  for (const one of list) found.set(one[1].category, [...(found.get(one[1].category) ?? []), one]);
  return found;
}

/**
 * The effect of each value of a factor, in shares of right calls: pairs of cells that differ in nothing else, on the
 * questions that both were asked, of both halves. Questions are independent, pairs of cells are not, so each question
 * counts with the mean of its pairs. `better`, `worse`: numbers of questions; `p`: McNemar's exact test on them.
 */
export function effects({ cells }) {
  const ours = cells.filter((cell) => cell.ours);
  return names.flatMap((factor) => {
    const values = [...new Set(ours.map((cell) => cell.factors[factor]))].sort();
    const base = values.includes(factors[factor]) ? factors[factor] : values[0];
    return values.filter((value) => value !== base).flatMap((value) => effect(ours, factor, base, value));
  });
}

function effect(ours, factor, base, value) {
  const rest = (cell) => names.filter((name) => name !== factor).map((name) => cell.factors[name]);
  const twin = (cell) => ours.find((one) => one.factors[factor] === base && String(rest(one)) === String(rest(cell)));
  const pairs = ours.filter((cell) => cell.factors[factor] === value && twin(cell)).map((cell) => [cell, twin(cell)]);
  const byQuestion = new Map();
  for (const [cell, reference] of pairs) {
    for (const [id, { right, category }] of cell.answers) {
      const other = reference.answers.get(id);
      if (other && wantsCall(category)) byQuestion.set(id, [...(byQuestion.get(id) ?? []), right - other.right]);
    }
  }
  const differences = [...byQuestion.values()].map(mean);
  if (differences.length === 0) return [];
  const better = differences.filter((one) => one > 0).length;
  const worse = differences.filter((one) => one < 0).length;
  const [low, high] = differenceInterval(differences);
  return [
    {
      ...{ factor, base, value, pairs: pairs.length, questions: differences.length },
      ...{ difference: mean(differences), low, high, better, worse, p: mcnemar(better, worse) },
    },
  ];
}
