// What each reader made of the replies: right, lost or wrong.
import { isRight } from "../accuracy/score.mjs";
import { mcnemar, wilson } from "../accuracy/statistics.mjs";
import { aboutModel } from "./models.mjs";

/**
 * `right`: the leaderboard's verdict. `lost`: a call was wanted, and none came out. `wrong`: a call came out that is
 * not the right one, or where none was wanted: it would run.
 */
export function verdict(question, calls) {
  if (isRight(question, calls)) return "right";
  return calls.length === 0 ? "lost" : "wrong";
}

/** How replies are grouped: all of them, and by what is known of the model. */
const GROUPINGS = {
  all: () => "all",
  size: (model) => aboutModel(model).band,
  family: (model) => aboutModel(model).family,
  model: (model) => model,
};

/**
 * A row for each group and reader: `{ by, name, reader, n, right, lost, wrong, misread, low, high }` (`by`: "all", "size",
 * "family" or "model"; `misread`: the number of wrong ones that another reader reads right, so the model made no mistake);
 * and for each group each reader against the first one: `{ by, name, reader, n, won, lost, p }`, replies that only the first
 * or only the other read right (McNemar's exact test).
 */
export async function count(rows, readers) {
  const read = [];
  for (const row of rows) {
    const verdicts = new Map();
    for (const { name, read } of readers) {
      const calls = await read(row);
      if (calls !== undefined) verdicts.set(name, verdict(row.question, calls));
    }
    read.push({ model: row.model, verdicts, readable: [...verdicts.values()].includes("right") });
  }
  const groups = Object.entries(GROUPINGS).flatMap(([by, nameOf]) => {
    const names = [...new Set(read.map(({ model }) => nameOf(model)))].sort();
    return names.map((name) => ({ by, name, read: read.filter(({ model }) => nameOf(model) === name) }));
  });
  return {
    counts: groups.flatMap((group) => readers.flatMap(({ name }) => countOf(name, group))),
    pairs: groups.flatMap((group) => pairsOf(readers, group)),
  };
}

function countOf(reader, { by, name, read }) {
  const verdicts = read.flatMap(({ verdicts }) => verdicts.get(reader) ?? []);
  const misread = read.filter(({ verdicts, readable }) => readable && verdicts.get(reader) === "wrong").length;
  if (verdicts.length === 0) return [];
  const of = (wanted) => verdicts.filter((one) => one === wanted).length;
  const [low, high] = wilson(of("right"), verdicts.length).map((share) => Number(share.toFixed(4)));
  const counts = { right: of("right"), lost: of("lost"), wrong: of("wrong"), misread };
  return [{ by, name, reader, n: verdicts.length, ...counts, low, high }];
}

function pairsOf([{ name: first }, ...others], { by, name, read }) {
  return others.flatMap(({ name: reader }) => {
    const both = read.filter(({ verdicts }) => verdicts.has(reader) && verdicts.has(first));
    if (both.length === 0) return [];
    const only = (one, other) =>
      both.filter(({ verdicts }) => verdicts.get(one) === "right" && verdicts.get(other) !== "right").length;
    const [won, lost] = [only(first, reader), only(reader, first)];
    return [{ by, name, reader, n: both.length, won, lost, p: Number(mcnemar(won, lost).toPrecision(3)) }];
  });
}
