// Whether our best cells beat the baselines, and what is recommended.
import { errorsOf, inHalf, recommend, shareOf } from "../../accuracy/compare.mjs";
import { confidenceOf, pValue, reasonOf, verdictOf } from "../../accuracy/verdict.mjs";
import { cell, percent, plural, whole } from "../format.mjs";
import { modelTitle } from "./constrained.mjs";

/** A share with its interval and the number of questions; empty where none was asked. */
const shareCell = ({ count, share, low, high }) =>
  count === 0
    ? cell("not asked", -1)
    : cell(
        `${percent(share)} (${(low * 100).toFixed(0)} to ${(high * 100).toFixed(0)}; ${plural(count, "question")})`,
        share,
      );

/** What is recommended for each model, and why; undefined where none was asked questions of half a. */
export function recommendations(models) {
  const rows = models.flatMap((model) => {
    const advice = recommend(model);
    if (!advice) return [];
    const { recommended, chosen } = advice;
    return [
      [
        cell(modelTitle(model.name)),
        cell(recommended.label, recommended.name),
        cell(confidenceOf(advice)),
        ...["a", "b"].map((half) => shareCell(shareOf(chosen, inHalf(half)))),
      ],
    ];
  });
  if (rows.length === 0) return undefined;
  return {
    caption:
      "The protocol, how tools are shown, whether the reply is constrained, and how many worked examples come first",
    columns: ["model", "recommended", "half b", "our best: right, half a", "right, half b"].map((title) => ({ title })),
    rows,
  };
}

/** Our best against the baselines, for each model and category: a line each, with the reason where one is not beaten. */
export function verdictTable(models) {
  const rows = models.flatMap((model) => {
    const advice = recommend(model);
    return (advice?.categories ?? []).map(({ category, against }) => {
      const { beaten, of, text } = verdictOf(against);
      const tone = beaten === of ? { tone: "good" } : {};
      return [
        ...[cell(modelTitle(model.name)), cell(category), shareCell(shareOf(advice.chosen, inHalf("b", category)))],
        ...[
          cell(errorsOf(advice.chosen, inHalf("b", category))),
          cell(`${beaten} of ${of}`, beaten / of, tone),
          cell(text),
        ],
      ];
    });
  });
  return {
    caption: "Our best cell of half a on half b, against every baseline (McNemar's exact test, p < 0.05)",
    columns: ["model", "category", "right", "what was wrong", "beaten", "verdict"].map((title) => ({ title })),
    rows,
  };
}

/** Every pair of our best cell and a baseline. */
export function pairBlocks(model) {
  const advice = recommend(model);
  if (!advice || advice.against.length === 0) {
    return [{ paragraph: "No pairs of our best cell and a baseline: half b was not asked of both yet." }];
  }
  const { chosen, against, categories } = advice;
  const row = (category, { cell: baseline, ...pair }) => {
    const { count, won, lost, p } = pair;
    const reason = reasonOf(pair);
    return [
      ...[cell(baseline.label), cell(category), cell(whole(count), count)],
      ...[cell(whole(won), won), cell(whole(lost), lost), cell(pValue(p), p)],
      reason === undefined ? cell("ours is better", 1, { tone: "good" }) : cell(reason, lost > won ? -1 : 0),
    ];
  };
  const titles = ["baseline", "category", "questions", "only ours right", "only theirs right", "p", "verdict"];
  return [
    {
      folded: true,
      table: {
        caption: `${modelTitle(model.name)}: ${chosen.label}, chosen on half a, against each baseline on half b`,
        columns: titles.map((title, i) => ({ title, numeric: i > 1 && i < 6 })),
        rows: [{ category: "all", against }, ...categories].flatMap(({ category, against }) =>
          against.map((pair) => row(category, pair)),
        ),
      },
    },
  ];
}
