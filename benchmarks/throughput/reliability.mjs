// Valid calls of what models wrote, as the benchmarks of constraint and accuracy measured them: read, not measured here.
import { isStray } from "@toolingua/benchmark-timing/results.mjs";

const aims = {
  prompt: { aim: "70 to 80 %", least: 70 },
  template: { aim: "90 to 95 %", least: 90 },
  grammar: { aim: "99.9 %", least: 99.9 },
};
const ways = { prompt: "prompt only", template: "the model's chat template", grammar: "under a grammar" };

function row(way, who, valid, count, from) {
  const value = Number(((100 * valid) / count).toFixed(1));
  const detail = `${valid} of ${count}, ${from}`;
  return { group: "reliability", what: `${ways[way]}: ${who}`, value, unit: "% valid", ...aims[way], detail };
}

/** Rows of the throughput table, from the results of these benchmarks; `accuracy`: a list of them, each with its `name`. */
export const reliability = ({ constrained = {}, accuracy = [] }) => [
  ...ofConstraints(constrained),
  ...accuracy.filter((file) => !isStray(file)).flatMap(ofAccuracy),
];

/** Replies that finished, judged by the parser and Ajv. */
const ofConstraints = (results) =>
  Object.entries(results)
    .flatMap(([model, { constrained, free }]) => [
      ["grammar", model === "tiny" ? "a model of random weights" : model, constrained],
      // Random weights without a grammar say nothing of a prompt.
      ...(model === "tiny" ? [] : [["prompt", model, free]]),
    ])
    .map(([way, model, { valid, finished }]) => row(way, model, valid, finished, "constrained/results.json"));

/** Questions that are to be answered by calls, over all of our ways of a kind that were asked. */
function ofAccuracy({ name, rows }) {
  const sums = new Map();
  for (const { model, cell, category, valid, count } of rows) {
    const way = wayOf(cell);
    if (!way || category.includes("relevance")) continue;
    const key = `${way}\n${model}`;
    const sum = sums.get(key) ?? { way, model, valid: 0, count: 0 };
    sums.set(key, { ...sum, valid: sum.valid + valid, count: sum.count + count });
  }
  return [...sums.values()].map(({ way, model, valid, count }) =>
    row(way, model, valid, count, `accuracy/results-${name}.json`),
  );
}

/** By the name of a cell: protocol/style/constraint/…, "native", or a package's. */
function wayOf(name) {
  if (name === "native") return "template";
  const constraint = name.split("/")[2];
  return { off: "prompt", grammar: "grammar", "grammar-one": "grammar", "grammar-in-order": "grammar" }[constraint];
}
