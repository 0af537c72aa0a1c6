// What is read in replies that larger models wrote: what a reader is worth to each of them.
import { isStray } from "../../../benchmarks/timing/results.mjs";
import { kindOf, pValue } from "../../accuracy/verdict.mjs";
import { aboutModel, bands } from "../../replay/models.mjs";
import { namesBy, shownReaders } from "../../replay/tables.mjs";
import { cell, interval, KINDS, percent, whole } from "../format.mjs";
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

/** Ours against the leaderboard's decoder; and against the best reader of each package, in one sentence for each outcome. */
function findings({ counts, pairs }, models) {
  const all = counts.filter(({ by }) => by === "all");
  const [ours, ...others] = shownReaders(counts)
    .filter((reader) => reader !== AUTO)
    .map((name) => {
      const pair = pairs.find(({ by, reader }) => by === "all" && reader === name);
      return { ...all.find(({ reader }) => reader === name), pair, kind: pair && kindOf(pair) };
    });
  const share = ({ right, n }) => percent(right / n);
  const head = `of ${whole(ours.n)} published replies of ${models} models, 1B to 480B, are read right by us, told the format (${interval(ours)});`;
  const said = (one) =>
    `${one.reader} ${share(one)} (${interval(one)}; ${one.pair.won} only by us, ${one.pair.lost} only by it, p ${pValue(one.pair.p)})`;
  const decoder = others.filter(({ reader }) => reader === DECODER);
  const packages = KINDS.map((kind) => others.filter((one) => one.reader !== DECODER && one.kind === kind));
  return [decoder, ...packages]
    .filter((list) => list.length > 0)
    .map((list) => ({
      kind: list[0].kind,
      value: `${share(ours)} to ${list.length > 1 ? "at most " : ""}${share(list[0])}`,
      text: `${head} ${list.map(said).join("; ")}. ${list === decoder ? ODD : `${ODD}, and few of these models were asked for these packages' formats`}`,
    }));
}

const ODD = "Odd shapes are over-represented";

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

/** A row for each model or size: what each reader reads right, and what ours is worth beside the leaderboard's decoder. */
function groupTable({ counts, pairs }, by) {
  const [, , decoder, ...packages] = shownReaders(counts);
  const models = by === "model";
  const titles = [
    ...(models ? ["size", "model"] : ["size"]),
    ...["Toolingua", "decoder", ...packages, "Toolingua, 95 %"],
    ...(models ? [] : ["auto"]),
    ...["only ours to only decoder", "p", ...(models ? ["family"] : [])],
  ];
  const left = ["size", "model", "family"];
  return {
    caption:
      "Replies read right: by us, told the format or not (auto), by the leaderboard's own decoder, and by other packages in their own formats",
    columns: titles.map((title) => ({ title, numeric: !left.includes(title) })),
    rows: namesBy(counts, by).map((name) => {
      const of = (reader) => counts.find((one) => one.by === by && one.name === name && one.reader === reader);
      const ours = of(OURS);
      const right = (reader) => {
        const one = of(reader);
        return one ? cell(whole(one.right), one.right / one.n) : cell("", "");
      };
      const pair = pairs.find((one) => one.by === by && one.name === name && one.reader === DECODER);
      const { family, size } = aboutModel(name);
      return [
        ...(models
          ? [cell(size === undefined ? "" : `${size}B`, size ?? 1e9), cell(name)]
          : [cell(name, bands.indexOf(name))]),
        cell(`${whole(ours.right)} of ${whole(ours.n)}`, ours.right / ours.n),
        ...[decoder, ...packages].map(right),
        ...[cell(interval(ours), ours.low), ...(models ? [] : [right(AUTO)])],
        pair ? cell(`${pair.won} to ${pair.lost}`, pair.won - pair.lost, toneOf(pair)) : cell("", ""),
        pair ? cell(pValue(pair.p), pair.p) : cell("", ""),
        ...(models ? [cell(family)] : []),
      ];
    }),
  };
}

/** A colour only where a difference is shown. */
const toneOf = (pair) => ({ win: { tone: "good" }, loss: { tone: "bad" }, open: {} })[kindOf(pair)];
