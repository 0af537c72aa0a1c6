// What each reader made of the replies: right, lost or wrong.
import { isRight } from "../accuracy/score.mjs";
import { mcnemar, wilson } from "../accuracy/statistics.mjs";

/**
 * `right`: the leaderboard's verdict. `lost`: a call was wanted, and none came out. `wrong`: a call came out that is
 * not the right one, or where none was wanted: it would run.
 */
export function verdict(question, calls) {
  if (isRight(question, calls)) return "right";
  return calls.length === 0 ? "lost" : "wrong";
}

/**
 * A row for each model and reader, and one for all models: `{ model, reader, n, right, lost, wrong, misread, low, high
 * }` (`misread`: the number of wrong ones that another reader reads right, so the model made no mistake); and each
 * reader against the first one: `{ reader, n, won, lost, p }`, replies that only the first or only the other read right
 * (McNemar's exact test).
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
  const models = [...new Set(rows.map(({ model }) => model))].sort();
  const counts = [undefined, ...models].flatMap((model) =>
    readers.flatMap(({ name }) =>
      countOf(
        name,
        model,
        read.filter((one) => model === undefined || one.model === model),
      ),
    ),
  );
  return { counts, pairs: pairsOf(readers, read) };
}

function countOf(reader, model, read) {
  const verdicts = read.flatMap(({ verdicts }) => verdicts.get(reader) ?? []);
  const misread = read.filter(({ verdicts, readable }) => readable && verdicts.get(reader) === "wrong").length;
  if (verdicts.length === 0) return [];
  const of = (wanted) => verdicts.filter((one) => one === wanted).length;
  const [low, high] = wilson(of("right"), verdicts.length).map((share) => Number(share.toFixed(4)));
  const counts = { right: of("right"), lost: of("lost"), wrong: of("wrong"), misread };
  return [{ model: model ?? "all", reader, n: verdicts.length, ...counts, low, high }];
}

function pairsOf([{ name: first }, ...others], read) {
  return others.flatMap(({ name }) => {
    const both = read.filter(({ verdicts }) => verdicts.has(name) && verdicts.has(first));
    if (both.length === 0) return [];
    const only = (one, other) =>
      both.filter(({ verdicts }) => verdicts.get(one) === "right" && verdicts.get(other) !== "right").length;
    const [won, lost] = [only(first, name), only(name, first)];
    return [{ reader: name, against: first, n: both.length, won, lost, p: Number(mcnemar(won, lost).toPrecision(3)) }];
  });
}
