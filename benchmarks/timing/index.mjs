import { measure } from "mitata";
import { estimate, GROUPS, measured, quotient, rounded } from "./spread.mjs";

/** How long is measured: `quick` only shows that it works. */
export const effort = (quick) => (quick ? { rounds: 1, seconds: 0.001 } : { rounds: 20, seconds: 0.05 });

/** The processor's time of this process, in ns: whatever else the machine does counts as little as can be. */
function now() {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

/**
 * The processor's time of one call of each function, in µs, once it is warmed up: in rounds of as many calls as take
 * `seconds`, for the clock, the compiler and the collector make single calls twice as long. The functions take turns, so that
 * they share what else the machine does, and of each the fastest round counts (`value`; see `measured` for its `groups`). A
 * function may be `{ prepare, run }`: what `prepare` makes, before the clock starts, is given to `run`.
 */
export async function compare(functions, { rounds, seconds }) {
  const timed = [];
  for (const given of functions) {
    const one = typeof given === "function" ? { run: given } : given;
    timed.push({ ...one, calls: await callsIn(one, seconds), times: [] });
  }
  for (let round = 0; round < rounds; round++)
    for (const one of timed) one.times.push((await timeOf(one, one.calls)) / 1000 / one.calls);
  return timed.map(({ times }) => measured(times));
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

/** Several runs, in µs of the processor, of which the fastest counts: for work too long to be repeated often. */
export function shortest(run, times) {
  return measured(
    Array.from({ length: times }, () => {
      const start = now();
      run();
      return (now() - start) / 1000;
    }),
  );
}

/** Below some milliseconds the clock and the collector decide. */
const LEAST = 5000;

/**
 * How many times as long one piece of work takes as ten pieces of a tenth of it: `{ value, low, high, time }`, the time of
 * the one in µs. `whole` and `parts` make what runs before the clock starts, each time anew. They take turns, and what they
 * return is kept until the last is done, so that the collector has equal work for both.
 */
export function growth({ whole, parts }, rounds) {
  const [ones, tens] = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const [make, times] of [
      [parts, tens],
      [whole, ones],
    ]) {
      const work = make();
      times.push(shortest(() => work.map((one) => one()), 1).value);
    }
  }
  const [one, ten] = [measured(ones), measured(tens)];
  return { ...estimate([one, ten], (one, ten) => one / Math.max(ten, LEAST)), time: one.value };
}

/** The row of the work that grows most, of `[{ name, work }]`: found in few rounds, and measured in more. */
export function worstGrowth(what, cases, { rounds, against, most }) {
  const found = cases.map(({ name, work }) => ({ name, work, ...growth(work, rounds) }));
  const worst = found.reduce((a, b) => (b.value > a.value ? b : a));
  const slowest = found.reduce((a, b) => (b.time > a.time ? b : a));
  const { value, low, high } = rounds === 1 ? worst : growth(worst.work, 2 * GROUPS);
  const detail = `${worst.name}; slowest ${rounded(slowest.time / 1000)} ms: ${slowest.name}`;
  return { what, value, low, high, unit: "× the time", against, most, detail };
}

/** What is kept in the heap, in bytes, once the garbage is collected; needs `--expose-gc`. */
export function heapUsed() {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

export { rounded };

/** A row for a time beside another's, both in µs: how many times as long ours takes. */
export const ratio = (what, own, other, against, most) => ({
  what,
  ...estimate([own, other], quotient),
  unit: "× the time",
  against,
  ...(most !== undefined && { most }),
  detail: `${time(own.value)}, ${time(other.value)}`,
});

const time = (microseconds) =>
  microseconds < 1000 ? `${rounded(microseconds)} µs` : `${rounded(microseconds / 1000)} ms`;
