import { measure } from "mitata";

/** How long is measured: `quick` only shows that it works. */
export const effort = (quick) => (quick ? { rounds: 1, seconds: 0.001 } : { rounds: 20, seconds: 0.05 });

/** The processor's time of this process, in ns: whatever else the machine does counts as little as can be. */
function now() {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

/**
 * The processor's time of one call of each function, in µs, once it is warmed up: in rounds of as many calls as take
 * `seconds`, for the clock, the compiler and the collector make single calls twice as long. The functions take turns, so that they share
 * what else the machine does, and of each the fastest round counts. A function may be `{ prepare, run }`: what `prepare`
 * makes, before the clock starts, is given to `run`.
 */
export async function compare(functions, { rounds, seconds }) {
  const timed = [];
  for (const given of functions) {
    const one = typeof given === "function" ? { run: given } : given;
    timed.push({ ...one, calls: await callsIn(one, seconds), best: Number.POSITIVE_INFINITY });
  }
  for (let round = 0; round < rounds; round++)
    for (const one of timed) one.best = Math.min(one.best, await timeOf(one, one.calls));
  return timed.map(({ best, calls }) => best / 1000 / calls);
}

/** How often in a row so many calls must take long: what is compiled on the way makes the first ones do so. */
const CONFIRMED = 3;

/** As many calls as take so long, once what they run is compiled. */
async function callsIn(one, seconds) {
  let calls = 1;
  for (let confirmed = 0; confirmed < CONFIRMED; ) {
    if ((await timeOf(one, calls)) >= seconds * 1e9) confirmed++;
    else [calls, confirmed] = [calls * 2, 0];
  }
  return calls;
}

/** So many calls, one after the other, in ns of the processor. */
async function timeOf({ prepare, run }, calls) {
  const inputs = Array.from({ length: calls }, () => prepare?.());
  const start = now();
  for (const input of inputs) {
    const made = run(input);
    if (made instanceof Promise) await made;
  }
  return now() - start;
}

/** Mitata's own way to say what is made before the clock starts. */
function benchmarkOf(timed) {
  if (typeof timed === "function") return timed;
  const { prepare, run } = timed;
  return function* prepared() {
    yield { 0: prepare, bench: (input) => run(input) };
  };
}

/** How long single calls of a function take, in µs of the processor: the median, and what 99 of 100 stay below. */
export async function distribution(timed, seconds) {
  const { p50, p99 } = await measure(benchmarkOf(timed), { now, min_cpu_time: seconds * 1e9, min_samples: 3 });
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
