// The tables of docs/choosing.md: what is known of each choice, from the committed results.
import { protocolForModel } from "@toolingua/core";
import { table } from "../../benchmarks/timing/markdown.mjs";
import { effects, modelsIn } from "../accuracy/compare.mjs";
import { fairPairs } from "../accuracy/fair.mjs";
import { LEVEL } from "../accuracy/statistics.mjs";
import { kindOf, pValue } from "../accuracy/verdict.mjs";
import { aboutModel } from "../replay/models.mjs";
import { shownReaders } from "../replay/tables.mjs";
import { signed } from "./format.mjs";
import { modelTitle } from "./sections/constrained.mjs";

/** Fewer questions than this say nothing that a default could rest on. */
export const ENOUGH = 100;

const points = (share) => signed(share * 100);
const span = ([low, high]) => `${points(low)} to ${points(high)}`;

/** The tables of the page, as Markdown. What fewer than `ENOUGH` questions say is counted, and not shown. */
export function choosing({ replay, accuracy }) {
  const models = modelsIn(accuracy);
  return [
    "### By family",
    familyTable(replay),
    "### Against the server's own ways",
    ...fairTables(models),
    "### What each option is worth",
    ...optionTable(models),
  ];
}

/** Reading: the protocol we would set, and how many replies our reader and the leaderboard's decoder have right. */
function familyTable({ counts, pairs }) {
  const [ours, auto, decoder] = shownReaders(counts);
  const families = counts.filter(({ by, reader }) => by === "family" && reader === ours);
  const names = counts.filter(({ by, reader }) => by === "model" && reader === ours).map(({ name }) => name);
  const rows = families
    .toSorted((a, b) => b.n - a.n)
    .map(({ name: family, n, right }) => {
      const models = names.filter((name) => aboutModel(name).family === family);
      const protocols = [...new Set(models.map((name) => `\`${protocolForModel(name)}\``))].sort();
      const rightBy = (reader) =>
        counts.find((one) => one.by === "family" && one.name === family && one.reader === reader).right;
      const pair = pairs.find((one) => one.by === "family" && one.name === family && one.reader === decoder);
      const shown = n < ENOUGH ? "" : `${SHOWN[kindOf(pair)]} (p ${pValue(pair.p)})`;
      return [family, protocols.join(", "), n, right, rightBy(auto), rightBy(decoder), shown];
    });
  return table(["family", "we would set", "replies", "told the format", "auto", "decoder", "shown"], rows);
}

/** Ours and the server's own ways, by the pairs of fair.mjs: a table for each model. */
function fairTables(models) {
  const share = ({ right, count }) => `${right} of ${count}`;
  const all = models.flatMap((model) => fairPairs(model).map((pair) => ({ ...pair, title: modelTitle(model.name) })));
  const known = all.filter(({ count }) => count >= ENOUGH);
  const tables = [...new Set(known.map(({ title }) => title))].flatMap((title) => {
    const rows = known
      .filter((pair) => pair.title === title)
      .map(({ what, ours, theirs, won, lost, p }) => [
        ...[what, share(ours), `${share(theirs)}: ${theirs.label}`],
        `${SHOWN[kindOf({ won, lost, p })]} (p ${pValue(p)})`,
      ]);
    return [`**${title}**`, table(["asked", "ours", "theirs", "shown"], rows)];
  });
  return [...tables, `${all.length - known.length} more comparisons have fewer than ${ENOUGH} questions.`];
}

const SHOWN = { win: "ours is better", loss: "theirs is better", open: "no difference shown" };

/** The options, their defaults, and what the results call them. */
const OPTIONS = [
  { option: "`style`", factor: "style" },
  { option: "`constraint`", factor: "constraint" },
  { option: "worked examples", factor: "shots" },
  { option: '`onInvalidCall: "retry"`', factor: "retry" },
  { option: "wording of the prompt", factor: "wording" },
  { option: "`protocol`", factor: "protocol" },
  { option: "`toolSelection`", factor: "selection" },
];

/** Each option: what changing it alone did, for each model that was asked both. */
function optionTable(models) {
  const found = models.flatMap((model) =>
    effects(model).map((effect) => ({ ...effect, model: modelTitle(model.name) })),
  );
  const known = found.filter(({ questions }) => questions >= ENOUGH);
  const rows = OPTIONS.flatMap(({ option, factor }) =>
    known
      .filter((effect) => effect.factor === factor)
      .map(({ base, value, model, questions, difference, low, high, p }) => [
        ...[option, `${base} to ${value}`, model, questions, `${points(difference)} (${span([low, high])})`],
        `${p >= LEVEL ? "no difference shown" : difference > 0 ? "better" : "worse"} (p ${pValue(p)})`,
      ]),
  );
  const unknown = OPTIONS.filter(({ factor }) => !known.some((effect) => effect.factor === factor));
  const left = `Not known, asked of fewer than ${ENOUGH} questions: ${unknown.map(({ option }) => option).join(", ")}.`;
  return [
    table(["option", "from, to", "model", "questions", "points, 95 %", "shown"], rows),
    ...(unknown.length > 0 ? [left] : []),
  ];
}
