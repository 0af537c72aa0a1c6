// How soon the first character of a call's arguments reaches the caller.
import { labelOf } from "../../accuracy/labels.mjs";
import { LEVEL } from "../../accuracy/statistics.mjs";
import { pValue } from "../../accuracy/verdict.mjs";
import { cell, plural, short, whole } from "../format.mjs";
import { modelTitle } from "./constrained.mjs";

const isOnServer = ({ engine }) => engine.startsWith("xllamacpp");
const titleOf = (one) => modelTitle(isOnServer(one) ? `${one.model} in llama.cpp's server` : one.model);
const times = ({ ratio, low, high }) => `${short(ratio)} times (${short(low)} to ${short(high)})`;
const kindOf = ({ less, more, p }) => (p >= LEVEL ? "open" : less > more ? "win" : "loss");

/** An open comparison of fewer questions is in the table only. */
const LEAST = 30;
const isTold = (one) => one.count >= LEAST || kindOf(one) !== "open";

export const firstArgumentFindings = (begun) =>
  begun.filter(isTold).map((one) => ({
    kind: kindOf(one),
    value: times(one).split(" (")[0],
    text:
      `(${short(one.low)} to ${short(one.high)}) the time of ${labelOf(one.theirs)} is what ${titleOf(one)}, ${labelOf(one.ours)}, takes to the ` +
      `first character of a call's arguments, in the ${plural(one.count, "question")} in which both call: sooner in ${whole(one.less)}, ` +
      `later in ${whole(one.more)}, p ${pValue(one.p)}; after ${short(one.tokens.ours)} tokens of the reply, theirs after ${short(one.tokens.theirs)}`,
  }));

export function firstArgumentBlocks(begun) {
  if (begun.length === 0) return [];
  const titles = [
    "model",
    "ours",
    "theirs",
    "questions",
    "tokens, ours",
    "tokens, theirs",
    "time",
    "sooner, later",
    "p",
  ];
  return [
    { heading: "Time to the first argument" },
    {
      paragraph:
        "From the request to the first character of a call's arguments, and the tokens of the reply until then. Ours and the " +
        "server's tools are streamed; response_format is read when it is whole. The time is the median of the ratios of the " +
        "questions in which both call, asked one after the other on a busy machine. It includes the prompt, which is shorter " +
        "with compact tools; the tokens do not depend on that.",
    },
    {
      table: {
        caption: "Time to the first character of a call's arguments, with 95 % intervals (sign test)",
        columns: titles.map((title, i) => ({ title, numeric: [3, 4, 5, 8].includes(i) })),
        rows: begun.map((one) => [
          ...[
            cell(titleOf(one)),
            cell(labelOf(one.ours)),
            cell(labelOf(one.theirs)),
            cell(whole(one.count), one.count),
          ],
          ...[cell(short(one.tokens.ours), one.tokens.ours), cell(short(one.tokens.theirs), one.tokens.theirs)],
          ...[
            cell(times(one), one.ratio),
            cell(`${one.less}, ${one.more}`, one.less - one.more),
            cell(pValue(one.p), one.p),
          ],
        ]),
      },
    },
  ];
}
