// What keeps a wrong answer from being right, in a word: the first of these that it is.
import { loadQuestions } from "./questions.mjs";
import { isRight } from "./score.mjs";
import { groups, print } from "./summary.mjs";

export const kindsOfError = [
  "no call",
  "unread",
  "wrong tool",
  "too few calls",
  "too many calls",
  "argument missing",
  "optional argument",
  "wrong value",
];

/**
 * The kind of a wrong answer; undefined if it is right, or if the truth is not a list of calls. `unread`: a call that
 * could not be read; `optional argument`: right except for optional arguments that were not asked for.
 */
export function kindOfError(question, { calls, failed }) {
  const { functions, truth } = question;
  if (!Array.isArray(truth) || isRight(question, calls)) return undefined;
  if (calls.length === 0) return failed ? "unread" : "no call";
  const wanted = truth.flatMap((one) => Object.keys(one));
  if (calls.some(({ name }) => !wanted.includes(name))) return "wrong tool";
  if (calls.length !== truth.length) return calls.length < truth.length ? "too few calls" : "too many calls";
  const required = new Map(functions.map(({ name, parameters }) => [name, parameters.required ?? []]));
  const isComplete = ({ name, arguments: args }) =>
    truth.some(
      ({ [name]: answers }) =>
        answers && Object.keys(answers).every((key) => Object.hasOwn(args, key) || answers[key].includes("")),
    );
  if (!calls.every(isComplete)) return "argument missing";
  const bare = calls.map(({ name, arguments: args }) => ({
    name,
    arguments: Object.fromEntries(Object.entries(args).filter(([key]) => required.get(name).includes(key))),
  }));
  return isRight(question, bare) ? "optional argument" : "wrong value";
}

/** A function that classifies these answers. Loads their questions. */
export function kindsIn(records) {
  const categories = [...new Set(records.map(({ category }) => category))];
  const questions = new Map(categories.flatMap((category) => loadQuestions(category)).map((one) => [one.id, one]));
  return (record) => kindOfError(questions.get(record.id), record);
}

/** A row for each model and cell: how many of its answers had which kind of error. */
export function printErrors(records) {
  const kindOf = kindsIn(records);
  const rows = groups(records, ({ model, cell }) => [model, cell]).map((list) => {
    const kinds = list.map(kindOf);
    const [{ model, cell }] = list;
    return [model, cell, list.length, ...kindsOfError.map((kind) => kinds.filter((one) => one === kind).length)];
  });
  print([["model", "cell", "answers", ...kindsOfError], ...rows]);
}
