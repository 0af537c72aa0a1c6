// node evals/accuracy/choice/run.mjs [--model NAME,…] [--prompt NAME,…] [--limit N] [--summary]: reads the log-probabilities of
// calling and of answering for questions of each half that want a call and that want none, and keeps them in runs/choice.jsonl;
// the same command goes on.
import { parseArgs } from "node:util";
import { commitHere } from "../../../benchmarks/timing/results.mjs";
import { embeddedModels } from "../models.mjs";
import { openRun, readRun } from "../records.mjs";
import { asking, CONTENT_FREE, prompts } from "./prompts.mjs";
import { publish } from "./publish.mjs";
import { choiceQuestions, OTHER } from "./questions.mjs";
import { loadReader } from "./reader.mjs";

const { values } = parseArgs({
  options: {
    ...{ model: { type: "string" }, prompt: { type: "string" } },
    ...{ limit: { type: "string", default: "50" }, summary: { type: "boolean" } },
  },
});
if (values.summary) await publish(readRun("choice"));
else {
  const cells = values.prompt?.split(",") ?? Object.keys(prompts);
  await measure(values.model?.split(",") ?? embeddedModels, cells, choiceQuestions(Number(values.limit)));
}

async function measure(models, cells, questions) {
  const commit = commitHere();
  const run = openRun("choice", { count: 1 });
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
