// What is read in replies that larger models wrote: what a reader is worth to each of them.
import { protocolForModel } from "@toolingua/core";
import { pValue } from "../../accuracy/verdict.mjs";
import { cell, interval, percent, plural, whole } from "../format.mjs";
import { families, familyOf } from "../theme.mjs";

const OURS = "Toolingua, told the format";
const AUTO = "Toolingua, auto";
const DECODER = "the leaderboard's decoder";

export function replaySection({ replay }) {
  if (!replay) return { missing: ["replay FILE --source TEXT"] };
  const all = replay.counts.filter(({ model }) => model === "all");
  const of = (reader) => all.find((one) => one.reader === reader);
  const pair = replay.pairs.find(({ reader }) => reader === DECODER);
  const [ours, decoder] = [of(OURS), of(DECODER)];
  const peer = all.filter(({ reader }) => reader.startsWith("ai-sdk-tool")).sort((a, b) => b.right - a.right)[0];
  const models = new Set(replay.counts.map(({ model }) => model)).size - 1;
  return {
    findings: [
      {
        value: percent(ours.right / ours.n),
        text:
          `(${interval(ours)}) of ${plural(ours.n, "published reply").replace("replys", "replies")} of ${models} models, 1B to 340B, are read right; by the ` +
          `leaderboard's own decoder ${percent(decoder.right / decoder.n)} (${interval(decoder)}): ${pair.won} to ${pair.lost}, p ${pValue(pair.p)}; ` +
          `by @ai-sdk-tool/parser's best format ${percent(peer.right / peer.n)} (${interval(peer)}). Odd shapes are over-represented`,
      },
    ],
    blocks: [
      {
        paragraph: `${replay.source}. The same texts and tools for each reader; the leaderboard's rule says what is right. A reply that is wrong is mostly the model's own mistake; misread ones another reader reads right.`,
      },
      { figure: chart(all, models) },
      { table: readerTable(all, replay.pairs), folded: true },
      { heading: "Find your model" },
      { table: modelTable(replay) },
    ],
  };
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
      const pair = pairs.find((one) => one.reader === reader);
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

/** A row for each model: its protocol, and what reading by us is worth beside the leaderboard's decoder. */
function modelTable({ counts }) {
  const models = [...new Set(counts.map(({ model }) => model))].filter((model) => model !== "all");
  const titles = ["model", "protocol for it", "replies", "read right", "95 %", "auto", "decoder", "gain"];
  return {
    caption:
      "By model: replies read right by us, told the format or not (auto), and by the leaderboard's own decoder. The protocol xml is for models whose format is not known",
    columns: titles.map((title, i) => ({ title, numeric: i > 1 })),
    rows: models.map((model) => {
      const of = (reader) => counts.find((one) => one.model === model && one.reader === reader);
      const [ours, auto, decoder] = [OURS, AUTO, DECODER].map(of);
      const gain = decoder ? ours.right - decoder.right : undefined;
      return [
        ...[
          cell(model),
          cell(protocolForModel(model), protocolForModel(model), { code: true }),
          cell(whole(ours.n), ours.n),
        ],
        cell(whole(ours.right), ours.right / ours.n),
        cell(interval(ours), ours.low),
        ...[cell(whole(auto.right), auto.right), decoder ? cell(whole(decoder.right), decoder.right) : cell("", "")],
        gain === undefined
          ? cell("", "")
          : cell(gain > 0 ? `+${gain}` : String(gain), gain, gain > 0 ? { tone: "good" } : {}),
      ];
    }),
  };
}
