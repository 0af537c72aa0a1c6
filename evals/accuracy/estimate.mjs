// Estimates the cost of a run before it starts.
import { shots } from "./shots.mjs";

/** Characters per token, in English and in JSON; no tokenizer is used. */
const CHARACTERS = 4;

/**
 * What these questions cost, `[{ cell, question }]`: `{ questions, tokensIn, tokensOut }`. `tokensIn` is a guess by
 * length: the tools as JSON, the examples, the question; `tokensOut` is the most that the replies can have. A
 * conversation of several turns counts as one question for each turn.
 */
export function estimate(jobs, { maxTokens }) {
  let [questions, characters] = [0, 0];
  for (const { cell, question } of jobs) {
    const asked = question.turns?.length ?? 1;
    const said = [...shots(cell.shots ?? "0"), ...(question.messages ?? question.turns)];
    questions += asked;
    characters += asked * JSON.stringify([question.tools, said]).length;
  }
  return { questions, tokensIn: Math.round(characters / CHARACTERS), tokensOut: questions * maxTokens };
}

const whole = (number) => number.toLocaleString("en-US");

/** The estimate in a sentence. `price`: of a million tokens, `{ in, out }`. */
export function estimateText(model, { questions, tokensIn, tokensOut }, price) {
  const most = price && ((tokensIn * price.in + tokensOut * price.out) / 1e6).toFixed(2);
  const cost = most === undefined ? "" : `; ${most} at most, at ${price.in} and ${price.out} a million`;
  return `${model}: ${whole(questions)} questions, some ${whole(tokensIn)} tokens of prompts, at most ${whole(tokensOut)} of replies${cost}`;
}
