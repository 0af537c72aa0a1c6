// Describes our best cell against the baselines in words: which it beats, and why not others.
import { beats } from "./compare.mjs";
import { fewest, LEVEL } from "./statistics.mjs";

export const pValue = (p) => (p < 0.001 ? "< 0.001" : p.toFixed(3));

/** What a pair shows: the first is better ("win"), the other is ("loss"), or neither ("open"). */
export const kindOf = ({ won, lost, p }) => (p >= LEVEL || won === lost ? "open" : won > lost ? "win" : "loss");

/** Why the first of a pair is not shown to be better; undefined where it is. */
export function reasonOf({ won, lost, both, p }) {
  if (beats({ won, lost, p })) return undefined;
  const score = `${won} to ${lost}`;
  if (p < LEVEL) return `it is better: ${lost} questions to ${won}`;
  if (won + lost === 0) return both === 0 ? "neither has any right" : `both have the same ${both} right`;
  if (won + lost < fewest) {
    const differ = won + lost === 1 ? "1 question tells" : `${won + lost} questions tell`;
    return `only ${differ} them apart (${score}); it takes ${fewest}`;
  }
  return `${score} questions may be chance (p ${pValue(p)})`;
}

/** The results of a cell against all baselines: `{ beaten, of, text }`; the text continues after "it". */
export function verdictOf(against) {
  const of = against.length;
  if (of === 0) return { beaten: 0, of, text: "was compared with no baseline on half b yet" };
  const beaten = against.filter(beats).length;
  if (beaten === of) {
    const largest = pValue(Math.max(...against.map(({ p }) => p)));
    return { beaten, of, text: `beats all ${of} baselines (largest p: ${largest})` };
  }
  const reasons = new Map();
  for (const { cell, ...pair } of against) {
    const reason = reasonOf(pair);
    if (reason) reasons.set(reason, [...(reasons.get(reason) ?? []), cell.name]);
  }
  const head = `beats ${beaten === 0 ? "none" : beaten} of ${of} baselines`;
  if (beaten === 0 && reasons.size === 1) return { beaten, of, text: `${head}: ${[...reasons.keys()][0]}` };
  const others = [...reasons]
    .sort(([, one], [, other]) => one.length - other.length)
    .map(([reason, names]) => `; ${names.length > 2 ? `${names.length} others` : names.join(", ")}: ${reason}`);
  return { beaten, of, text: head + others.join("") };
}

/** How our best cell did on half b against all baselines, or which of them is better. */
export const confidenceOf = ({ against, better }) =>
  better ? `${better.name} beats our best cell` : verdictOf(against).text;
