// The README's tables.
import { table } from "../../benchmarks/timing/markdown.mjs";
import { aboutModel, bands } from "./models.mjs";

const percent = (share) => `${Math.round(share * 100)} %`;

/** The readers of the tables by model: the leaderboard's own, and of each package the one that reads most of these replies. */
export function shownReaders(counts) {
  const all = counts.filter(({ by }) => by === "all");
  const best = (start) => all.filter(({ reader }) => reader.startsWith(start)).sort((a, b) => b.right - a.right)[0];
  const found = ["Toolingua, told", "Toolingua, auto", "the leaderboard", "ai-sdk-tool", "LangChain", "LlamaIndex"].map(
    best,
  );
  return found.filter((one) => one !== undefined).map(({ reader }) => reader);
}

/** The names of a grouping in the order of their sizes. */
export function namesBy(counts, by) {
  const names = [...new Set(counts.filter((one) => one.by === by).map(({ name }) => name))];
  if (by === "size") return bands.filter((band) => names.includes(band));
  const size = (name) => aboutModel(name).size ?? Number.POSITIVE_INFINITY;
  return by === "model" ? names.sort((a, b) => size(a) - size(b) || a.localeCompare(b)) : names;
}

/** What each reader made of all replies, of those by models of each size, and of each model's. */
export function tables({ counts, pairs }) {
  const all = counts.filter(({ by }) => by === "all");
  const against = (reader, by, name) => {
    const pair = pairs.find((one) => one.reader === reader && one.by === by && one.name === name);
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
      ...[reader, n, right, `${percent(low)} to ${percent(high)}`, lost, wrong, misread, against(reader, "all", "all")],
    ]),
  );
  const shown = shownReaders(counts);
  const [ours, , decoder] = shown;
  const find = (by, name, reader) => counts.find((one) => one.by === by && one.name === name && one.reader === reader);
  const cells = (by, name, cellOf) =>
    shown.map((reader) => {
      const one = find(by, name, reader);
      return one ? cellOf(one) : "";
    });
  const bySize = table(
    ["size of the model", "replies", ...shown, `only ours to only ${decoder ?? "theirs"}`],
    namesBy(counts, "size").map((name) => [
      ...[name, find("size", name, ours).n],
      ...cells("size", name, ({ right, low, high }) => `${right} (${percent(low)} to ${percent(high)})`),
      decoder ? against(decoder, "size", name) : "",
    ]),
  );
  const byModel = table(
    ["model", "family", "size", "replies", ...shown],
    namesBy(counts, "model").map((name) => {
      const { family, size } = aboutModel(name);
      return [
        ...[name, family, size === undefined ? "" : `${size}B`, find("model", name, ours).n],
        ...cells("model", name, ({ right, lost, wrong }) => `${right} / ${lost} / ${wrong}`),
      ];
    }),
  );
  return [sum, "Right, by the model's size:", bySize, "Right / lost / wrong, by model, the smallest first:", byModel];
}
