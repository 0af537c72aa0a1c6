// Shares questions among machines, by BullMQ over Redis. There is a queue for each model of a run: the producer adds
// jobs and removes records, workers answer. A job leaves Redis only after its record was stored.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { answererOf } from "./answer.mjs";
import { hold } from "./lock.mjs";
import { keyOf } from "./records.mjs";

/** How often the producer looks for answers, in milliseconds. */
const LOOK = 500;

const queueName = (run, model) => `accuracy-${run}-${model}`.replaceAll(":", "-"); // BullMQ allows no colons
const jobId = (job) => createHash("sha256").update(keyOf(job)).digest("hex");

/** Throws an error where no Redis answers; BullMQ itself would try for ever. */
export async function checkRedis(url) {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  let problem;
  redis.on("error", (error) => {
    problem ??= error;
  });
  try {
    await redis.connect();
  } catch (error) {
    const { message, code } = problem ?? error;
    throw new Error(`--queue: no Redis answers there (${message || code}). Give its address: redis://host:6379`);
  } finally {
    redis.disconnect();
  }
}

/**
 * Has workers ask a model; the counterpart of `askHere`. Throws if another process does so for the same run, because
 * each would remove the other's answers. `lease`: a producer that is silent for this many seconds counts as dead. `retry`:
 * the seconds after which a failed question, for example while an endpoint is down, is asked again; then twice as long.
 */
export async function askByQueue(url, run, model, { lease, retry }) {
  const name = queueName(run, model.name);
  const lock = await hold(
    url,
    `${name}-producer`,
    Math.round(lease * 1000),
    (holder) => `--queue: ${holder} asks ${model.name} for the run "${run}". Wait for it, or give another --out.`,
  );
  const queue = new Queue(name, { connection: { url } });
  queue.on("error", () => {}); // it connects again
  const opts = { attempts: 3, backoff: { type: "exponential", delay: retry * 1000 } };
  const put = (jobs) =>
    queue.addBulk(jobs.map((data) => ({ name: "question", data, opts: { ...opts, jobId: jobId(data) } })));

  /** Removes finished jobs: passes the records to `keep`; returns the ids of all, and the errors of the failed ones. */
  async function collect(keep) {
    const completed = await queue.getCompleted();
    for (const job of completed) {
      keep(job.returnvalue);
      await job.remove();
    }
    const failed = await queue.getFailed();
    for (const job of failed) await job.remove();
    const ids = (jobs) => jobs.map(({ id }) => id);
    return { completed: ids(completed), failed: ids(failed), reasons: failed.map((job) => job.failedReason) };
  }

  return {
    /** Has the jobs answered, and hands each record to `keep`, until that time (in milliseconds since 1970). */
    async askAll(jobs, { until, keep }) {
      const waiting = new Map(jobs.map((job) => [jobId(job), job]));
      const reasons = [];
      // Answers for a producer that has ended are kept; its failures are retried.
      for (const id of (await collect(keep)).completed) waiting.delete(id);
      await put([...waiting.values()]);
      while (waiting.size > 0) {
        lock.check();
        const over = Date.now() >= until;
        if (over) await queue.drain(true);
        const { active, ...rest } = await queue.getJobCounts("active", "waiting", "delayed", "completed", "failed");
        const found = await collect(keep);
        for (const id of [...found.completed, ...found.failed]) waiting.delete(id);
        reasons.push(...found.reasons);
        if (over && active === 0) break;
        // Redis has forgotten them: it was started anew.
        if (active + Object.values(rest).reduce((sum, count) => sum + count, 0) === 0) await put([...waiting.values()]);
        await sleep(LOOK);
      }
      if (reasons.length === 0) return;
      throw new Error(
        `${model.name}: ${reasons.length} of ${jobs.length} questions failed, at last with: ${reasons.at(-1)}`,
      );
    },
    async close() {
      await queue.close();
      await lock.release();
    },
  };
}

/**
 * Answers the jobs of a run for these models, until the signal aborts. `lease`: a worker that is silent for this many
 * seconds counts as dead, and another one gets its job, at most three times.
 */
export async function work(url, run, models, { lease, signal, ...options }) {
  const { concurrency } = options;
  const workers = models.map((model) => {
    const answerer = answererOf(model, options);
    const time = lease * 1000;
    const settings = { concurrency, lockDuration: time, stalledInterval: time, maxStalledCount: 3 };
    const worker = new Worker(queueName(run, model.name), ({ data }) => answerer.answer(data), {
      connection: { url },
      ...settings,
    });
    worker.on("error", ({ message }) => console.error(message));
    worker.on("completed", ({ data }) => console.log(`${data.model}  ${data.cell}  ${data.id}`));
    worker.on("failed", (job, { message }) => console.error(`${job?.data.id}: ${message}`));
    // A job that was begun is brought to its end.
    return () => worker.close().then(answerer.close);
  });
  await new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", resolve);
  });
  await Promise.all(workers.map((close) => close()));
}
