// node benchmarks/accuracy/run.mjs [options]: asks, keeps every answer in a file at once, and goes on where it stopped.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Presets, SingleBar } from "cli-progress";
import { ask } from "./ask.mjs";
import { baselines, cellOf, cross, defaultCells, factors, isFor, NATIVE } from "./cells.mjs";
import { embeddedModels, modelsOf } from "./models.mjs";
import { categories, loadQuestions, sample } from "./questions.mjs";
import { printSummary, summarise } from "./summary.mjs";

const help = `
accuracy: how often models call the right tools, in questions of the Berkeley Function Calling Leaderboard

  --model NAME,…       ${embeddedModels.join(", ")}, or the path of a GGUF file (default: both)
  --endpoints FILE     JSON: endpoints that speak OpenAI's chat completions, see the README; alone, without embedded models
  --category NAME,…    ${categories.join(", ")}
                       (default: simple_python, multiple, parallel)
  --half a|b           only half of the questions: a to choose by, b to report
  --limit N            questions of each category (default 5; 0: all)
  --cell NAME,…        protocol/style/constraint/repair/shots, or a baseline (default: ${defaultCells.length} of both)
  --protocol, --style, --constraint, --repair, --shots NAME,…
                       all combinations of these, in place of --cell
  --baselines          beside them: ${baselines.join(", ")}; and the endpoints' own tools
  --shard I/N          only every Nth question from the Ith on, for several machines
  --concurrency N      questions at once (default 1)
  --threads N          threads of an embedded model (default: what suits the machine)
  --max-tokens N       of a reply (default 256)
  --seed N             (default 1)
  --out NAME           a file in runs/ (default: default; a shard adds its number)
  --summary            asks nothing: sums up the files runs/NAME*.jsonl and writes results-NAME.json
`;

const many = { type: "string" };
const one = (value) => ({ type: "string", ...(value !== undefined && { default: value }) });
const { values } = parseArgs({
  options: {
    model: many,
    endpoints: one(),
    category: many,
    half: one(),
    limit: one("5"),
    cell: many,
    ...Object.fromEntries(Object.keys(factors).map((factor) => [factor, many])),
    baselines: { type: "boolean" },
    shard: one("1/1"),
    concurrency: one("1"),
    threads: one(),
    "max-tokens": one("256"),
    seed: one("1"),
    out: one("default"),
    summary: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  },
});
/** The values of an option that takes several, with commas between them. */
const list = (option) => values[option]?.split(",");
const runs = fileURLToPath(new URL("runs/", import.meta.url));

if (values.help) console.log(help.trim());
else {
  try {
    if (!values.summary) await run();
    printSummary(summarise(records(), values.summary ? values.out : undefined));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** All records of this name, those of other shards too. */
function records() {
  const mine = (file) => file.endsWith(".jsonl") && file.replace(/(\.\d+-of-\d+)?\.jsonl$/, "") === values.out;
  const files = existsSync(runs) ? readdirSync(runs).filter(mine) : [];
  return files.flatMap((file) => readRecords(join(runs, file)));
}

/** A line that was cut off when the run was stopped is left out: its question is asked again. */
function readRecords(path) {
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

function number(option, least) {
  const value = Number(values[option]);
  if (Number.isInteger(value) && value >= least) return value;
  throw new Error(`--${option} ${values[option]}: give a whole number from ${least}.`);
}

function choice(option, value, allowed) {
  if (value === undefined || allowed.includes(value)) return value;
  throw new Error(`--${option} ${value}: there are ${allowed.join(", ")}.`);
}

function shard() {
  const [index, count] = values.shard.split("/").map(Number);
  if (Number.isInteger(index) && Number.isInteger(count) && index >= 1 && index <= count) return { index, count };
  throw new Error(`--shard ${values.shard}: give I/N, such as 1/4.`);
}

function cells() {
  const crossed = Object.keys(factors).some((factor) => values[factor]);
  const defaults = {
    protocol: ["hermes"],
    style: ["native"],
    constraint: ["off"],
    repair: ["no-repair"],
    shots: ["0"],
  };
  const chosen = crossed
    ? cross(Object.fromEntries(Object.keys(factors).map((factor) => [factor, list(factor) ?? defaults[factor]])))
    : (list("cell") ?? (values.baselines ? [] : defaultCells));
  return [...new Set([...chosen, ...(values.baselines ? [...baselines, NATIVE] : [])])].map(cellOf);
}

function questions() {
  const wanted = list("category") ?? ["simple_python", "multiple", "parallel"];
  const half = choice("half", values.half, ["a", "b"]);
  const limit = number("limit", 0) || Number.POSITIVE_INFINITY;
  return wanted.flatMap((category) => {
    const all = loadQuestions(choice("category", category, categories));
    return sample(half ? all.filter((question) => question.half === half) : all, limit);
  });
}

async function run() {
  const { index, count } = shard();
  const concurrency = number("concurrency", 1);
  const settings = { seed: number("seed", 0), maxTokens: number("max-tokens", 1) };
  const models = modelsOf(list("model") ?? (values.endpoints ? [] : embeddedModels), values.endpoints);
  const asked = questions().filter((_, i) => i % count === index - 1);
  const key = ({ model, cell, id, seed, maxTokens }) => [model, cell, id, seed, maxTokens].join("\n");
  const done = new Set(records().map(key));
  const plans = models.map((model) => ({
    model,
    jobs: cells()
      .filter((cell) => isPossible(cell, model))
      .flatMap((cell) => asked.filter((question) => isFor(cell, question)).map((question) => ({ cell, question })))
      .filter(
        ({ cell, question }) => !done.has(key({ model: model.name, cell: cell.name, id: question.id, ...settings })),
      ),
  }));

  mkdirSync(runs, { recursive: true });
  const path = join(runs, `${values.out}${count > 1 ? `.${index}-of-${count}` : ""}.jsonl`);
  // What was cut off stays on a line of its own.
  if (existsSync(path) && !readFileSync(path, "utf8").endsWith("\n")) appendFileSync(path, "\n");
  const format = "[{bar}] {value}/{total}, {eta_formatted} left  {model}  {cell}";
  const bar = new SingleBar({ format, noTTYOutput: true, notTTYSchedule: 30_000, etaBuffer: 50 }, Presets.legacy);
  bar.start(
    plans.reduce((sum, { jobs }) => sum + jobs.length, 0),
    0,
    { model: "", cell: "" },
  );
  try {
    for (const { model, jobs } of plans) {
      if (jobs.length === 0) continue;
      const loaded = await model.load({ concurrency, threads: values.threads && number("threads", 1) });
      const waiting = jobs.values();
      const work = async () => {
        for (const { cell, question } of waiting) {
          bar.update({ model: model.name, cell: cell.name });
          const { id, category, half } = question;
          const answer = await ask(question, cell, loaded, settings).catch(failure);
          const record = { model: model.name, cell: cell.name, id, category, half, ...settings, ...answer };
          appendFileSync(path, `${JSON.stringify(record)}\n`);
          bar.increment();
        }
      };
      try {
        await Promise.all(Array.from({ length: concurrency }, work));
      } finally {
        await loaded.dispose();
      }
    }
  } finally {
    bar.stop();
  }
}

/** A prompt that is too long for the model is a wrong answer; that a model cannot be reached is none at all. */
function failure(error) {
  if (error.code !== "context-overflow") throw error;
  return { right: false, valid: false, failed: false, calls: [], error: error.code };
}

/** Whether the model can be asked that way. */
function isPossible(cell, { can }) {
  if (cell.native) return can.native;
  return cell.constraint === undefined || cell.constraint === "off" || can[cell.constraint];
}
