// The tables of docs/choosing.md: what is known of each choice, from the committed results.
import { protocolForModel } from "@toolingua/core";
import { table } from "../../benchmarks/timing/markdown.mjs";
import { effects, modelsIn } from "../accuracy/compare.mjs";
import { fairPairs } from "../accuracy/fair.mjs";
import { differenceInterval, LEVEL } from "../accuracy/statistics.mjs";
import { kindOf, pValue } from "../accuracy/verdict.mjs";
import { aboutModel } from "../replay/models.mjs";
import { shownReaders } from "../replay/tables.mjs";
import { signed } from "./format.mjs";
import { modelTitle } from "./sections/constrained.mjs";

/** Fewer questions than this say nothing that a default could rest on. */
export const ENOUGH = 100;

const points = (share) => signed(share * 100);
const span = ([low, high]) => `${points(low)} to ${points(high)}`;

/** The tables of the page, as Markdown. */
export function choosing({ replay, accuracy }) {
  const models = modelsIn(accuracy);
  return [
    "### By family",
    familyTable(replay),
    "### Against the server's own ways",
    fairTable(models),
    "### What each option is worth",
    optionTable(models),
  ];
}

/** Reading: the protocol we would set, and the gain of our reader over the leaderboard's decoder. */
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
      const { won, lost, p } = pair;
      const each = [...Array(won).fill(1), ...Array(lost).fill(-1), ...Array(n - won - lost).fill(0)];
      return [
        ...[family, models.length, protocols.join(", "), n, right, rightBy(auto), rightBy(decoder)],
        ...[`${points((won - lost) / n)} (${span(differenceInterval(each))})`, pValue(p)],
        n < ENOUGH
          ? `not known (n < ${ENOUGH})`
          : { win: "better", loss: "worse", open: "not shown to differ" }[kindOf(pair)],
      ];
    });
  return table(
    [
      ...["family", "models", "we would set: protocol", "replies", "right, told the format", "right, auto"],
      ...["right, decoder", "gain of reading (told the format), in points", "p", "shown"],
    ],
    rows,
  );
}

/** Ours and the server's own ways, by the pairs of fair.mjs. */
function fairTable(models) {
  const share = ({ right, count }) => `${right} of ${count}`;
  const rows = models.flatMap((model) =>
    fairPairs(model).map(({ what, ours, theirs, count, won, lost, p }) => [
      ...[modelTitle(model.name), what, ours.label, share(ours), theirs.label, share(theirs)],
      ...[`${won} to ${lost}`, pValue(p)],
      verdictOf({ n: count, kind: kindOf({ won, lost, p }) }),
    ]),
  );
  return table(["model", "asked", "ours", "right", "theirs", "right", "only ours to only theirs", "p", "shown"], rows);
}

const SHOWN = { win: "ours is better", loss: "theirs is better", open: "not shown to differ" };
const verdictOf = ({ n, kind }) => (n < ENOUGH ? `not known (n = ${n})` : SHOWN[kind]);

/** The options, their defaults, and what the results call them. */
const OPTIONS = [
  { option: "`style`", factor: "style", standard: "`native`" },
  { option: "`constraint`", factor: "constraint", standard: "`off`" },
  { option: "worked examples", factor: "shots", standard: "none" },
  {
    option: 'repair (`onInvalidCall: "retry"`)',
    factor: "repair",
    standard: "`surface` in `generateWithTools`; `retry` in `ToolConversation`, the adapters and the gateway",
  },
  { option: "wording of the prompt", factor: "wording", standard: "`plain`" },
  { option: "`protocol`", factor: "protocol", standard: "`protocolForModel(model)`" },
  { option: "hybrid mode (`toolSelection`)", factor: "selection", standard: "off" },
];

/** Each option: what changing it alone did, for each model that was asked both. */
function optionTable(models) {
  const found = models.flatMap((model) =>
    effects(model).map((effect) => ({ ...effect, model: modelTitle(model.name) })),
  );
  const rows = OPTIONS.flatMap(({ option, factor, standard }) => {
    const mine = found.filter((effect) => effect.factor === factor);
    if (mine.length === 0) return [[option, standard, "", "", 0, "", "", "not known (not asked)"]];
    return mine.map(({ base, value, model, questions, difference, low, high, p }) => [
      ...[option, standard, `${base} to ${value}`, model, questions],
      ...[`${points(difference)} (${span([low, high])})`, pValue(p)],
      questions < ENOUGH
        ? `not known (n < ${ENOUGH})`
        : p >= LEVEL
          ? "not shown to differ"
          : difference > 0
            ? "better"
            : "worse",
    ]);
  });
  return table(["option", "default", "from, to", "model", "questions", "points, 95 %", "p", "shown"], rows);
}
