// What the answers of all runs say together: shares, pairs, what each factor did, what is recommended.
import { mcnemar, wilson } from "../accuracy/statistics.mjs";
import { mean } from "./format.mjs";
import { families, familyOf } from "./theme.mjs";

/** The factors of a cell of ours, in the order of its name; and what each is compared with, if it was asked. */
export const factors = {
  ...{ protocol: "hermes", style: "native", constraint: "off", repair: "no-repair", shots: "0" },
  wording: "plain", // what a name does not say
};
const names = Object.keys(factors);

/** Where no call may be made, or any: nothing that cells which demand a call are asked. */
export const demandsCall = (category) => !category.includes("relevance");

/**
 * The models of all files, each with its cells: `{ name, ours, factors, answers, cost }`. `answers`: by question,
 * `{ category, half, right }`; a question that several runs asked counts once.
 */
export function modelsIn(files) {
  const models = new Map();
  const cellOf = (model, name) => {
    if (!models.has(model)) models.set(model, new Map());
    const cells = models.get(model);
    if (!cells.has(name)) cells.set(name, newCell(name));
    return cells.get(name);
  };
  for (const { answers = [], rows = [] } of files) {
    for (const { model, cell, category, half, right, wrong } of answers) {
      const { answers } = cellOf(model, cell);
      for (const id of right) answers.set(id, { category, half, right: true });
      for (const id of wrong) answers.set(id, { category, half, right: false });
    }
    for (const row of rows) if (models.get(row.model)?.has(row.cell)) cellOf(row.model, row.cell).rows.push(row);
  }
  return [...models].map(([name, cells]) => ({
    name,
    cells: [...cells.values()].map((cell) => ({ ...cell, cost: cost(cell.rows) })),
  }));
}

function newCell(name) {
  const ours = familyOf(name) === families.ours;
  const said = name.split("/");
  const parts = ours ? Object.fromEntries(names.map((factor, i) => [factor, said[i] ?? factors[factor]])) : undefined;
  return { name, ours, factors: parts, answers: new Map(), rows: [] };
}

/** Means of a question, over the rows of all files. */
function cost(rows) {
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

/** Two cells on the questions both were asked: McNemar's exact test. */
export function pair(one, other, fits) {
  const both = [...one.answers].filter(([id, answer]) => fits(answer) && other.answers.has(id));
  const won = both.filter(([id, { right }]) => right && !other.answers.get(id).right).length;
  const lost = both.filter(([id, { right }]) => !right && other.answers.get(id).right).length;
  return { count: both.length, won, lost, p: mcnemar(won, lost) };
}

const inHalf = (half) => (answer) => answer.half === half && demandsCall(answer.category);

/**
 * The rule of the report. Chosen on half a: of our cells (those that half b was asked of, if any was), the one with the
 * largest share of right calls, the mean of the categories, on the questions that all of them were asked; of equals the
 * one with the fewest tokens. Judged on half b: against every baseline by McNemar's test. A baseline that beats it there
 * is recommended in its place.
 */
export function recommend({ cells }) {
  const chosen = choose(cells.filter((cell) => cell.ours));
  if (!chosen) return undefined;
  const onB = shareOf(chosen, inHalf("b"));
  const baselines = cells.filter((cell) => !cell.ours && shareOf(cell, inHalf("b")).count > 0);
  const against = onB.count === 0 ? [] : baselines.map((cell) => ({ cell, ...pair(chosen, cell, inHalf("b")) }));
  const sure = against.filter(({ p }) => p < 0.05);
  const beaten = sure.filter(({ won, lost }) => won > lost);
  const better = sure.filter(({ won, lost }) => lost > won).sort((a, b) => b.lost - b.won - (a.lost - a.won));
  return {
    ...{ chosen, against, beaten, better, onA: shareOf(chosen, inHalf("a")), onB },
    recommended: better[0]?.cell ?? chosen,
    confidence:
      onB.count === 0
        ? "not confirmed on half b yet"
        : better.length > 0
          ? `${better[0].cell.name} beats our best cell`
          : against.length === 0
            ? "no baseline was asked half b"
            : beaten.length === against.length
              ? `beats all ${against.length} baselines (p < 0.05)`
              : `beats ${beaten.length} of ${against.length} baselines (p < 0.05); to the others no difference is shown`,
  };
}

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
 * What each value of a factor did, in shares of right calls: pairs of cells that differ in nothing else, on the questions
 * both were asked. The mean over questions (of each the mean of its pairs), with Student's 95 % interval: questions are
 * independent of each other, the pairs are not.
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
      if (other && demandsCall(category)) byQuestion.set(id, [...(byQuestion.get(id) ?? []), right - other.right]);
    }
  }
  const differences = [...byQuestion.values()].map(mean);
  if (differences.length < 5) return [];
  const { low, high, value: difference } = interval(differences);
  return [{ factor, base, value, pairs: pairs.length, questions: differences.length, difference, low, high }];
}

/** The mean, and Student's 95 % interval of it. */
export function interval(numbers) {
  const value = mean(numbers);
  const degrees = numbers.length - 1;
  const variance = numbers.reduce((sum, one) => sum + (one - value) ** 2, 0) / degrees;
  const z = 1.96;
  const t = z + (z ** 3 + z) / (4 * degrees) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2); // Cornish-Fisher
  const spread = t * Math.sqrt(variance / numbers.length);
  return { value, low: value - spread, high: value + spread };
}
