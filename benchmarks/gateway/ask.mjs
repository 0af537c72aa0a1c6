// The client: measures the time of requests by the clock.
import { measured } from "@toolingua/benchmark-timing/spread.mjs";
import { Pool } from "undici";

const pools = new Map();
function poolAt(origin) {
  if (!pools.has(origin)) pools.set(origin, new Pool(origin, { connections: 100 }));
  return pools.get(origin);
}

/** Asks, and reads the whole answer. */
export async function ask({ origin, path = "/v1/chat/completions", headers, body }) {
  const answer = await poolAt(origin).request({
    path,
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  let last = "";
  for await (const chunk of answer.body) last = chunk;
  // A stream that failed in the middle is not comparable.
  if (answer.statusCode !== 200 || !String(last).trimEnd().endsWith("[DONE]"))
    throw new Error(`${origin}${path}: ${answer.statusCode}`);
}

const sorted = (numbers) => numbers.toSorted((a, b) => a - b);
export const median = (numbers) => sorted(numbers)[numbers.length >> 1];
const p99 = (numbers) => sorted(numbers)[Math.floor(numbers.length * 0.99)];

async function timed(run) {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
}

/**
 * Calls each of these in turn, so that they share what else the machine does; the first fifth more warms up. By way.
 */
async function inTurn(ways, rounds, run) {
  const results = ways.map(() => []);
  for (let round = -Math.ceil(rounds / 5); round < rounds; round++)
    for (const [i, way] of ways.entries()) {
      const result = await run(way);
      if (round >= 0) results[i].push(result);
    }
  return results;
}

/** The median of a request of each way, in ms. */
export const medians = async (ways, rounds) =>
  (await inTurn(ways, rounds, (way) => timed(() => ask(way)))).map((times) => measured(times, median));

/** The 99th percentile of the time of requests with a number of parallel ones, in ms. */
export const slowest = async (ways, rounds, atOnce) =>
  (await inTurn(ways, rounds, (way) => Promise.all(Array.from({ length: atOnce }, () => timed(() => ask(way)))))).map(
    (rounds) => measured(rounds, (some) => p99(some.flat())),
  );

/** Requests per second of each way with a number of parallel ones: the median of all rounds. */
export const throughputs = async (ways, rounds, atOnce, count) =>
  (
    await inTurn(ways, rounds, async (way) => {
      let left = count;
      const worker = async () => {
        while (left-- > 0) await ask(way);
      };
      return (count * 1000) / (await timed(() => Promise.all(Array.from({ length: atOnce }, worker))));
    })
  ).map((speeds) => measured(speeds, median));
