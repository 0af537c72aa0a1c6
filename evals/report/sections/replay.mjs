// What is read in replies that larger models wrote: what a reader is worth to each of them.
import { protocolForModel } from "@toolingua/core";
import { isStray } from "../../../benchmarks/timing/results.mjs";
import { kindOf, pValue } from "../../accuracy/verdict.mjs";
import { aboutModel, bands } from "../../replay/models.mjs";
import { namesBy, shownReaders } from "../../replay/tables.mjs";
import { cell, interval, percent, whole } from "../format.mjs";
import { families, familyOf } from "../theme.mjs";

const OURS = "Toolingua, told the format";
const AUTO = "Toolingua, auto";
const DECODER = "the leaderboard's decoder";

export function replaySection({ replay }) {
  if (!replay) return { missing: ["replay FILE --source TEXT"] };
  const all = replay.counts.filter(({ by }) => by === "all");
  const models = namesBy(replay.counts, "model").length;
  const against = `The same texts and tools for each reader; the leaderboard's rule says what is right. A reply that is wrong is mostly the model's own mistake; misread ones another reader reads right.`;
  return {
    findings: isStray(replay) ? [] : findings(replay, models),
    blocks: [
      { heading: "By the size of your model" },
      { table: groupTable(replay, "size") },
      { heading: "By model, the smallest first" },
      { table: groupTable(replay, "model") },
      { heading: "All replies" },
      { paragraph: `${replay.source}. ${against}` },
      { figure: chart(all, models) },
      { table: readerTable(all, replay.pairs), folded: true },
    ],
  };
}

/** Ours against the leaderboard's decoder, and against each package's best reader. */
function findings({ counts, pairs }, models) {
  const all = counts.filter(({ by }) => by === "all");
  const [ours, ...others] = shownReaders(counts).map((name) => all.find(({ reader }) => reader === name));
  return others
    .filter(({ reader }) => reader !== AUTO)
    .map((other) => {
      const pair = pairs.find(({ by, reader }) => by === "all" && reader === other.reader);
      return {
        kind: kindOf(pair),
        value: `${percent(ours.right / ours.n)} to ${percent(other.right / other.n)}`,
        text:
          `of ${whole(ours.n)} published replies of ${models} models, 1B to 480B, are read right by us, told the format (${interval(ours)}), and by ` +
          `${other.reader} (${interval(other)}): ${pair.won} only by us, ${pair.lost} only by it, p ${pValue(pair.p)}. Odd shapes are over-represented` +
          (other.reader === DECODER ? "" : `, and few of these models were asked for ${other.reader}'s format`),
      };
    });
}

function chart(all, models) {
  const familyOfReader = (reader) => (reader === DECODER ? families.other : familyOf(reader));
  const used = new Set(all.map(({ reader }) => familyOfReader(reader)));
  return {
    ...{ id: "replay", title: `${whole(all[0].n)} published replies of ${models} models, read again` },
    note: "Share read right, by the leaderboard's rule; 95 % intervals. Other readers know their own formats.",
    axis: { max: 1, format: (value) => percent(value) },
    keys: [...used].map((family) => ({ ...family, ...(family === families.other && OTHER), mark: "bar" })),
    rows: all.map(({ reader, right, n, low, high }) => ({
      label: reader,
      values: {
        [(familyOfReader(reader) === families.other ? OTHER : familyOfReader(reader)).name]: {
          ...{ value: right / n, low, high, label: percent(right / n) },
        },
      },
    })),
  };
}

/** What has no family of its own. */
const OTHER = { name: DECODER };

function readerTable(all, pairs) {
  const titles = ["reader", "replies", "right", "95 %", "lost", "wrong", "misread", "only ours to only this one", "p"];
  return {
    caption: "What each reader made of all replies",
    columns: titles.map((title, i) => ({ title, numeric: i > 0 })),
    rows: all.map(({ reader, n, right, lost, wrong, misread, low, high }) => {
      const pair = pairs.find((one) => one.by === "all" && one.reader === reader);
      return [
        ...[cell(reader), cell(whole(n), n), cell(percent(right / n), right / n)],
        cell(interval({ low, high }), low),
        ...[cell(whole(lost), lost), cell(whole(wrong), wrong), cell(whole(misread), misread)],
        pair ? cell(`${pair.won} to ${pair.lost}`, pair.won - pair.lost) : cell("", ""),
        pair ? cell(pValue(pair.p), pair.p) : cell("", ""),
      ];
    }),
  };
}

/** What other readers are called in the heads of columns. */
const SHORT = { [OURS]: "Toolingua", [AUTO]: "auto", [DECODER]: "decoder" };

/** A row for each model or size: what each reader reads right, and what ours is worth beside the leaderboard's decoder. */
function groupTable({ counts, pairs }, by) {
  const readers = shownReaders(counts);
  const models = by === "model";
  const titles = [
    ...(models ? ["model", "family", "size", "protocol"] : ["size"]),
    ...[
      "replies",
      "right, 95 %",
      ...readers.map((reader) => SHORT[reader] ?? reader),
      "only ours to only decoder",
      "p",
    ],
  ];
  return {
    caption: models
      ? "Replies read right by us, told the format or not (auto), by the leaderboard's own decoder, and by other packages in their own formats. The protocol `xml` is for models whose format is not known"
      : "Replies read right, by the size of the model that wrote them",
    columns: titles.map((title, i) => ({ title, numeric: i >= (models ? 4 : 1) })),
    rows: namesBy(counts, by).map((name) => {
      const of = (reader) => counts.find((one) => one.by === by && one.name === name && one.reader === reader);
      const ours = of(OURS);
      const pair = pairs.find((one) => one.by === by && one.name === name && one.reader === DECODER);
      const { family, size } = aboutModel(name);
      const protocol = protocolForModel(name);
      return [
        ...(models
          ? [
              cell(name),
              cell(family),
              cell(size === undefined ? "" : `${size}B`, size ?? 1e9),
              cell(protocol, protocol, { code: true }),
            ]
          : [cell(name, bands.indexOf(name))]),
        ...[cell(whole(ours.n), ours.n), cell(interval(ours), ours.low)],
        ...readers.map((reader) => {
          const one = of(reader);
          return one ? cell(whole(one.right), one.right / one.n) : cell("", "");
        }),
        pair ? cell(`${pair.won} to ${pair.lost}`, pair.won - pair.lost, toneOf(pair)) : cell("", ""),
        pair ? cell(pValue(pair.p), pair.p) : cell("", ""),
      ];
    }),
  };
}

/** A colour only where a difference is shown. */
const toneOf = (pair) => ({ win: { tone: "good" }, loss: { tone: "bad" }, open: {} })[kindOf(pair)];
