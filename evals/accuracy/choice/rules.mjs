// Rules that decide between a call and an answer by a number: how well the number separates the two kinds of question, and how
// often the rule is right. A case: `{ half, wants, score }`; `wants`: a call is right.
import { mcnemar, wilson } from "../statistics.mjs";

/**
 * How likely the score of a question that wants a call is above that of one that wants none (ties count half): `{ auc, low,
 * high, count }`. 0.5 is chance, 1 a perfect separation. The 95 % interval is Hanley and McNeil's (1982).
 */
export function separation(cases) {
  const [calls, none] = [true, false].map((wants) =>
    cases.filter((one) => one.wants === wants).map((one) => one.score),
  );
  let above = 0;
  for (const one of calls) for (const other of none) above += one > other ? 1 : one === other ? 0.5 : 0;
  const auc = above / (calls.length * none.length);
  const square = auc ** 2;
  const [first, second] = [auc / (2 - auc) - square, (2 * square) / (1 + auc) - square];
  const variance =
    (auc * (1 - auc) + (calls.length - 1) * first + (none.length - 1) * second) / (calls.length * none.length);
  const spread = 1.96 * Math.sqrt(variance);
  return { auc, low: Math.max(0, auc - spread), high: Math.min(1, auc + spread), count: cases.length };
}

/** The threshold with the best balanced accuracy: a call where the score is at least that. Of equals the middle one. */
export function thresholdOf(cases) {
  const scores = [...new Set(cases.map(({ score }) => score))].sort((a, b) => a - b);
  const between = scores.slice(1).map((score, i) => (score + scores[i]) / 2);
  const rated = [Number.NEGATIVE_INFINITY, ...between, Number.POSITIVE_INFINITY].map((threshold) => ({
    threshold,
    share: balanced(decided(cases, threshold)).share,
  }));
  const best = Math.max(...rated.map(({ share }) => share));
  const equals = rated.filter(({ share }) => share === best);
  return equals[Math.floor(equals.length / 2)].threshold;
}

/** The cases with the decision of a threshold: `calls`. */
export const decided = (cases, threshold) => cases.map((one) => ({ ...one, calls: one.score >= threshold }));

/**
 * The mean of both shares of right decisions, of questions that want a call and of those that want none: 0.5 for a rule that
 * always or never calls. `{ share, low, high, hits, rejections, wanted, unwanted }`. The 95 % interval is made of both Wilson
 * intervals (Zou and Donner's MOVER, 2008).
 */
export function balanced(cases) {
  const kinds = [true, false].map((wants) => cases.filter((one) => one.wants === wants));
  const right = kinds.map((list) => list.filter(({ wants, calls }) => wants === calls).length);
  const shares = kinds.map((list, i) => right[i] / list.length);
  const spans = kinds.map((list, i) => wilson(right[i], list.length));
  const share = (shares[0] + shares[1]) / 2;
  const to = (side) => Math.hypot(...shares.map((one, i) => one - spans[i][side])) / 2;
  return {
    ...{ share, low: share - to(0), high: share + to(1) },
    ...{ hits: right[0], wanted: kinds[0].length, rejections: right[1], unwanted: kinds[1].length },
  };
}

/** Two rules on the same cases, by id: `{ count, won, lost, p }` (McNemar's exact test). */
export function compared(cases, others) {
  const other = new Map(others.map((one) => [one.id, one]));
  const isRight = ({ wants, calls }) => wants === calls;
  const both = cases.filter(({ id }) => other.has(id));
  const only = (mine) => both.filter((one) => isRight(one) === mine && isRight(other.get(one.id)) !== mine).length;
  const [won, lost] = [only(true), only(false)];
  return { count: both.length, won, lost, p: mcnemar(won, lost) };
}

/**
 * A score made of several, by logistic regression on `chosen`: returns a function from a list of numbers to the score. Numbers
 * are scaled to their mean and spread first; a small ridge keeps the weights finite where the numbers separate perfectly.
 */
export function combination(chosen, ridge = 0.01) {
  const width = chosen[0].numbers.length;
  const scales = Array.from({ length: width }, (_, i) => {
    const column = chosen.map(({ numbers }) => numbers[i]);
    const centre = column.reduce((sum, one) => sum + one, 0) / column.length;
    return {
      centre,
      spread: Math.sqrt(column.reduce((sum, one) => sum + (one - centre) ** 2, 0) / column.length) || 1,
    };
  });
  const scaled = (numbers) => [1, ...numbers.map((one, i) => (one - scales[i].centre) / scales[i].spread)];
  const weights = Array(width + 1).fill(0);
  const scoreOf = (row) => row.reduce((sum, one, i) => sum + one * weights[i], 0);
  const rows = chosen.map(({ numbers, wants }) => ({ row: scaled(numbers), wants: Number(wants) }));
  for (let step = 0; step < 3000; step++) {
    const slopes = weights.map((weight, i) => (i === 0 ? 0 : -ridge * weight));
    for (const { row, wants } of rows) {
      const error = (wants - 1 / (1 + Math.exp(-scoreOf(row)))) / rows.length;
      for (const [i, one] of row.entries()) slopes[i] += error * one;
    }
    for (const [i, slope] of slopes.entries()) weights[i] += 0.5 * slope;
  }
  return (numbers) => scoreOf(scaled(numbers));
}
