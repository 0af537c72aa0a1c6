// Right calls of the embedded models with the history as messages, as a PML document, or as Markdown. Every answer is
// stored in runs/accuracy.jsonl, so that a run continues where the last one stopped; the summary is
// results-accuracy.json.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { generateWithTools, ToolChoiceError } from "@toolingua/core";
import { fromMessages, pmlTranscript, toMarkdown } from "@toolingua/pml";
import { modelsOf } from "../../evals/accuracy/models.mjs";
import { loadQuestions } from "../../evals/accuracy/questions.mjs";
import { isRight } from "../../evals/accuracy/score.mjs";
import { shots } from "../../evals/accuracy/shots.mjs";
import { mcnemar, wilson } from "../../evals/accuracy/statistics.mjs";
import { table } from "../timing/markdown.mjs";

const RULES = [
  "# Conversation",
  "",
  "The user's message is the conversation so far, in Markdown: what the user and you, the assistant, said, the tool calls that you made, and their results.",
  "Answer the last turn as the assistant: only your answer.",
].join("\n");

/** Markdown as people write it: the comments are there to be read back. */
const markdownTranscript = (messages, context) => {
  const markdown = toMarkdown(fromMessages(messages).value).replaceAll(/<!--[\s\S]*?-->\n*/g, "");
  return { rules: RULES, content: context.escape(markdown).trim() };
};

/** The form of the history. */
const histories = { messages: undefined, PML: pmlTranscript(), Markdown: markdownTranscript };
const MODELS = ["gemma3-270m", "smollm2-135m"];
const PROTOCOL = "hermes";
const CATEGORIES = ["simple_python", "multiple"];
const folder = fileURLToPath(new URL("runs/", import.meta.url));
const file = `${folder}accuracy.jsonl`;

const results = fileURLToPath(new URL("results-accuracy.json", import.meta.url));

const keyOf = ({ model, history, id }) => [model, history, id].join("\t");
const answers = () =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line))
    : [];

/** One question after three turns with other tools, with a call demanded and constrained to its form. */
async function ask({ messages, tools, ...question }, model, history) {
  let tokens = 0;
  const counting = async function* (request) {
    for await (const chunk of model(request)) {
      tokens = chunk.usage?.inputTokens ?? tokens;
      yield chunk;
    }
  };
  const result = await generateWithTools({
    ...{ model: counting, messages: [...shots("3"), ...messages], tools, protocol: PROTOCOL, style: "compact" },
    ...{ toolChoice: "required", constraint: "required", maxInvalidCallRetries: 0, maxIdenticalCalls: 1 },
    ...{ temperature: 0, seed: 1, maxTokens: 256 },
    ...(histories[history] && { transcript: histories[history] }),
  })
    .result()
    .catch((error) => {
      if (error instanceof ToolChoiceError || error.code === "context-overflow") return { toolCalls: [] };
      throw error;
    });
  return { right: isRight(question, result.toolCalls), tokens };
}

/** Asks until then: question by question, so that all ways are asked the same. */
export async function askAll(minutes) {
  mkdirSync(folder, { recursive: true });
  const known = new Set(answers().map(keyOf));
  const until = Date.now() + minutes * 60_000;
  const lists = CATEGORIES.map((category) => loadQuestions(category).filter(({ half }) => half === "b"));
  const questions = lists[0].flatMap((_, i) => lists.flatMap((list) => list[i] ?? []));
  await Promise.all(
    modelsOf(MODELS).map(async (given) => {
      const { model, dispose } = await given.load({ concurrency: 1, threads: 1 });
      for (const question of questions) {
        if (Date.now() > until) break;
        for (const history of Object.keys(histories)) {
          const about = { model: given.name, history, id: question.id };
          if (known.has(keyOf(about))) continue;
          const answer = await ask(question, model, history);
          appendFileSync(file, `${JSON.stringify({ ...about, ...answer })}\n`);
        }
      }
      await dispose();
    }),
  );
}

const percent = (share) => (100 * share).toFixed(0);

/** Summarises the answers to the questions that all ways of a model were asked. */
export function summarise() {
  const all = answers();
  const rows = MODELS.flatMap((model) => {
    const by = Object.keys(histories).map(
      (history) =>
        new Map(all.filter((one) => one.model === model && one.history === history).map((one) => [one.id, one])),
    );
    const ids = [...by[0].keys()].filter((id) => by.every((answered) => answered.has(id)));
    const isRightIn = (i) => (id) => by[i].get(id).right;
    return Object.keys(histories).map((history, i) => ({
      ...{ model, history, asked: ids.length, right: ids.filter(isRightIn(i)).length },
      won: ids.filter((id) => isRightIn(i)(id) && !isRightIn(0)(id)).length,
      lost: ids.filter((id) => !isRightIn(i)(id) && isRightIn(0)(id)).length,
      tokens: Math.round(ids.reduce((sum, id) => sum + by[i].get(id).tokens, 0) / Math.max(1, ids.length)),
    }));
  });
  writeFileSync(results, `${JSON.stringify(rows, null, 2)}\n`);
}

/** The table of the summary. */
export function accuracyTable() {
  const heads = ["model", "history as", "questions", "right", "95 %", "against messages", "p", "tokens"];
  const rows = JSON.parse(readFileSync(results, "utf8")).map(({ model, history, asked, right, won, lost, tokens }) => {
    const [low, high] = wilson(right, asked);
    const isBase = history === "messages";
    return [
      ...[model, history, asked, `${right} (${percent(right / asked)} %)`, `${percent(low)}–${percent(high)} %`],
      ...(isBase ? ["", ""] : [`+${won} −${lost}`, mcnemar(won, lost).toFixed(3)]),
      tokens,
    ];
  });
  return table(heads, rows);
}
