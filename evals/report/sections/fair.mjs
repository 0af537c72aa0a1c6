// Ours and the server's own ways, under equal conditions.
import { CALL_WANTED, fairPairs, NONE_WANTED } from "../../accuracy/fair.mjs";
import { mcnemar } from "../../accuracy/statistics.mjs";
import { kindOf, pValue, reasonOf } from "../../accuracy/verdict.mjs";
import { cell, interval, KINDS, percent, plural, whole } from "../format.mjs";
import { modelTitle } from "./constrained.mjs";

const share = (side) => cell(`${side.right} of ${side.count} (${interval(side)})`, side.share);

/** Whether ours shows only selected tools. The other pairs show all tools to both sides. */
const isSelection = ({ ours }) => ours.name.endsWith("/selected-by-words");

/** By cell: what response_format was told to return. Cells without an example are left out. */
const ASKED = { "json-schema/required/1": "a list of calls", "json-schema/one/1": "one call" };

/** An open comparison of fewer questions is in the table only. */
const LEAST = 30;
const isTold = (pair) => pair.count >= LEAST || kindOf(pair) !== "open";

/** What is right of each. */
const DONE = { question: "are answered right by", conversation: "end in the right state with" };

/** What the pairs with equal examples say of each model, with opponent, number, interval and p. */
export const fairFindings = (models) =>
  models.flatMap((model) =>
    fairPairs(model)
      .filter((one) => !isSelection(one) && one.theirs.name in ASKED && isTold(one))
      .map((one) => {
        const { which, asked, ours, theirs, won, lost, p } = one;
        const apart = `${won} to ${lost} ${asked}${won + lost === 1 ? "" : "s"}, p ${pValue(p)}`;
        const held = ours.name.includes("/grammar-one/") ? " to one call" : "";
        return {
          kind: kindOf(one),
          value: percent(ours.share),
          text:
            `(${interval(ours)}) of ${plural(ours.count, asked)}${which} ${DONE[asked]} ${modelTitle(model.name)} constrained by our grammar${held}; ` +
            `constrained by the server's own response_format to ${ASKED[theirs.name]}, with the same example, ` +
            `${percent(theirs.share)} (${interval(theirs)}): ${apart}, ${CONSTRAINED[kindOf(one)]}`,
        };
      }),
  );

/** What a selection from 50 tools is worth against response_format with all of them. */
export const selectionFindings = (models) =>
  models.flatMap((model) =>
    fairPairs(model)
      .filter(isSelection)
      .map((one) => ({
        kind: kindOf(one),
        value: percent(one.ours.share),
        text:
          `(${interval(one.ours)}) of ${plural(one.ours.count, "question")}${one.which} are answered right by ${modelTitle(model.name)}: ` +
          `${one.ours.label}; ${one.theirs.label}, shown all 50: ${percent(one.theirs.share)} (${interval(one.theirs)}), ` +
          `${one.won} to ${one.lost} questions, p ${pValue(one.p)}`,
      })),
  );

/** What constrained against constrained shows. */
const CONSTRAINED = {
  win: "constrained against constrained, ours is better",
  open: "constrained against constrained, they are not shown to differ",
  loss: "constrained against constrained, theirs is better",
};

/** What a model makes of its freedom: both kinds of questions, for a way that always calls is right in the one. */
export const choiceFindings = (models) =>
  models.flatMap((model) => {
    const pairs = fairPairs(model);
    return pairs.flatMap((call) => {
      const none = pairs.find(({ what, theirs }) => what === NONE_WANTED && theirs.name === call.theirs.name);
      return call.what === CALL_WANTED && none && [call, none].some(isTold) ? [choiceFinding(model, call, none)] : [];
    });
  });

function choiceFinding(model, call, none) {
  const [won, lost] = [call.won + none.won, call.lost + none.lost];
  const share = (one) => `${one.right} of ${one.count} (${interval(one)})`;
  const kinds = (side) => `${share(call[side])} that want a call, ${share(none[side])} that want none`;
  return {
    kind: [call, none].map(kindOf).sort((a, b) => KINDS.indexOf(a) - KINDS.indexOf(b))[0],
    value: `${call.ours.right + none.ours.right} of ${call.ours.count + none.ours.count}`,
    text:
      `questions are answered right by ${modelTitle(model.name)}, ${call.ours.label}: ${kinds("ours")}; ${call.theirs.label}: ${kinds("theirs")}; ` +
      `${call.won} to ${call.lost} (p ${pValue(call.p)}) and ${none.won} to ${none.lost} (p ${pValue(none.p)}), ` +
      `together ${won} to ${lost} (p ${pValue(mcnemar(won, lost))})`,
  };
}

export function fairBlocks(models) {
  const rows = models.flatMap((model) =>
    fairPairs(model).map((one) => {
      const reason = reasonOf(one);
      return [
        ...[cell(modelTitle(model.name)), cell(one.what), cell(one.ours.label), share(one.ours)],
        ...[cell(one.theirs.label), share(one.theirs)],
        ...[cell(`${whole(one.won)} to ${whole(one.lost)}`, one.won - one.lost), cell(pValue(one.p), one.p)],
        reason === undefined ? cell("ours is better", 1, { tone: "good" }) : cell(reason, one.lost > one.won ? -1 : 0),
      ];
    }),
  );
  if (rows.length === 0) return [];
  const titles = ["model", "what", "ours", "right", "theirs", "right", "only ours to only theirs", "p", "verdict"];
  return [
    { heading: "Equal conditions" },
    {
      paragraph:
        "Both sides have the same weights in the same llama.cpp server (node-llama-cpp's functions: both in this process), and the same " +
        "questions of half b (conversations: of both halves), token limit and seed. " +
        "They have the same examples, except in the pair “no example for theirs”, and see the same tools, except in the pair “50 tools: " +
        "selected by words against all shown”. No pair was chosen by its answers; only “50 tools, all shown” was added after the " +
        "answers, to compare like with like. The clock ended some runs. " +
        "By the leaderboard's rule a reply that cannot be read, such as one that was cut off in a call, is right where no call is wanted.",
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
