// Ours and the server's own ways, asked alike.
import { CALL_WANTED, fairPairs, NONE_WANTED } from "../../accuracy/fair.mjs";
import { labelOf } from "../../accuracy/labels.mjs";
import { kindOf, pValue, reasonOf } from "../../accuracy/verdict.mjs";
import { cell, interval, KINDS, percent, plural, whole } from "../format.mjs";
import { modelTitle } from "./constrained.mjs";

const share = (side) => cell(`${side.right} of ${side.count} (${interval(side)})`, side.share);

/** Whether tools are selected from many. The other pairs show all. */
const isSelection = ({ ours }) => ours.name.endsWith("/selected-by-words");

/** What response_format was asked for with the same example, by cell; the pair without an example is not among them. */
const ASKED = { "json-schema/required/1": "a list of calls", "json-schema/one/1": "one call" };

/** What the pairs with equal examples say of each model, with opponent, number, interval and p. */
export const fairFindings = (models) =>
  models.flatMap((model) =>
    fairPairs(model)
      .filter((one) => !isSelection(one) && one.theirs.name in ASKED)
      .map((one) => {
        const { which, ours, theirs, won, lost, p } = one;
        const apart = `${won} to ${lost} ${won + lost === 1 ? "question" : "questions"}, p ${pValue(p)}`;
        return {
          kind: kindOf(one),
          value: percent(ours.share),
          text:
            `(${interval(ours)}) of ${plural(ours.count, "question")}${which} are answered right by ${modelTitle(model.name)} constrained by our grammar; ` +
            `constrained by the server's own response_format to ${ASKED[theirs.name]}, with the same example, ` +
            `${percent(theirs.share)} (${interval(theirs)}): ${apart}, ${CONSTRAINED[kindOf(one)]}`,
        };
      }),
  );

/** What a selection from 50 tools is worth, against all of them and against response_format. */
export const selectionFindings = (models) =>
  models.flatMap((model) =>
    fairPairs(model)
      .filter(isSelection)
      .map((one) => ({
        kind: kindOf(one),
        value: percent(one.ours.share),
        text:
          `(${interval(one.ours)}) of ${plural(one.ours.count, "question")} among 50 tools are answered right by ${modelTitle(model.name)}: ` +
          `${labelOf(one.ours.name)}; ${labelOf(one.theirs.name)}: ${percent(one.theirs.share)} (${interval(one.theirs)}), ` +
          `${one.won} to ${one.lost} questions, p ${pValue(one.p)}`,
      })),
  );

/** What constrained against constrained shows. */
const CONSTRAINED = {
  win: "constrained against constrained, ours is better",
  open: "constrained against constrained, no difference is shown",
  loss: "constrained against constrained, theirs is better",
};

/** What a model makes of its freedom: both kinds of questions, for a way that always calls is right in the one. */
export const choiceFindings = (models) =>
  models.flatMap((model) => {
    const pairs = fairPairs(model).filter(({ theirs }) => theirs.name.startsWith("json-schema/auto"));
    return pairs.flatMap((call) => {
      const none = pairs.find(({ what, theirs }) => what === NONE_WANTED && theirs.name === call.theirs.name);
      return call.what === CALL_WANTED && none ? [choiceFinding(model, call, none)] : [];
    });
  });

function choiceFinding(model, call, none) {
  const both = (side) =>
    [call, none].map((one) => `${one[side].right} of ${one[side].count} (${interval(one[side])})`).join(" and ");
  return {
    kind: [call, none].map(kindOf).sort((a, b) => KINDS.indexOf(a) - KINDS.indexOf(b))[0],
    value: `${call.ours.right} of ${call.ours.count}, ${none.ours.right} of ${none.ours.count}`,
    text:
      `questions that want a call, and that want none, are answered right by ${modelTitle(model.name)}, ${labelOf(call.ours.name)}: ` +
      `${both("ours")}; ${labelOf(call.theirs.name)}: ${both("theirs")}; p ${pValue(call.p)} and ${pValue(none.p)}`,
  };
}

export function fairBlocks(models) {
  const rows = models.flatMap((model) =>
    fairPairs(model).map((one) => {
      const reason = reasonOf(one);
      return [
        ...[cell(modelTitle(model.name)), cell(one.what), cell(labelOf(one.ours.name)), share(one.ours)],
        ...[cell(labelOf(one.theirs.name)), share(one.theirs)],
        ...[cell(`${whole(one.won)} to ${whole(one.lost)}`, one.won - one.lost), cell(pValue(one.p), one.p)],
        reason === undefined ? cell("ours is better", 1, { tone: "good" }) : cell(reason, one.lost > one.won ? -1 : 0),
      ];
    }),
  );
  if (rows.length === 0) return [];
  const titles = ["model", "what", "ours", "right", "theirs", "right", "only ours to only theirs", "p", "verdict"];
  return [
    { heading: "Asked alike" },
    {
      paragraph:
        "Both sides have the same weights in the same llama.cpp server, the same questions of half b, token limit and seed. Both have " +
        "the same examples, but for the pair “no example”: there ours has one and theirs none. No pair was chosen by its answers, " +
        "and the run was ended by the clock.",
    },
    {
      table: {
        caption: "Ours and the server's own ways: right answers with 95 % intervals (McNemar's exact test)",
        columns: titles.map((title, i) => ({ title, numeric: i > 5 && i < 8 })),
        rows,
      },
    },
  ];
}
