// What was read of each question, as numbers: the log-odds of a call, and whether greedy sampling begins one.
import { OTHER } from "./questions.mjs";

const sum = (logs) => logs.reduce((total, log) => total + log, 0);
const round = (number) => Number(number.toFixed(3));

/** The log-odds of an event by its log-probability, and of one event against another. */
const oddsOf = ({ call, answer }) => {
  const begun = sum(call.logs);
  return answer ? begun - sum(answer.logs) : begun - Math.log(-Math.expm1(Math.min(begun, -Number.EPSILON)));
};

/**
 * A record as it is committed: `{ model, prompt, category, half, id, odds, empty, margin, tokens }`. `odds`: of a call after
 * the question; `empty`: after one without content; `margin`: positive where greedy sampling begins as a call does; `tokens`:
 * the probability of each token of the call's marker. Records of prompts that were too long are left out.
 */
export function readingOf({ model, cell, category, half, id, read, empty }) {
  if (!read || !empty) return [];
  const margin = read.answer ? oddsOf(read) : read.call.margin;
  const tokens = read.call.logs.map((log) => round(Math.exp(log)));
  return [
    {
      model,
      prompt: cell,
      category,
      half,
      id,
      odds: round(oddsOf(read)),
      empty: round(oddsOf(empty)),
      margin: round(margin),
      tokens,
    },
  ];
}

/** Whether a question wants a call. */
export const wantsCall = (category) => !category.includes("relevance") && category !== OTHER;

export const isControl = ({ category }) => category === OTHER;
