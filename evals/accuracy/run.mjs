// node evals/accuracy/run.mjs [options]: asks, stores every answer immediately, and continues where it stopped.
import { availableParallelism } from "node:os";
import { Presets, SingleBar } from "cli-progress";
import { againText, committed, verdictsAgain } from "./again.mjs";
import { askHere, each } from "./answer.mjs";
import { baselines, cellOf, isPossible, pairsOf } from "./cells.mjs";
import { printErrors } from "./errors.mjs";
import { estimate, estimateText } from "./estimate.mjs";
import { help, readOptions } from "./options.mjs";
import { publish } from "./publish.mjs";
import { askByQueue, checkRedis, work } from "./queue.mjs";
import { forgetRun, openRun, readRun } from "./records.mjs";
import { search } from "./search.mjs";
import { printSummary, summarise } from "./summary.mjs";

try {
  const options = readOptions();
  if (options.queue) await checkRedis(options.queue);
  if (options.help) console.log(help.trim());
  else if (options.worker) await serve(options);
  else if (options.estimate) printEstimate(options);
  else if (options.errors) printErrors(readRun(options.out));
  else if (options.summary) printSummary(publish(options.out));
  else {
    if (options.again) forgetRun(options.out);
    await run(options);
    const records = readRun(options.out);
    printSummary(summarise(records));
    if (options.again) console.log(`\n${againText(options.again, verdictsAgain(committed(options.again), records))}`);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/**
 * Embedded models run one per core, because a second thread hardly speeds up such small models. More threads can be
 * requested.
 */
function share({ models, threads }) {
  const cores = availableParallelism();
  const embedded = models.filter((model) => model.embedded).length;
  const atOnce = Math.min(embedded, cores);
  return { atOnce, threads: threads ?? Math.max(1, Math.floor(cores / Math.max(1, atOnce))) };
}

async function serve({ queue, out, models, concurrency, lease, ...options }) {
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stopped.abort());
  console.log(`Waiting for questions of the run "${out}" to ${models.map(({ name }) => name).join(", ")}.`);
  const { threads } = share({ models, ...options });
  await work(queue, out, models, { concurrency, threads, lease, signal: stopped.signal });
}

function printEstimate({ models, settings, price, ...options }) {
  for (const model of models) {
    const pairs = pairsOf(model, options.cells(), options.questions());
    console.log(estimateText(model.name, estimate(pairs, settings), price));
  }
}

async function run({ models, out, shard, settings, concurrency, queue, lease, retry, ...options }) {
  const { atOnce, threads } = share({ models, ...options });
  const answers = openRun(out, shard);
  const format = "[{bar}] {value}/{total}, {eta_formatted} left  {model}  {cell}";
  const bar = new SingleBar({ format, noTTYOutput: true, notTTYSchedule: 30_000, etaBuffer: 50 }, Presets.legacy);
  bar.start(0, 0, { model: "", cell: "" });
  const keep = (record) => {
    answers.add(record);
    bar.increment({ model: record.model, cell: record.cell });
  };

  /** Asks the remaining questions until a time: question by question, so that all cells are asked the same. */
  async function askAll(asker, { name: model, can }, cells, questions, until) {
    const jobs = pairsOf({ name: model, can }, cells, questions)
      .map(({ cell, question: { category, id } }) => ({ model, cell: cell.name, category, id, ...settings }))
      .filter((job) => !answers.get(job));
    bar.setTotal(bar.getTotal() + jobs.length);
    await asker.askAll(jobs, { until, keep });
  }

  /** Runs successive halving for a number of hours. */
  function searchIn(asker, model) {
    const { questionsBy } = options;
    const cells = options.cells().filter((cell) => cell.protocol !== undefined && isPossible(cell, model.can));
    const begun = Date.now();
    // Where there are more models than cores, some wait for others.
    const rounds = queue ? 1 : Math.ceil(embedded.length / atOnce) || 1;
    const time = (options.hours * 3_600_000) / rounds;
    return search({
      cells,
      baselines: baselines.map(cellOf),
      left: () => 1 - (Date.now() - begun) / time,
      most: Math.max(...questionsBy(undefined, Number.POSITIVE_INFINITY).map(({ length }) => length)),
      async ask(cells, half, limit) {
        const questions = questionsBy(half, limit).flat();
        await askAll(asker, model, cells, questions, begun + time);
        const isRight = (cell) => (job) =>
          answers.get({ model: model.name, cell: cell.name, ...job, ...settings })?.right;
        return new Map(cells.map((cell) => [cell.name, questions.filter(isRight(cell)).length]));
      },
    });
  }

  async function askModel(model) {
    const asker = queue
      ? await askByQueue(queue, out, model, { lease, retry })
      : askHere(model, { concurrency, threads });
    try {
      if (options.hours !== undefined) await searchIn(asker, model);
      else await askAll(asker, model, options.cells(), options.questions(), deadline);
    } finally {
      await asker.close();
    }
  }

  const deadline = Date.now() + options.minutes * 60_000;
  const embedded = models.filter((model) => model.embedded);
  const others = models.filter((model) => !model.embedded);
  const lanes = [
    [embedded, queue ? embedded.length : atOnce],
    [others, others.length],
  ];
  try {
    await each(lanes, 2, ([lane, atOnce]) => each(lane, atOnce, askModel));
  } finally {
    bar.stop();
  }
}
