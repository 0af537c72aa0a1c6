// The README's tables: how greedy sampling chooses, and what rules make of the same probabilities.
import { table } from "../../../benchmarks/timing/markdown.mjs";
import { pValue } from "../verdict.mjs";

const two = (number) => number.toFixed(2);
const span = ({ low, high }) => `${two(low)} to ${two(high)}`;
const against = (pair) => (pair?.count ? `${pair.won} to ${pair.lost}, p ${pValue(pair.p)}` : "");

/** A row for each model, prompt and rule. */
export function tables({ rows }) {
  const lines = rows.map(({ model, prompt, rule, auc, b, greedy, opponent }) => [
    ...[model, `\`${prompt}\``, rule, auc ? `${two(auc.auc)} (${span(auc)}; n ${auc.count})` : ""],
    ...[`${b.hits} of ${b.wanted}`, `${b.rejections} of ${b.unwanted}`, `${two(b.share)} (${span(b)})`],
    ...[rule === "greedy" ? "" : against(greedy), against(opponent)],
  ]);
  const titles = [
    ...["model", "prompt", "rule", "AUC, both halves", "calls where one is wanted", "answers where none is"],
    ...["balanced accuracy", "against greedy", "against response_format"],
  ];
  return [table(titles, lines)];
}
