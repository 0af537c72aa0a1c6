// How often models call the right tools.
import { beats, costOf, effects, inHalf, recommend, shareOf } from "../../accuracy/compare.mjs";
import { isOf, setOf } from "../../accuracy/question-sets.mjs";
import { LEVEL } from "../../accuracy/statistics.mjs";
import { confidenceOf, pValue } from "../../accuracy/verdict.mjs";
import { cell, interval, percent, plural, short, signed, whole } from "../format.mjs";
import { families, familyOf } from "../theme.mjs";
import { modelTitle } from "./constrained.mjs";
import { choiceFindings, fairBlocks, fairFindings, selectionFindings } from "./fair.mjs";
import { firstArgumentBlocks, firstArgumentFindings } from "./first-argument.mjs";
import { pairBlocks, verdictTable } from "./verdicts.mjs";

/** How many of our cells a chart has room for, beside all baselines. */
const ROOM = 8;
const BEST = 3;

/** `begun`: how soon the first argument was known. */
export function accuracySection(models, begun = []) {
  if (models.length === 0) return { missing: ["accuracy --out NAME", "accuracy --out NAME --summary"] };
  const verdicts = verdictTable(models);
  return {
    findings: [
      ...fairFindings(models),
      ...selectionFindings(models),
      ...choiceFindings(models),
      ...firstArgumentFindings(begun),
      ...models.flatMap(finding),
    ],
    blocks: [
      ...fairBlocks(models),
      ...firstArgumentBlocks(begun),
      ...(verdicts.rows.length > 0
        ? [{ heading: "Against the baselines" }, { table: verdicts }, { paragraph: FAIR }]
        : []),
      ...models.flatMap(modelBlocks),
    ],
  };
}

const FAIR =
  "Baselines are asked as their packages ask: none of them offers a grammar or worked examples, which our best cells use. The " +
  "values of p are not corrected for their number: that all baselines are beaten needs each test to succeed, so it is no " +
  "likelier by chance than one; of a single baseline it says less.";

/** A model's name as a part of an id. */
const idOf = ({ name }) => name.replaceAll(/[^\w.-]+/g, "-");

/** Half b where it was asked: what half a says of a cell that was chosen by it is too good. */
const halfShown = ({ cells }, inHalfOf = inHalf) =>
  cells.some((one) => shareOf(one, inHalfOf("b")).count > 0) ? "b" : "a";

function finding(model) {
  const advice = recommend(model);
  if (!advice) return [];
  const { recommended, better, against } = advice;
  const onB = shareOf(recommended, inHalf("b"));
  const { share, count, low, high } = onB.count > 0 ? onB : shareOf(recommended, inHalf("a"));
  const text = `(${interval({ low, high })}) of ${plural(count, "question")} are answered right by ${modelTitle(model.name)} with ${recommended.label}: ${confidenceOf(advice)}`;
  const beaten = against.length > 0 && against.every(beats);
  return [{ kind: better ? "loss" : beaten ? "win" : "open", value: percent(share), text }];
}

function modelBlocks(model) {
  const half = halfShown(model);
  const factors = effects(model);
  return [
    { heading: modelTitle(model.name) },
    ...cellsChart(model),
    ...categoryChart(model, half),
    ...(factors.length > 0
      ? [{ figure: effectChart(model, factors) }, { table: effectTable(model, factors), folded: true }]
      : []),
    ...pairBlocks(model),
    ...cellTables(model).map((table) => ({ table, folded: true })),
    { table: categoryTable(model), folded: true },
  ];
}

const SINGLE = "single call";

/** The answers of a half to questions of a set. */
const ofSet = (half, set) => (answer) => answer.half === half && isOf(set)(answer);

/** The cells by their shares of questions that want a single call: shares of other sets do not compare with these. */
function cellsChart(model) {
  const inSingle = (half) => ofSet(half, SINGLE);
  const half = halfShown(model, inSingle);
  const found = model.cells
    .map((one) => ({ one, ...shareOf(one, inSingle(half)) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.share - a.share);
  const ours = found.filter(({ one }) => one.ours).slice(0, ROOM);
  const shown = found.filter((entry) => !entry.one.ours || ours.includes(entry));
  if (shown.length === 0) return [];
  const rows = shown.map(({ one, share, count, low, high }) => ({
    label: one.label,
    values: { [familyOf(one.name).name]: { value: share, low, high, label: `${percent(share)} of ${count}` } },
  }));
  const all =
    half === "b" ? "half b, by which nothing was chosen" : "half a, by which cells are chosen: the best are flattered";
  const figure = {
    ...{
      id: `accuracy-${idOf(model)}`,
      title: `${modelTitle(model.name)}: right calls, of questions that want a single call`,
    },
    note: `Share of the questions asked of each, ${all}; 95 % intervals. Not all were asked the same questions, as the two sides of a pair in the tables are.`,
    axis: { max: 1, format: (value) => percent(value) },
    keys: familyKeys(rows),
    rows,
  };
  return [{ figure }];
}

/** What is recommended and the best baselines, by category. */
function categoryChart(model, half) {
  const advice = recommend(model);
  const categories = categoriesOf(model);
  if (!advice || categories.length < 2) return [];
  const overall = (one) => shareOf(one, inHalf(half));
  const baselines = model.cells
    .filter((one) => !one.ours && overall(one).count > 0)
    .sort((one, other) => overall(other).share - overall(one).share)
    .slice(0, BEST);
  const rows = categories.flatMap((category) => {
    const found = [advice.chosen, ...baselines].flatMap((one) => {
      const { count, share, low, high } = shareOf(one, inHalf(half, category));
      const value = { value: share, low, high, label: percent(share) };
      return count === 0 ? [] : [{ label: one.label, values: { [familyOf(one.name).name]: value } }];
    });
    return found.length > 0 ? [{ heading: category }, ...found] : [];
  });
  const figure = {
    ...{ id: `categories-${idOf(model)}`, title: `${modelTitle(model.name)}: right answers by category` },
    note: `Our best by half a and the ${plural(baselines.length, "best baseline")}, half ${half}; 95 % intervals.`,
    axis: { max: 1, format: (value) => percent(value) },
    ...{ keys: familyKeys(rows), rows },
  };
  return [{ figure }];
}

/** The families that have a bar. */
const familyKeys = (rows) =>
  Object.values(families)
    .filter(({ name }) => rows.some(({ values }) => values?.[name]))
    .map((family) => ({ ...family, mark: "bar" }));

function effectChart(model, factors) {
  const names = [...new Set(factors.map(({ factor }) => factor))];
  const value = ({ difference, low, high }) => ({ value: difference, low, high, label: signed(difference * 100) });
  return {
    ...{ id: `effects-${idOf(model)}`, title: `${modelTitle(model.name)}: what each choice did to right calls` },
    note: "Points gained or lost by that change alone, on the same questions of both halves; 95 % intervals.",
    axis: {
      signed: true,
      format: (share) =>
        signed(share * 100)
          .replace(/^\+0\.0$/, "0")
          .replace(/\.0$/, ""),
    },
    keys: [{ ...families.ours, mark: "dot" }],
    rows: names.flatMap((factor) => {
      const list = factors.filter((one) => one.factor === factor);
      return [
        { heading: `${factor}, from ${list[0].base}` },
        ...list.map((one) => ({ label: `to ${one.value}`, values: { [families.ours.name]: value(one) } })),
      ];
    }),
    reference: { value: 0, label: "no change" },
  };
}

function effectTable(model, factors) {
  const titles = ["factor", "from", "to", "points", "95 %", "shown", "better on", "worse on", "p", "questions"];
  return {
    caption: `${modelTitle(model.name)}: what each choice did to right calls, in points; all else equal`,
    columns: titles.map((title, i) => ({ title, numeric: [3, 6, 7, 8, 9].includes(i) })),
    rows: factors.map(({ factor, base, value, difference, low, high, better, worse, p, questions }) => [
      ...[cell(factor), cell(base), cell(value), cell(signed(difference * 100), difference)],
      cell(`${signed(low * 100)} to ${signed(high * 100)}`, low),
      p >= LEVEL
        ? cell("not shown to differ", 0)
        : difference > 0
          ? cell("better", 1, { tone: "good" })
          : cell("worse", -1, { tone: "bad" }),
      ...[
        cell(whole(better), better),
        cell(whole(worse), worse),
        cell(pValue(p), p),
        cell(whole(questions), questions),
      ],
    ]),
  };
}

const categoriesOf = ({ cells }) => [
  ...new Set(cells.flatMap(({ answers }) => [...answers.values()].map(({ category }) => category))),
];

/** A table for each set of questions. */
function cellTables({ name, cells }) {
  const sets = [...new Set(categoriesOf({ cells }).map(setOf))];
  return sets.map((set) =>
    cellTable(
      name,
      set,
      cells.filter(({ answers }) => [...answers.values()].some(isOf(set))),
    ),
  );
}

function cellTable(name, set, cells) {
  const share = (one, fits) => {
    const { count, share } = shareOf(one, fits);
    return count === 0 ? cell("", "") : cell(`${percent(share)} of ${count}`, share);
  };
  const titles = ["cell", "right, half a", "right, half b", "valid calls", "unread", "tokens in", "tokens out", "s"];
  return {
    caption: `${modelTitle(name)}: every cell, questions of the set “${set}”. Tokens and seconds: means`,
    columns: titles.map((title, i) => ({ title, numeric: i > 0 })),
    rows: cells.map((one) => {
      const cost = costOf(one.rows.filter(isOf(set)));
      return [
        ...[cell(one.label), share(one, ofSet("a", set)), share(one, ofSet("b", set))],
        ...["valid", "failed"].map((key) => cell(percent(cost[key]), cost[key])),
        ...["tokensIn", "tokensOut"].map((key) => cell(whole(cost[key]), cost[key])),
        cell(short(cost.seconds), cost.seconds),
      ];
    }),
  };
}

function categoryTable(model) {
  const half = halfShown(model);
  const categories = categoriesOf(model);
  return {
    caption: `${modelTitle(model.name)}: right answers by category, half ${half}, with 95 % intervals`,
    columns: ["cell", ...categories].map((title, i) => ({ title, numeric: i > 0 })),
    rows: model.cells.map((one) => [
      cell(one.label),
      ...categories.map((category) => {
        const { count, share, low, high } = shareOf(one, inHalf(half, category));
        if (count === 0) return cell("", "");
        return cell(`${percent(share)} (${(low * 100).toFixed(0)} to ${(high * 100).toFixed(0)})`, share);
      }),
    ]),
  };
}
