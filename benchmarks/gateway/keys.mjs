// The time to refuse a key, by its error: it must not depend on how much of the key is right.

import { estimate, measured, quotient } from "@toolingua/benchmark-timing/spread.mjs";
import { createGateway } from "@toolingua/gateway";
import { median } from "./ask.mjs";

const KEY = "sk-0123456789abcdef0123456789abcdef";
const last = KEY.length - 1;
const wrong = {
  "another first character": `x${KEY.slice(1)}`,
  "another last character": `${KEY.slice(0, last)}x`,
  "nothing right": "x".repeat(KEY.length),
};

/**
 * The slowest of these wrong keys against the fastest, in process. They take turns; an additional first fifth warms up.
 */
export async function keyRows(rounds) {
  const keys = Array.from({ length: 100 }, (_, i) => ({ name: `n${i}`, key: i === 50 ? KEY : `sk-${i}-${KEY}` }));
  const gateway = createGateway({ models: [{ name: "m", model: async function* () {} }], server: { keys } });
  const requests = Object.entries(wrong).map(([what, key]) => ({ what, key, times: [] }));
  for (let round = -rounds / 5; round < rounds; round++)
    for (const { key, times } of requests) {
      const request = new Request("http://gateway/v1/models", { headers: { authorization: `Bearer ${key}` } });
      const begun = performance.now();
      const { status } = await gateway.fetch(request);
      if (round >= 0) times.push(performance.now() - begun);
      if (status !== 401) throw new Error(`a wrong key was answered with ${status}`);
    }
  await gateway.close();
  const medians = requests
    .map(({ what, times }) => ({ what, time: measured(times, median) }))
    .sort((a, b) => a.time.value - b.time.value);
  const [fastest, slowest] = [medians[0], medians.at(-1)];
  const micros = ({ what, time }) => `${what} ${(time.value * 1000).toFixed(1)} µs`;
  return [
    {
      what: "the slowest wrong key, of 100 known",
      ...estimate([slowest.time, fastest.time], quotient),
      unit: "times as long",
      against: "the fastest wrong key",
      most: 1.1,
      detail: `${micros(slowest)}, ${micros(fastest)}`,
    },
  ];
}
