// The questions: those of the Berkeley Function Calling Leaderboard (Apache-2.0), single turn, Python, from its wheel
// on PyPI; and scenarios of our own, of several turns.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MULTI_TURN, scenarios } from "./multi-turn/scenarios.mjs";
import { wheelFolder } from "./wheel.mjs";

export const WHEEL = "bfcl-eval==2026.3.23";

/** `simple_python`, each question with the tools of so many questions. */
const AMONG = /^among_(\d+)$/;

export const categories = [
  ...["simple_python", "multiple", "parallel", "parallel_multiple", "irrelevance"],
  ...["live_simple", "live_multiple", "live_parallel", "live_parallel_multiple", "live_irrelevance", "live_relevance"],
  ...["among_50", "among_200"],
  MULTI_TURN,
];

/** The folder with the wheel's files. */
export const bfclFolder = () => wheelFolder(WHEEL);

const jsonLines = (path) =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/**
 * The questions of a category: `{ id, category, half, messages, tools, functions, truth }`. `functions` is how the
 * leaderboard declares the tools, which scoring goes by; `truth` is missing where only whether there is a call counts.
 * For those of several turns see multi-turn/scenarios.mjs.
 */
export function loadQuestions(category, folder) {
  const among = AMONG.exec(category);
  if (among) return amongTools(category, Number(among[1]), folder);
  if (category === MULTI_TURN) return scenarios.map((scenario) => ({ ...scenario, half: halfOf(scenario.id) }));
  return leaderboard(category, folder ?? bfclFolder());
}

/** The questions of `simple_python` in groups: a tool of another question may do nearly the same. */
function amongTools(category, size, folder) {
  const questions = leaderboard("simple_python", folder ?? bfclFolder()).map((question) => ({
    ...question,
    ...{ id: `${category}_${question.id}`, category },
  }));
  return inGroups(questions, size);
}

/**
 * Questions in groups of `size`, each with the tools of its whole group. Neighbours in the list and in any sample are of one
 * group, so that a server can keep their prompt.
 */
export function inGroups(questions, size) {
  const mixed = sample(questions, questions.length);
  return mixed.map((question, i) => {
    const group = mixed.slice(i - (i % size), i - (i % size) + size);
    return {
      ...question,
      tools: [...new Map(group.flatMap(({ tools }) => tools.map((tool) => [tool.name, tool]))).values()],
    };
  });
}

function leaderboard(category, folder) {
  const data = join(folder, "bfcl_eval", "data");
  const file = `BFCL_v4_${category}.json`;
  const answers = join(data, "possible_answer", file);
  const truths = new Map(
    existsSync(answers) ? jsonLines(answers).map(({ id, ground_truth }) => [id, ground_truth]) : [],
  );
  return jsonLines(join(data, file)).map(({ id, question, function: functions }) => ({
    id,
    category,
    half: halfOf(id),
    messages: question[0],
    tools: functions.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: toJsonSchema(parameters),
    })),
    functions,
    truth: truths.get(id),
  }));
}

/** Half a is for choosing, half b for reporting. By a hash, so that it stays the same whatever is asked. */
export const halfOf = (id) => (createHash("sha256").update(id).digest()[0] % 2 === 0 ? "a" : "b");

/** A number of the questions, always the same ones, spread over the category. */
export function sample(questions, limit) {
  const order = (id) => createHash("sha256").update(`order ${id}`).digest("hex");
  const mixed = questions.map((question) => [order(question.id), question]).sort(([a], [b]) => (a < b ? -1 : 1));
  return mixed.slice(0, limit).map(([, question]) => question);
}

const TYPES = { dict: "object", float: "number", tuple: "array", any: undefined };

/** The leaderboard's schemas name types as Python does. */
export function toJsonSchema(schema) {
  const { type, properties, items, ...rest } = schema;
  const named = Object.hasOwn(TYPES, type) ? TYPES[type] : type;
  const inner = Object.entries(properties ?? {}).map(([key, value]) => [key, toJsonSchema(value)]);
  return {
    ...(named !== undefined && { type: named }),
    ...(properties && { properties: Object.fromEntries(inner) }),
    ...(items && { items: toJsonSchema(items) }),
    ...rest,
  };
}
