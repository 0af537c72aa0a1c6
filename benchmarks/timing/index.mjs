import { measure } from "mitata";

/** How long is measured: `quick` only shows that it works. */
export const effort = (quick) => (quick ? { rounds: 1, seconds: 0.01 } : { rounds: 5, seconds: 0.25 });

/** The processor's time of this process, in ns: whatever else the machine does counts as little as can be. */
function now() {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

/** Mitata's figures of a function, in ns of the processor. */
const timesOf = (timed, seconds) => measure(benchmarkOf(timed), { now, min_cpu_time: seconds * 1e9, min_samples: 3 });

/**
 * The processor's time of one call of each function, in µs: the functions take turns, so that they share what else the machine does,
 * and of each the fastest median of the rounds counts. A function may be `{ prepare, run }`: what `prepare` makes, before
 * the clock starts, is given to `run`.
 */
export async function compare(functions, { rounds, seconds }) {
  const best = functions.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    for (const [i, timed] of functions.entries()) {
      const { p50 } = await timesOf(timed, seconds);
      best[i] = Math.min(best[i], p50 / 1000);
    }
  }
  return best;
}

/** Mitata's own way to say what is made before the clock starts. */
function benchmarkOf(timed) {
  if (typeof timed === "function") return timed;
  const { prepare, run } = timed;
  return function* prepared() {
    yield { 0: prepare, bench: (input) => run(input) };
  };
}

/** How long a function takes, in µs: the median, and what 99 of 100 calls stay below. */
export async function distribution(timed, seconds) {
  const { p50, p99 } = await timesOf(timed, seconds);
  return { p50: p50 / 1000, p99: p99 / 1000 };
}

/** The shortest of several runs, in ms of the processor: for work too long to be repeated often. */
export function shortest(run, times) {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) {
    const start = now();
    run();
    best = Math.min(best, (now() - start) / 1e6);
  }
  return best;
}

/** What is kept in the heap, in bytes, once the garbage is collected; needs `--expose-gc`. */
export function heapUsed() {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

export const rounded = (value) => Number(value.toPrecision(3));

/** A row for a time beside another's, both in µs: how many times as long ours takes. */
export const ratio = (what, own, other, against, most) => ({
  what,
  value: rounded(own / other),
  unit: "× the time",
  against,
  ...(most !== undefined && { most }),
  detail: `${time(own)}, ${time(other)}`,
});

const time = (microseconds) =>
  microseconds < 1000 ? `${rounded(microseconds)} µs` : `${rounded(microseconds / 1000)} ms`;
