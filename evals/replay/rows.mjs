// Replies that were published, from files that stay where they are: a JSONL of replies, or a folder of the
// leaderboard's own result files.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { categories, loadQuestions } from "../accuracy/questions.mjs";

/**
 * The replies of a file or folder: `{ model, id, format, text, tools, question, decoded }`. `question` is the input of
 * `isRight`; `decoded`: the calls by the leaderboard's own decoder, null if it failed; undefined if the file does not
 * contain them.
 *
 * Throws an error that names the invalid line, or the folder without result files.
 */
export const loadReplies = (path) => (statSync(path).isDirectory() ? folderOf(path) : linesOf(path));

function linesOf(path) {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.flatMap((line, i) => (line.trim() === "" ? [] : [rowOf(line, `${basename(path)}, line ${i + 1}`)]));
}

const NEEDED = ["model", "id", "category", "text", "tools", "types"];

function rowOf(line, where) {
  let row;
  try {
    row = JSON.parse(line);
  } catch (error) {
    throw new Error(`${where} is no JSON (${error.message}).`);
  }
  const missing = NEEDED.filter((key) => row[key] === undefined);
  if (missing.length > 0)
    throw new Error(`${where} has no ${missing.join(", no ")}: see the README for what a row has.`);
  const { model, id, format, text, category, types, ground_truth: truth, bfcl_decoded: decoded } = row;
  const tools = row.tools.map((tool) => tool.function ?? tool);
  return {
    model,
    id,
    format,
    text,
    tools,
    decoded,
    question: { category, truth, functions: functionsOf(tools, types) },
  };
}

/** How the leaderboard declares the tools: the types of the arguments are Python's, "float" or "array<dict>". */
function functionsOf(tools, types) {
  const typed = (text) => {
    const [, type, inner] = /^(\w+)(?:<(\w+)>)?$/.exec(text) ?? [undefined, text];
    return { type, ...(inner && { items: { type: inner } }) };
  };
  return tools.map(({ name, parameters }) => {
    const properties = Object.entries(types[name] ?? {}).map(([key, type]) => [key, typed(type)]);
    return { name, parameters: { required: parameters.required ?? [], properties: Object.fromEntries(properties) } };
  });
}

const RESULT = /^BFCL_v\d+_(.+)_result\.json$/;

/**
 * `MODEL/…/BFCL_v4_CATEGORY_result.json`, as `bfcl generate` writes them; the questions come from the leaderboard's
 * wheel.
 */
function folderOf(path) {
  const files = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((file) => RESULT.test(basename(file)));
  if (files.length === 0) throw new Error(`${path} has no files BFCL_v4_CATEGORY_result.json in it.`);
  return files.sort().flatMap((file) => {
    const category = RESULT.exec(basename(file))[1];
    if (!categories.includes(category)) return []; // several turns, or judged by running: not by the reply's text alone
    const questions = new Map(loadQuestions(category).map((question) => [question.id, question]));
    const [model] = file.split(/[/\\]/);
    return readFileSync(join(path, file), "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => JSON.parse(line))
      .filter(({ id, result }) => typeof result === "string" && questions.has(id))
      .map(({ id, result }) => {
        const question = questions.get(id);
        return { model, id, text: result, tools: question.tools, question };
      });
  });
}
