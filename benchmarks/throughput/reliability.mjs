// Valid calls of what models wrote, as the benchmarks of constraint and accuracy measured them: read, not measured here.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cellOf } from "../accuracy/cells.mjs";

const aims = {
  prompt: { aim: "70 to 80 %", least: 70 },
  template: { aim: "90 to 95 %", least: 90 },
  grammar: { aim: "99.9 %", least: 99.9 },
};
const ways = { prompt: "prompt only", template: "the model's chat template", grammar: "under a grammar" };

const folder = new URL("..", import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, folder), "utf8"));

function row(way, who, valid, count, from) {
  const value = Number(((100 * valid) / count).toFixed(1));
  const detail = `${valid} of ${count}, ${from}`;
  return { group: "reliability", what: `${ways[way]}: ${who}`, value, unit: "% valid", ...aims[way], detail };
}

export const reliability = () => [...ofConstraints("constrained/results.json"), ...ofAccuracy()];

/** Replies that finished, judged by the parser and Ajv. */
function ofConstraints(path) {
  if (!existsSync(new URL(path, folder))) return [];
  const found = Object.entries(read(path)).flatMap(([model, { held, free }]) => [
    ["grammar", model === "tiny" ? "a model of random weights" : model, held],
    // Random weights without a grammar say nothing of a prompt.
    ...(model === "tiny" ? [] : [["prompt", model, free]]),
  ]);
  return found.map(([way, model, { valid, finished }]) => row(way, model, valid, finished, path));
}

/** Questions that are to be answered by calls, over all of our ways of a kind that were asked. */
function ofAccuracy() {
  const names = readdirSync(new URL("accuracy/", folder)).filter((name) => /^results.*\.json$/.test(name));
  return names.flatMap((name) => {
    const sums = new Map();
    for (const { model, cell, category, valid, count } of read(`accuracy/${name}`).rows) {
      const way = wayOf(cell);
      if (!way || category.includes("relevance")) continue;
      const key = `${way}\n${model}`;
      const sum = sums.get(key) ?? { way, model, valid: 0, count: 0 };
      sums.set(key, { ...sum, valid: sum.valid + valid, count: sum.count + count });
    }
    return [...sums.values()].map(({ way, model, valid, count }) => row(way, model, valid, count, `accuracy/${name}`));
  });
}

function wayOf(name) {
  const { peer, native, constraint } = cellOf(name);
  if (peer || constraint === "prefill") return undefined;
  return native ? "template" : constraint === "grammar" ? "grammar" : "prompt";
}
