// node evals/accuracy/choice/run.mjs [--model NAME,…] [--prompt NAME,…] [--limit N] [--summary]: reads the log-probabilities of
// calling and of answering for questions of each half that want a call and that want none, and keeps them in runs/choice.jsonl; the
// same command goes on.
import { parseArgs } from "node:util";
import { commitHere } from "../../../benchmarks/timing/results.mjs";
import { embeddedModels } from "../models.mjs";
import { loadQuestions, sample } from "../questions.mjs";
import { openRun, readRun } from "../records.mjs";
import { asking, CONTENT_FREE, prompts } from "./prompts.mjs";
import { publish } from "./publish.mjs";
import { loadReader } from "./reader.mjs";

/** Of each half, so many fifths of the questions that want a call, and of those that want none. */
const SHARES = { simple_python: 3, multiple: 2, irrelevance: 3, live_irrelevance: 2 };

/** The category of questions with tools of another question. */
const OTHER = "other_tools";

const { values } = parseArgs({
  options: {
    ...{ model: { type: "string" }, prompt: { type: "string" } },
    ...{ limit: { type: "string", default: "50" }, summary: { type: "boolean" } },
  },
});
if (values.summary) publish(readRun("choice"));
else {
  const cells = values.prompt?.split(",") ?? Object.keys(prompts);
  await measure(values.model?.split(",") ?? embeddedModels, cells, questions(Number(values.limit)));
}

/**
 * Of each half and kind `limit` questions; and those that want a call once more with tools of another one (`other_tools`), which want
 * none. First half b and half of half a, mixed, because a threshold needs fewer questions than a report; a run that is stopped has
 * something of each.
 */
function questions(limit) {
  const part = (half, from, to) =>
    Object.entries(SHARES).flatMap(([category, share]) => {
      const list = loadQuestions(category).filter((question) => question.half === half);
      const at = (count) => Math.round((count * share) / 5);
      const own = sample(list, at(to)).slice(at(from));
      return category.includes("relevance") ? own : [...own, ...own.map((one, i) => withToolsOf(own.at(i - 1), one))];
    });
  const mixed = (list) => sample(list, Number.POSITIVE_INFINITY);
  return [...mixed([...part("b", 0, limit), ...part("a", 0, limit / 2)]), ...mixed(part("a", limit / 2, limit))];
}

const withToolsOf = ({ tools }, question) => ({
  ...question,
  id: `other_tools_${question.id}`,
  category: OTHER,
  tools,
});

async function measure(models, cells, questions) {
  const run = openRun("choice", { count: 1 });
  const commit = commitHere();
  const readers = [];
  for (const model of models) readers.push({ model, reader: await loadReader(model) });
  for (const [i, question] of questions.entries()) {
    const { id, category, half } = question;
    for (const { model, reader } of readers) {
      for (const cell of cells) {
        const prompt = prompts[cell];
        const job = { model, cell, category, id };
        if (run.get(job) || (prompt.half ?? half) !== half || (category === OTHER && !prompt.controlled)) continue;
        const empty = await readChoice(reader, prompt, asking(question, CONTENT_FREE));
        run.add({ ...job, half, commit, read: await readChoice(reader, prompt, question), empty });
      }
    }
    console.log(`${i + 1} of ${questions.length}: ${id}`);
  }
  for (const { reader } of readers) await reader.dispose();
}

/** What a model makes of a question: how likely the call begins, and the answer where the prompt has a text for it. */
async function readChoice(reader, { call, answer, messages }, question) {
  const sent = await messages(question);
  const begun = await reader.read(sent, call);
  return begun && { call: begun, ...(answer && { answer: await reader.read(sent, answer) }) };
}
