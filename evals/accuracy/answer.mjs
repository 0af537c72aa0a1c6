// Who answers: a model on this machine. A job is one question in one cell: { model, cell, category, id, seed, maxTokens
// }.
import { commitHere } from "../../benchmarks/timing/results.mjs";
import { ask } from "./ask.mjs";
import { cellOf } from "./cells.mjs";
import { loadQuestions } from "./questions.mjs";

/** Processes every item of a list, with a limit on parallel work. Throws the first error after the rest is done. */
export async function each(list, atOnce, work) {
  const waiting = list.values();
  const worker = async () => {
    for (const one of waiting) await work(one);
  };
  const done = await Promise.allSettled(Array.from({ length: Math.min(atOnce, list.length) }, worker));
  for (const { reason } of done) if (reason) throw reason;
}

const loadedQuestions = new Map();
function questionOf({ category, id }) {
  if (!loadedQuestions.has(category)) {
    loadedQuestions.set(category, new Map(loadQuestions(category).map((question) => [question.id, question])));
  }
  const question = loadedQuestions.get(category).get(id);
  if (question) return question;
  throw new Error(`There is no question ${id} in ${category}: is this the version that asks for it?`);
}

/** A model that answers jobs. It is loaded for the first one. */
export function answererOf(model, options) {
  const from = { engine: model.engine, commit: commitHere() };
  let loading;
  const loaded = () => {
    loading ??= model.load(options).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    /** The record of a job. */
    async answer(job) {
      const question = questionOf(job);
      const { seed, maxTokens } = job;
      const answer = await ask(question, cellOf(job.cell), await loaded(), { seed, maxTokens }).catch((error) =>
        failure(error, question),
      );
      return { ...job, ...from, half: question.half, ...answer };
    },
    async close() {
      await (await loading)?.dispose();
    },
  };
}

/** A prompt that is too long for the model is a wrong answer; an unreachable model gives no answer. */
function failure(error, { turns }) {
  if (error.code !== "context-overflow") throw error;
  return {
    right: false,
    valid: false,
    failed: false,
    calls: [],
    error: error.code,
    ...(turns && { turns: turns.length }),
  };
}

/** Asks the model here, `concurrency` jobs at once. */
export function askHere(model, options) {
  const answerer = answererOf(model, options);
  return {
    /** Has the jobs answered, and hands each record to `keep`, until that time (in milliseconds since 1970). */
    async askAll(jobs, { until, keep }) {
      await each(jobs, options.concurrency, async (job) => {
        if (Date.now() < until) keep(await answerer.answer(job));
      });
    },
    close: answerer.close,
  };
}
