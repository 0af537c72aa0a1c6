// The options of run.mjs, checked.
import { parseArgs } from "node:util";
import { AGAIN, againOptions } from "./again.mjs";
import { baselines, cellOf, cross, defaultCells, factors } from "./cells.mjs";
import { embeddedModels, modelsOf } from "./models.mjs";
import { categories, loadQuestions, sample } from "./questions.mjs";

export const help = `
accuracy: how often models call the right tools, in questions of the Berkeley Function Calling Leaderboard
and in conversations of several turns (multi_turn)

Without options: asks the first questions of results-required.json again, in llama.cpp's own server (needs Python 3.10), and
says how many verdicts are the same; a quarter of an hour at most.

  --model NAME,…       ${embeddedModels.join(", ")}, or the path of a GGUF file (default: both)
  --server             asks these models through llama.cpp's own server, out of a wheel on PyPI (needs Python 3.10)
  --base-url URL       asks the model of that name at an endpoint with OpenAI's chat completions, http://localhost:8080/v1;
                       its key: --api-key-env VARIABLE
  --backend NAME       what it is, so that it is given grammars: llama.cpp, vllm, sglang, ollama, openai
  --endpoints FILE     JSON: endpoints that speak OpenAI's chat completions, see the README; alone, without embedded models
  --category NAME,…    ${categories.join(", ")}
                       (default: simple_python, multiple, parallel)
  --half a|b           only half of the questions: a to choose by, b to report
  --limit N            questions of each category (default 5; 0: all); with --hours, at most so many (default: all)
  --minutes N          stops asking after so long; the same command goes on (default 14 without --limit and --hours)
  --cell NAME,…        protocol/style/constraint/retry/shots[/wording][/selection], json-schema|native/auto|required|one/shots, or a peer
                       (default: ${defaultCells.length} of ours and of peers)
  --protocol, --style, --constraint, --retry, --shots, --wording, --selection NAME,…
                       all combinations of these, in place of --cell
  --baselines          beside them, where the model has them: ${baselines.join(", ")}
  --hours N            searches all cells given by successive halving, so long (half a), and measures the best and all
                       baselines (half b)
  --shard I/N          only every Nth question from the Ith on, for several machines
  --queue URL          redis://host:6379: has the questions answered by workers, on any machines
  --worker             answers the questions of such a run (--queue, --out), until it is stopped
  --lease SECONDS      a process that is silent so long is taken for dead (default 30): a worker, or the one that asks
  --retry SECONDS      a question that failed is asked again after so long, and once more after twice as long (default 2)
  --concurrency N      questions at once, of each model (default 1)
  --threads N          threads of an embedded model (default: the machine's cores, shared among those asked at once)
  --max-tokens N       of a reply (default 256)
  --seed N             (default 1)
  --out NAME           a file in runs/ (default: default; a shard adds its number)
  --estimate           asks nothing: says how many questions and tokens it would be; with --price IN,OUT, of a million
                       tokens, what they cost
  --summary            asks nothing: sums up runs/NAME.jsonl and all runs/NAME.*.jsonl; writes results-NAME.json and the README's tables
  --errors             asks nothing: what was wrong with the same answers, by kind
`;

const text = { type: "string" };
const flag = { type: "boolean" };
const given = {
  ...{ model: text, server: flag, endpoints: text, category: text, half: text, limit: text, minutes: text, cell: text },
  ...Object.fromEntries(Object.keys(factors).map((factor) => [factor, text])),
  ...{ "base-url": text, backend: text, "api-key-env": text, estimate: flag, price: text },
  ...{
    baselines: flag,
    hours: text,
    shard: text,
    queue: text,
    worker: flag,
    lease: text,
    retry: text,
    concurrency: text,
  },
  ...{
    threads: text,
    "max-tokens": text,
    seed: text,
    out: text,
    summary: flag,
    errors: flag,
    help: { ...flag, short: "h" },
  },
};

/** What does not go together, and why. */
const clashes = [
  ["hours", "half", "a search chooses on half a and measures on half b."],
  ["hours", "shard", "each machine would keep cells of its own. Share the questions out with --queue."],
  ["hours", "minutes", "--hours says how long."],
  ["base-url", "endpoints", "--base-url is one endpoint, --endpoints lists them."],
  ["base-url", "server", "--server starts llama.cpp's own server, --base-url asks one that runs."],
  ["queue", "shard", "the queue shares the questions out by itself."],
];

/**
 * The validated options. `questions()` and `questionsBy(half, limit)` load the selected questions, the latter as a list
 * for each category; `cells()` are the cells to compare; `models` are not loaded yet; `again` names the committed results
 * whose questions are asked again: without options.
 *
 * Errors: an error that names the wrong option and the allowed values.
 */
export function readOptions(args) {
  const said = args ?? process.argv.slice(2);
  const again = said.length === 0 ? AGAIN : undefined;
  const { values } = parseArgs({ args: again ? againOptions : said, options: given });
  const { help: asked, summary, errors, worker, queue, half, out = "default" } = values;
  // What follows a dot is another file of the same run.
  if (!/^[\w-]+$/.test(out)) throw new Error(`--out ${out}: give letters, digits, - and _.`);
  if (asked || summary || errors) return { help: asked, summary, errors, out };

  const list = (option) => values[option]?.split(",");
  const checked = (option, standard, isRight, wanted) => {
    const value = Number(values[option] ?? standard);
    if (isRight(value)) return value;
    throw new Error(`--${option} ${values[option]}: give ${wanted}.`);
  };
  const whole = (option, standard, least = 1) =>
    checked(option, standard, (value) => Number.isInteger(value) && value >= least, `a whole number from ${least}`);
  const positive = (option, standard) => checked(option, standard, (value) => value > 0, "a number above 0");
  const oneOf = (option, value, allowed) => {
    if (value === undefined || allowed.includes(value)) return value;
    throw new Error(`--${option} ${value}: there are ${allowed.join(", ")}.`);
  };

  for (const [one, other, why] of clashes) {
    if (values[one] !== undefined && values[other] !== undefined) throw new Error(`--${one} with --${other}: ${why}`);
  }
  if (worker && !queue) throw new Error("--worker: say where the questions come from: --queue redis://host:6379.");
  oneOf("half", half, ["a", "b"]);
  const hours = values.hours === undefined ? undefined : positive("hours");
  const free = values.limit === undefined && hours === undefined;
  const limit = whole("limit", hours === undefined ? 5 : 0, 0) || Number.POSITIVE_INFINITY;
  const shard = shardOf(values.shard ?? "1/1");
  const categoryNames = list("category") ?? ["simple_python", "multiple", "parallel"];
  for (const category of categoryNames) oneOf("category", category, categories);

  const questionsBy = (wanted, most) =>
    categoryNames.map((category) => {
      const all = loadQuestions(category);
      return sample(wanted ? all.filter((question) => question.half === wanted) : all, Math.min(most, limit));
    });
  return {
    ...{ worker, queue, out, hours, shard, questionsBy, again },
    minutes: values.minutes === undefined && !free ? Number.POSITIVE_INFINITY : positive("minutes", 14),
    lease: positive("lease", 30),
    retry: positive("retry", 2),
    concurrency: whole("concurrency", 1),
    threads: values.threads === undefined ? undefined : whole("threads"),
    settings: { seed: whole("seed", 1, 0), maxTokens: whole("max-tokens", 256) },
    models: modelsGiven(values, list("model")),
    estimate: values.estimate,
    price: values.price === undefined ? undefined : priceOf(values.price),
    questions: () => alternating(questionsBy(half, limit)).filter((_, i) => i % shard.count === shard.index - 1),
    cells: () => cellsOf(values, list),
  };
}

const backends = ["llama.cpp", "vllm", "sglang", "ollama", "openai"];

function modelsGiven({ "base-url": baseURL, "api-key-env": apiKeyEnv, backend, endpoints, server }, names) {
  if (baseURL === undefined) return modelsOf(names ?? (endpoints ? [] : embeddedModels), endpoints, { server });
  if (!URL.canParse(baseURL)) throw new Error(`--base-url ${baseURL}: give a whole address, http://localhost:8080/v1.`);
  if (names === undefined) throw new Error("--base-url: say with --model which models the endpoint is asked for.");
  if (backend !== undefined && !backends.includes(backend))
    throw new Error(`--backend ${backend}: there are ${backends.join(", ")}.`);
  return modelsOf(
    [],
    names.map((name) => ({ name, model: name, baseURL, apiKeyEnv, backend })),
  );
}

function priceOf(text) {
  const [input, output, ...more] = text.split(",").map(Number);
  if (input >= 0 && output >= 0 && more.length === 0) return { in: input, out: output };
  throw new Error(`--price ${text}: give what a million tokens of prompts and of replies cost, such as 0.2,0.6.`);
}

function shardOf(text) {
  const [index, count] = text.split("/").map(Number);
  if (Number.isInteger(index) && Number.isInteger(count) && index >= 1 && index <= count) return { index, count };
  throw new Error(`--shard ${text}: give I/N, such as 1/4.`);
}

/** One of each list in turn, so that a run which is stopped has asked something of each. */
const alternating = (lists) =>
  Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, i) =>
    lists.flatMap((list) => list.slice(i, i + 1)),
  ).flat();

const standard = {
  protocol: ["hermes"],
  style: ["native"],
  constraint: ["off"],
  retry: ["no-retry"],
  shots: ["0"],
  wording: ["plain"],
  selection: ["all-tools"],
};

function cellsOf(values, list) {
  const crossed = Object.keys(factors).some((factor) => values[factor]);
  const chosen = crossed
    ? cross(Object.fromEntries(Object.keys(factors).map((factor) => [factor, list(factor) ?? standard[factor]])))
    : (list("cell") ?? (values.baselines ? [] : defaultCells));
  return [...new Set([...chosen, ...(values.baselines ? baselines : [])])].map(cellOf);
}
