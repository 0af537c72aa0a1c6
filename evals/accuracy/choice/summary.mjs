// The rules that decide between a call and an answer, rated by the readings: chosen on half a, reported on half b.
import { isControl, wantsCall } from "./readings.mjs";
import { balanced, combination, compared, decided, separation, thresholdOf } from "./rules.mjs";

/** The opponent of every rule, besides greedy sampling of the same prompt. */
export const OPPONENT = "json-schema/mixed-4";

/** The scores, by their names in the tables. */
const scores = {
  "log-odds": ({ odds }) => odds,
  "calibrated log-odds": ({ odds, empty }) => odds - empty,
};

const inHalf =
  (wanted) =>
  ({ half }) =>
    half === wanted;

/**
 * A row for each model, prompt and rule: `{ model, prompt, rule, auc, b, greedy, opponent }`. `auc`: how well the score
 * separates both kinds of question, in both halves; `b`: the rule's balanced accuracy on half b; `greedy`, `opponent`: the rule
 * against greedy sampling of the same prompt, and of {@link OPPONENT}, on half b. `control`: the same with questions that want
 * a call, and the same questions with tools of others. `words`: the word score of a question, by id.
 */
export function summarise(readings, words) {
  const models = [...new Set(readings.map(({ model }) => model))];
  return models.flatMap((model) => {
    const own = readings
      .filter((one) => one.model === model)
      .map((one) => ({ ...one, wants: wantsCall(one.category) }));
    const of = (prompt) => own.filter((one) => one.prompt === prompt);
    const opponent = greedy(of(OPPONENT)).filter(inHalf("b"));
    return [...new Set(own.map(({ prompt }) => prompt))].flatMap((prompt) => {
      const asked = of(prompt).filter((one) => !isControl(one));
      const control = of(prompt).filter((one) => one.wants || isControl(one));
      const against = greedy(asked).filter(inHalf("b"));
      const row = (rule, cases, auc) => ({
        ...{ model, prompt, rule, ...(auc && { auc: figures(separation(auc)) }), b: figures(balanced(cases)) },
        ...{ greedy: figures(compared(cases, against)), opponent: figures(compared(cases, opponent)) },
      });
      const rows = [row("greedy", against)];
      if (prompt === OPPONENT) return rows;
      for (const [name, scoreOf] of Object.entries(scores)) {
        const scored = asked.map((one) => ({ ...one, score: scoreOf(one) }));
        rows.push(row(`${name}, threshold of half a`, byHalfA(scored), scored));
      }
      const calibrated = (list) => list.map((one) => ({ ...one, score: scores["calibrated log-odds"](one) }));
      rows.push(row("calibrated log-odds from 0", decided(calibrated(asked).filter(inHalf("b")), 0)));
      if (control.some(isControl)) rows.push(controlRow(row, calibrated(control)));
      if (prompt === "ours/0") rows.push(...wordRows(row, calibrated(asked), words));
      return rows;
    });
  });
}

function controlRow(row, cases) {
  const {
    greedy: _,
    opponent: __,
    ...rest
  } = row("calibrated log-odds from 0, other tools", decided(cases.filter(inHalf("b")), 0), cases);
  return rest;
}

/** By the words of the question and the tools, without the model; and by both. */
function wordRows(row, cases, words) {
  const known = cases.map((one) => ({ ...one, numbers: [one.score, words[one.id]] }));
  const byWords = known.map((one) => ({ ...one, score: words[one.id] }));
  const scoreOf = combination(known.filter(inHalf("a")));
  const both = known.map((one) => ({ ...one, score: scoreOf(one.numbers) }));
  return [
    row("words, threshold of half a", byHalfA(byWords), byWords),
    row("calibrated log-odds and words, threshold of half a", byHalfA(both), both),
  ];
}

/** Greedy sampling: a call where its first token is the likeliest. */
const greedy = (cases) => cases.map((one) => ({ ...one, calls: one.margin > 0 }));

const byHalfA = (cases) => decided(cases.filter(inHalf("b")), thresholdOf(cases.filter(inHalf("a"))));

/** Numbers in four digits. */
const figures = (numbers) =>
  Object.fromEntries(Object.entries(numbers).map(([key, value]) => [key, Number(value.toPrecision(4))]));
