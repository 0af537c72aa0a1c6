// Comparisons that no answer chose: the same weights, server, questions and limits. The examples are the same too, but for the
// pair "no example", which compares one example with none.
import { demandsCall, pair, shareOf } from "./compare.mjs";

const CONSTRAINED = "hermes/compact/grammar/no-repair/1";

const isParallel = ({ category }) => category.includes("parallel");
const isCallQuestion = (one) => demandsCall(one.category) && !isAmongFifty(one) && !isParallel(one);
const isAmongFifty = ({ category }) => category === "among_50";

const CONSTRAINED_BOTH = "constrained against constrained";
export const CALL_WANTED = "free to answer, a call wanted";
export const NONE_WANTED = "free to answer, none wanted";

/** The comparisons, and their questions. `which`: the words for these where they are not those of one call. */
const fixed = [
  { what: CONSTRAINED_BOTH, ours: CONSTRAINED, theirs: "json-schema/required/1", fits: isCallQuestion },
  { what: `${CONSTRAINED_BOTH}, one call`, ours: CONSTRAINED, theirs: "json-schema/one/1", fits: isCallQuestion },
  {
    what: `${CONSTRAINED_BOTH}, no example`,
    ours: CONSTRAINED,
    theirs: "json-schema/required/0",
    fits: isCallQuestion,
  },
  {
    what: `${CONSTRAINED_BOTH}, several calls`,
    which: " that want several calls",
    ours: CONSTRAINED,
    theirs: "json-schema/required/1",
    fits: isParallel,
  },
  {
    what: "constrained against free",
    ours: CONSTRAINED,
    theirs: "hermes/compact/off/no-repair/1",
    fits: isCallQuestion,
  },
  ...["json-schema/required/1", "json-schema/one/1"].map((theirs) => ({
    what: `${CONSTRAINED_BOTH}, 50 tools`,
    ours: `${CONSTRAINED}/selected-by-words`,
    theirs,
    fits: isAmongFifty,
  })),
  ...["mixed-2", "mixed-4"].flatMap((shots) =>
    ["json-schema/auto", "native/auto"].flatMap((way) => {
      const sides = { ours: `hermes/compact/lazy/no-repair/${shots}`, theirs: `${way}/${shots}` };
      return [
        { what: CALL_WANTED, ...sides, fits: isCallQuestion },
        { what: NONE_WANTED, ...sides, fits: ({ category }) => !demandsCall(category) },
      ];
    }),
  ),
];

/**
 * Those that a model was asked both sides of: `{ what, which, ours, theirs, count, won, lost, p }`, the sides with their
 * shares on the questions that both were asked.
 */
export function fairPairs({ cells }) {
  return fixed.flatMap(({ what, which = "", fits, ...names }) => {
    const [ours, theirs] = [names.ours, names.theirs].map((name) => cells.find((cell) => cell.name === name));
    if (!ours || !theirs) return [];
    const compared = pair(ours, theirs, fits);
    if (compared.count === 0) return [];
    const side = (cell, other) => {
      const answers = new Map([...cell.answers].filter(([id]) => other.answers.has(id)));
      return { name: cell.name, ...shareOf({ answers }, fits) };
    };
    return [{ what, which, ...compared, ours: side(ours, theirs), theirs: side(theirs, ours) }];
  });
}
