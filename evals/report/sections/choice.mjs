// Whether models choose between a call and an answer, by the probabilities of both.
import { OPPONENT } from "../../accuracy/choice/summary.mjs";
import { kindOf, pValue } from "../../accuracy/verdict.mjs";
import { cell, interval, percent, whole } from "../format.mjs";
import { modelTitle } from "./constrained.mjs";

/** The rule without a chosen threshold, and the prompt that it reads. */
const RULE = { prompt: "ours/0", rule: "calibrated log-odds from 0" };

const isRule = ({ prompt, rule }) => prompt === RULE.prompt && rule === RULE.rule;
const countOf = ({ hits, rejections, wanted, unwanted }) => `${hits + rejections} of ${wanted + unwanted}`;

export function choiceSection({ choice }) {
  if (!choice) return { missing: ["accuracy/choice"] };
  const { rows } = choice;
  return {
    findings: rows.filter((row) => isRule(row) && row.opponent.count > 0).map((row) => finding(row, rows)),
    blocks: [
      {
        paragraph:
          "Half of the questions want a call, half want none (irrelevance and live_irrelevance). Nothing is generated: the probabilities " +
          "of beginning a call and of anything else are read. Greedy sampling begins a call where its first token is the likeliest. " +
          "Calibrated log-odds are those after the question less those after a question without content, with the same tools; the rule " +
          "“from 0” has nothing that was chosen. “Other tools” are questions that want a call, against the same questions with the tools " +
          "of others. Thresholds are chosen on half a; calls, answers and balanced accuracy are of half b, AUC of both halves. A right choice is not a right call: in sum, no more questions " +
          "are answered right by these decisions than by never calling.",
      },
      { table: table(rows) },
    ],
  };
}

function finding(row, rows) {
  const { model, b, greedy, opponent } = row;
  const theirs = rows.find((one) => one.model === model && one.prompt === OPPONENT && one.rule === "greedy").b;
  const own = rows.find((one) => one.model === model && one.prompt === RULE.prompt && one.rule === "greedy").b;
  return {
    kind: kindOf(opponent),
    value: percent(b.share),
    text:
      `(${interval(b)}) of decisions between a call and an answer are right (balanced accuracy, ${whole(greedy.count)} questions) by the calibrated odds of ${modelTitle(model)}; ` +
      `by its greedy reply to the same prompt ${countOf(own)}, ${greedy.won} to ${greedy.lost} questions, p ${pValue(greedy.p)}; by response_format with four examples ` +
      `${countOf(theirs)}, ${opponent.won} to ${opponent.lost} of ${whole(opponent.count)}, p ${pValue(opponent.p)}`,
  };
}

function table(rows) {
  const pair = (one) =>
    one?.count ? cell(`${one.won} to ${one.lost}, p ${pValue(one.p)}`, one.won - one.lost) : cell("");
  const titles = [
    ...["model", "prompt", "rule", "AUC, both halves", "calls where one is wanted", "answers where none is"],
    ...["balanced accuracy, half b", "against greedy", "against response_format"],
  ];
  return {
    caption: "Calling or answering: how well the probabilities separate both kinds of question, with 95 % intervals",
    columns: titles.map((title, i) => ({ title, numeric: i > 3 && i < 6 })),
    rows: rows.map(({ model, prompt, rule, auc, b, greedy, opponent }) => [
      ...[cell(modelTitle(model)), cell(prompt), cell(rule)],
      auc ? cell(`${auc.auc.toFixed(2)} (${auc.low.toFixed(2)} to ${auc.high.toFixed(2)})`, auc.auc) : cell("", 0),
      ...[cell(`${b.hits} of ${b.wanted}`, b.hits), cell(`${b.rejections} of ${b.unwanted}`, b.rejections)],
      cell(`${percent(b.share)} (${interval(b)})`, b.share),
      ...[rule === "greedy" ? cell("") : pair(greedy), pair(opponent)],
    ]),
  };
}
