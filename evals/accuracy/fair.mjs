// Comparisons that no answer chose: the same weights, server, questions and limits. The examples are the same too, but for the
// second pair, which compares one example with none.
import { demandsCall, pair, shareOf } from "./compare.mjs";

const HELD = "hermes/compact/grammar/no-repair/1";
const CHOICE = "hermes/compact/lazy/no-repair/mixed-2";

const isCallQuestion = ({ category }) => demandsCall(category);

/** The comparisons, and their questions. */
const fixed = [
  { what: "held against held", ours: HELD, theirs: "json-schema/required/1", fits: isCallQuestion },
  { what: "held, 1 example, against held, none", ours: HELD, theirs: "json-schema/required/0", fits: isCallQuestion },
  { what: "held against free", ours: HELD, theirs: "hermes/compact/off/no-repair/1", fits: isCallQuestion },
  { what: "free to answer, a call wanted", ours: CHOICE, theirs: "json-schema/auto/mixed-2", fits: isCallQuestion },
  { what: "free to answer, a call wanted", ours: CHOICE, theirs: "native/auto/mixed-2", fits: isCallQuestion },
  {
    what: "free to answer, none wanted",
    ours: CHOICE,
    theirs: "json-schema/auto/mixed-2",
    fits: (one) => !isCallQuestion(one),
  },
  {
    what: "free to answer, none wanted",
    ours: CHOICE,
    theirs: "native/auto/mixed-2",
    fits: (one) => !isCallQuestion(one),
  },
];

/**
 * Those that a model was asked both sides of: `{ what, ours, theirs, count, won, lost, p }`, the sides with their
 * shares on the questions that both were asked.
 */
export function fairPairs({ cells }) {
  return fixed.flatMap(({ what, fits, ...names }) => {
    const [ours, theirs] = [names.ours, names.theirs].map((name) => cells.find((cell) => cell.name === name));
    if (!ours || !theirs) return [];
    const compared = pair(ours, theirs, fits);
    if (compared.count === 0) return [];
    const side = (cell, other) => {
      const answers = new Map([...cell.answers].filter(([id]) => other.answers.has(id)));
      return { name: cell.name, ...shareOf({ answers }, fits) };
    };
    return [{ what, ...compared, ours: side(ours, theirs), theirs: side(theirs, ours) }];
  });
}
