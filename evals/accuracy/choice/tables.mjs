// The README's tables: how greedy sampling chooses, and what rules make of the same probabilities.
import { table } from "../../../benchmarks/timing/markdown.mjs";
import { pValue } from "../verdict.mjs";

const two = (number) => number.toFixed(2);
const span = ({ low, high }) => `${two(low)} to ${two(high)}`;
const against = (pair) => (pair?.count ? `${pair.won} to ${pair.lost}, p ${pValue(pair.p)}` : "");

/** The middle value of a list. */
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** How likely the call's marker begins, and how likely it is finished once it has begun. */
function markerTable(readings) {
  const groups = new Map();
  for (const one of readings.filter(({ prompt }) => prompt.startsWith("ours/"))) {
    const key = `${one.model}\n${one.prompt}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const lines = [...groups].map(([key, list]) => {
    const [model, prompt] = key.split("\n");
    const finished = list.map(({ tokens: [, ...rest] }) => rest.reduce((product, one) => product * one, 1));
    const begun = list.map(({ tokens: [first] }) => first);
    const greedy = list.filter(({ margin }) => margin > 0);
    return [model, `\`${prompt}\``, list.length, median(begun).toFixed(3), median(finished).toFixed(3), greedy.length];
  });
  const titles = [
    "model",
    "prompt",
    "questions",
    "`<` begins, median",
    "then `tool_call>`, median",
    "`<` is the likeliest",
  ];
  return table(titles, lines);
}

/** A row for each model, prompt and rule; before them, how likely the marker of a call is. */
export function tables({ rows, readings }) {
  const lines = rows.map(({ model, prompt, rule, auc, b, greedy, opponent }) => [
    ...[model, `\`${prompt}\``, rule, auc ? `${two(auc.auc)} (${span(auc)}; n ${auc.count})` : ""],
    ...[`${b.hits} of ${b.wanted}`, `${b.rejections} of ${b.unwanted}`, `${two(b.share)} (${span(b)})`],
    ...[rule === "greedy" ? "" : against(greedy), against(opponent)],
  ]);
  const titles = [
    ...["model", "prompt", "rule", "AUC, both halves", "calls where one is wanted", "answers where none is"],
    ...["balanced accuracy", "against greedy", "against response_format"],
  ];
  return [markerTable(readings), table(titles, lines)];
}
