// Comparisons that were fixed before any answer to them was seen. Only "50 tools, all shown" was added afterwards, to compare
// like with like. Both sides have the same weights, engine, questions and limits. Where examples or shown tools differ, `what`
// says so.
import { pair, shareOf } from "./compare.mjs";
import { isOf } from "./question-sets.mjs";

const CONSTRAINED = "hermes/compact/grammar/no-retry/1";
const ONE_CALL = "hermes/compact/grammar-one/no-retry/1";
const CONSTRAINED_BOTH = "constrained against constrained";
export const CALL_WANTED = "free to answer, a call wanted";
export const NONE_WANTED = "free to answer, none wanted";
const SEVERAL_TURNS = `several turns, ${CONSTRAINED_BOTH}`;

const isSingleCall = isOf("single call");
const isAmongFifty = isOf("50 tools");
const isConversation = isOf("several turns");

/**
 * The comparisons, and their questions. `which`: text after "questions" in the report; `asked`: what they are, where they are
 * no questions.
 */
const fixed = [
  { what: CONSTRAINED_BOTH, ours: CONSTRAINED, theirs: "json-schema/required/1", fits: isSingleCall },
  { what: `${CONSTRAINED_BOTH}, one call`, ours: CONSTRAINED, theirs: "json-schema/one/1", fits: isSingleCall },
  {
    what: `${CONSTRAINED_BOTH}, one call on both sides`,
    ours: ONE_CALL,
    theirs: "json-schema/one/1",
    fits: isSingleCall,
  },
  {
    what: `${CONSTRAINED_BOTH}, no example for theirs`,
    ours: CONSTRAINED,
    theirs: "json-schema/required/0",
    fits: isSingleCall,
  },
  {
    what: `${CONSTRAINED_BOTH}, several calls`,
    which: " that want several calls",
    ours: CONSTRAINED,
    theirs: "json-schema/required/1",
    fits: isOf("several calls"),
  },
  {
    what: "constrained against free",
    ours: CONSTRAINED,
    theirs: "hermes/compact/off/no-retry/1",
    fits: isSingleCall,
  },
  ...["json-schema/required/1", "json-schema/one/1"].flatMap((theirs) => [
    {
      what: "50 tools, all shown",
      which: " among 50 tools, all shown,",
      ours: CONSTRAINED,
      theirs,
      fits: isAmongFifty,
    },
    {
      what: "50 tools: selected by words against all shown",
      which: " among 50 tools",
      ours: `${CONSTRAINED}/selected-by-words`,
      theirs,
      fits: isAmongFifty,
    },
  ]),
  ...[CONSTRAINED, ONE_CALL].map((ours) => ({
    ...{ what: SEVERAL_TURNS, asked: "conversation", which: " of several turns" },
    ...{ ours, theirs: "json-schema/one/1", fits: isConversation },
  })),
  ...["native/auto/1", "native/required/1"].map((theirs) => ({
    ...{ what: "several turns, against the server's tools", asked: "conversation", which: " of several turns" },
    ...{ ours: CONSTRAINED, theirs, fits: isConversation },
  })),
  ...["mixed-2", "mixed-4"].flatMap((shots) =>
    ["json-schema/auto", "native/auto", "node-llama-cpp/auto"].flatMap((way) => {
      const sides = { ours: `hermes/compact/lazy/no-retry/${shots}`, theirs: `${way}/${shots}` };
      return [
        { what: CALL_WANTED, ...sides, fits: isSingleCall },
        { what: NONE_WANTED, ...sides, fits: isOf("no call") },
      ];
    }),
  ),
];

/**
 * Those that a model was asked both sides of: `{ what, which, asked, ours, theirs, count, won, lost, p }`, the sides with their
 * names, labels and shares on the questions that both were asked.
 */
export function fairPairs({ cells }) {
  return fixed.flatMap(({ what, which = "", asked = "question", fits, ...names }) => {
    const [ours, theirs] = [names.ours, names.theirs].map((name) => cells.find((cell) => cell.name === name));
    if (!ours || !theirs) return [];
    const compared = pair(ours, theirs, fits);
    if (compared.count === 0) return [];
    const side = (cell, other) => {
      const answers = new Map([...cell.answers].filter(([id]) => other.answers.has(id)));
      return { name: cell.name, label: cell.label, ...shareOf({ answers }, fits) };
    };
    return [{ what, which, asked, ...compared, ours: side(ours, theirs), theirs: side(theirs, ours) }];
  });
}
