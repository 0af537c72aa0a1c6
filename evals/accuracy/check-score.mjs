// node evals/accuracy/check-score.mjs: compares our verdicts with the leaderboard's own, on right calls and on
// calls with one change each. Prints the disagreements.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bfclFolder, categories, loadQuestions } from "./questions.mjs";
import { isRight } from "./score.mjs";

/** The same numbers every time. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const next = random(7);
const pick = (list) => list[next(list.length)];

/** Calls that the truth allows: one acceptable value each; what may be left out is, half of the time. */
const rightCalls = (truth) =>
  truth.map((entry) => {
    const [[name, answers]] = Object.entries(entry);
    return { name, arguments: choose(answers) };
  });

function choose(answers) {
  const chosen = Object.entries(answers).map(([key, values]) => [key, pick(values)]);
  return Object.fromEntries(chosen.filter(([, value]) => value !== "").map(([key, value]) => [key, plain(value)]));
}

/** Objects among the answers list acceptable values for each key. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.values(value).every(Array.isArray) ? choose(value) : value;
}

const changes = [
  (value) => String(value),
  (value) => (typeof value === "number" ? value + 1 : value),
  (value) => (typeof value === "number" ? value + 0.5 : value),
  (value) => (typeof value === "string" ? ` ${value.toUpperCase()}.` : value),
  (value) => (typeof value === "string" ? `${value}x` : value),
  (value) => (Array.isArray(value) ? [...value].reverse() : value),
  (value) => (Array.isArray(value) ? value.slice(1) : [value]),
  (value) => (Array.isArray(value) ? value.map(String) : value),
  () => true,
  () => null,
  () => ({}),
  () => [],
  () => "",
];

function changed(calls, functions) {
  const copy = structuredClone(calls);
  const call = pick(copy);
  const keys = Object.keys(call.arguments);
  const way = next(8);
  if (way === 0) call.name = pick(functions).name;
  else if (way === 1) copy.pop();
  else if (way === 2) copy.reverse();
  else if (way === 3) delete call.arguments[pick(keys)];
  else if (way === 4) call.arguments[pick(["extra", ...Object.keys(functions[0].parameters.properties)])] = 1;
  else if (keys.length > 0) {
    const key = pick(keys);
    call.arguments[key] = pick(changes)(call.arguments[key]);
  }
  return copy;
}

const folder = bfclFolder();
const cases = categories.flatMap((category) =>
  loadQuestions(category, folder)
    .filter(({ truth }) => truth)
    .flatMap((question) => {
      const right = rightCalls(question.truth);
      return [right, ...Array.from({ length: 8 }, () => changed(right, question.functions))].map((calls) => ({
        question,
        calls,
      }));
    }),
);
const input = cases.map(({ question: { category, functions, truth }, calls }) =>
  JSON.stringify({ category, functions, truth, calls }),
);
const script = fileURLToPath(new URL("check_score.py", import.meta.url));
const output = execFileSync("python3", [script, folder], {
  input: `${input.join("\n")}\n`,
  encoding: "utf8",
  maxBuffer: 1e8,
});
const theirs = output
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

const differ = cases.filter(({ question, calls }, i) => isRight(question, calls) !== theirs[i]);
for (const { question, calls } of differ.slice(0, 20)) {
  const ours = isRight(question, calls);
  console.log(JSON.stringify({ id: question.id, ours, calls, truth: question.truth }));
}
const right = theirs.filter(Boolean).length;
console.log(
  `${cases.length} cases, ${right} of them right: ${cases.length - differ.length} agree, ${differ.length} differ`,
);
process.exitCode = differ.length > 0 ? 1 : 0;
