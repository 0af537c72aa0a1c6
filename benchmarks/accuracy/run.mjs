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
import { search } from "./search.mjs";
import { printSummary, summarise } from "./summary.mjs";

const help = `
accuracy: how often models call the right tools, in questions of the Berkeley Function Calling Leaderboard
and in conversations of several turns (multi_turn)

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
  --hours N            searches all cells given by successive halving, so long (half a), and measures the best and all
                       baselines (half b); without --limit, --half and --shard
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
    hours: one(),
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

function positive(option) {
  const value = Number(values[option]);
  if (value > 0) return value;
  throw new Error(`--${option} ${values[option]}: give a number above 0.`);
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

/** The questions of each category that is wanted. */
function questionsBy(half, limit) {
  const wanted = list("category") ?? ["simple_python", "multiple", "parallel"];
  return wanted.map((category) => {
    const all = loadQuestions(choice("category", category, categories));
    return sample(half ? all.filter((question) => question.half === half) : all, limit);
  });
}

function questions() {
  const { index, count } = shard();
  const limit = number("limit", 0) || Number.POSITIVE_INFINITY;
  const all = questionsBy(choice("half", values.half, ["a", "b"]), limit).flat();
  return all.filter((_, i) => i % count === index - 1);
}

async function run() {
  const settings = { seed: number("seed", 0), maxTokens: number("max-tokens", 1) };
  const concurrency = number("concurrency", 1);
  const models = modelsOf(list("model") ?? (values.endpoints ? [] : embeddedModels), values.endpoints);
  const hours = values.hours === undefined ? undefined : positive("hours");
  const { index, count } = shard();
  mkdirSync(runs, { recursive: true });
  const path = join(runs, `${values.out}${count > 1 ? `.${index}-of-${count}` : ""}.jsonl`);
  // What was cut off stays on a line of its own.
  if (existsSync(path) && !readFileSync(path, "utf8").endsWith("\n")) appendFileSync(path, "\n");

  const key = ({ model, cell, id, seed, maxTokens }) => [model, cell, id, seed, maxTokens].join("\n");
  const known = new Map(records().map((record) => [key(record), record]));
  const format = "[{bar}] {value}/{total}, {eta_formatted} left  {model}  {cell}";
  const bar = new SingleBar({ format, noTTYOutput: true, notTTYSchedule: 30_000, etaBuffer: 50 }, Presets.legacy);
  bar.start(0, 0, { model: "", cell: "" });

  /** Asks what was not asked yet, until the deadline. */
  async function askAll(model, loaded, cells, questions, deadline) {
    const jobs = cells
      .filter((cell) => isPossible(cell, model))
      .flatMap((cell) => questions.filter((question) => isFor(cell, question)).map((question) => ({ cell, question })))
      .filter(({ cell, question: { id } }) => !known.has(key({ model: model.name, cell: cell.name, id, ...settings })));
    bar.setTotal(bar.getTotal() + jobs.length);
    const waiting = jobs.values();
    const work = async () => {
      for (const { cell, question } of waiting) {
        if (Date.now() > deadline) return;
        bar.update({ model: model.name, cell: cell.name });
        const { id, category, half } = question;
        const answer = await ask(question, cell, loaded, settings).catch((error) => failure(error, question));
        const record = { model: model.name, cell: cell.name, id, category, half, ...settings, ...answer };
        appendFileSync(path, `${JSON.stringify(record)}\n`);
        known.set(key(record), record);
        bar.increment();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  }

  /** So many hours of successive halving, shared among the models. */
  function searchIn(model, loaded) {
    const ours = cells().filter(({ peer, native }) => !peer && !native);
    const begun = Date.now();
    const time = (hours * 3_600_000) / models.length;
    return search({
      cells: ours.filter((cell) => isPossible(cell, model)),
      baselines: [...baselines, NATIVE].map(cellOf),
      left: () => 1 - (Date.now() - begun) / time,
      most: Math.max(...questionsBy().map(({ length }) => length)),
      async ask(cells, half, limit) {
        const asked = questionsBy(half, limit).flat();
        await askAll(model, loaded, cells, asked, begun + time);
        const right = (cell) =>
          asked.filter(({ id }) => known.get(key({ model: model.name, cell: cell.name, id, ...settings }))?.right)
            .length;
        return new Map(cells.map((cell) => [cell.name, right(cell)]));
      },
    });
  }

  try {
    for (const model of models) {
      const loaded = await model.load({ concurrency, threads: values.threads && number("threads", 1) });
      try {
        if (hours !== undefined) await searchIn(model, loaded);
        else await askAll(model, loaded, cells(), questions(), Number.POSITIVE_INFINITY);
      } finally {
        await loaded.dispose();
      }
    }
  } finally {
    bar.stop();
  }
}

/** A prompt that is too long for the model is a wrong answer; that a model cannot be reached is none at all. */
function failure(error, question) {
  if (error.code !== "context-overflow") throw error;
  return { right: false, valid: false, failed: false, calls: [], error: error.code, turns: question.turns?.length };
}

/** Whether the model can be asked that way. */
function isPossible(cell, { can }) {
  if (cell.native) return can.native;
  return cell.constraint === undefined || cell.constraint === "off" || can[cell.constraint];
}
