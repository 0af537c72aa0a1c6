// The README's tables.
import { table } from "../../benchmarks/timing/markdown.mjs";

const percent = (share) => `${Math.round(share * 100)} %`;

/** What each reader made of all replies; and of each model's, for the readers that have any right. */
export function tables({ counts, pairs }) {
  const all = counts.filter(({ model }) => model === "all");
  const against = (name) => {
    const pair = pairs.find(({ reader }) => reader === name);
    return pair ? `${pair.won} to ${pair.lost}, p ${pair.p < 0.001 ? "< 0.001" : pair.p}` : "";
  };
  const sum = table(
    [
      "reader",
      "replies",
      "right",
      "95 %",
      "lost",
      "wrong",
      "misread",
      `only "${all[0].reader}" right, to only this one`,
    ],
    all.map(({ reader, n, right, low, high, lost, wrong, misread }) => [
      ...[reader, n, right, `${percent(low)} to ${percent(high)}`, lost, wrong, misread, against(reader)],
    ]),
  );
  const shown = all.map(({ reader }) => reader).filter((name) => !name.startsWith("L"));
  const models = [...new Set(counts.map(({ model }) => model))].filter((model) => model !== "all");
  const rows = models.map((model) => {
    const mine = counts.filter((one) => one.model === model);
    const cell = (name) => {
      const one = mine.find(({ reader }) => reader === name);
      return one ? `${one.right} / ${one.lost} / ${one.wrong}` : "";
    };
    return [model, mine[0].n, ...shown.map(cell)];
  });
  return [sum, "Right / lost / wrong, by model:", table(["model", "replies", ...shown], rows)];
}
