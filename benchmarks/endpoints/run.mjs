// node benchmarks/endpoints/run.mjs [--quick] [--out FILE]: the overhead of an endpoint per request and per delta of a
// stream, over the same request by undici alone, whose body is read and not parsed. Without --quick: writes
// results.json.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rounded } from "@toolingua/benchmark-timing";
import { circumstances, print } from "@toolingua/benchmark-timing/results.mjs";
import { estimate, measured } from "@toolingua/benchmark-timing/spread.mjs";
import { chatEndpoint } from "@toolingua/endpoints";
import { request } from "undici";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false }, out: { type: "string" } } });
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const server = spawn(process.execPath, [here("server.mjs")], { stdio: ["pipe", "pipe", "inherit"] });
const [port] = await once(server.stdout, "data");
const address = (count) => `http://127.0.0.1:${Number(port)}/${count}`;

const messages = [{ role: "user", content: "What is the weather in Oslo?" }];
const body = JSON.stringify({ model: "m", stream: true, stream_options: { include_usage: true }, messages });

/** The ways to make the same request, each a function of the number of deltas to stream. */
const ways = {
  "undici alone": async (count) => {
    const headers = { "content-type": "application/json" };
    const answer = await request(`${address(count)}/chat/completions`, { method: "POST", headers, body });
    for await (const _ of answer.body);
  },
  "an endpoint": (count) => readAll(chatEndpoint({ baseURL: address(count), model: "m" })),
  "an endpoint over the built-in fetch": (count) =>
    readAll(chatEndpoint({ baseURL: address(count), model: "m", fetch: globalThis.fetch })),
  "the built-in fetch alone": async (count) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${address(count)}/chat/completions`, { method: "POST", headers, body });
    for await (const _ of answer.body);
  },
};

async function readAll(model) {
  for await (const _ of model({ messages }));
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

/**
 * The median of each way in ms, by the clock and by this process's CPU time; the server is another process. The ways
 * run in turn, so that other load on the machine affects them equally.
 */
async function medians(count, rounds) {
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, { clock: [], processor: [] }]));
  for (let round = -Math.ceil(rounds / 5); round < rounds; round++)
    for (const [name, run] of Object.entries(ways)) {
      const [begun, used] = [performance.now(), process.cpuUsage()];
      await run(count);
      const { user, system } = process.cpuUsage(used);
      // The first rounds warm up.
      if (round < 0) continue;
      times[name].clock.push(performance.now() - begun);
      times[name].processor.push((user + system) / 1000);
    }
  return Object.entries(times).map(([name, { clock, processor }]) => ({
    name,
    clock: measured(clock, median),
    processor: measured(processor, median),
  }));
}

const DELTAS = 500;
const single = await medians(1, values.quick ? 2 : 2000);
const many = await medians(DELTAS, values.quick ? 2 : 200);
server.stdin.end();

const against = "undici alone";
const [alone, ...others] = single;
const [aloneMany, ...othersMany] = many;
const limit = (name, most) => (name === "an endpoint" ? { most } : {});
const rows = [{ what: `a request, ${against}`, ...estimate([alone.clock], (time) => time), unit: "ms" }];
for (const { name, clock } of others)
  rows.push({
    what: `a request, ${name}`,
    ...estimate([clock, alone.clock], (own, base) => own - base),
    unit: "ms more",
    against,
    ...limit(name, 0.3),
  });
// The clock is meaningless here: the server takes longer to write a delta than the client to read it.
for (const { name, processor } of othersMany)
  rows.push({
    what: `a delta, ${name}`,
    ...estimate([processor, aloneMany.processor], (own, base) => ((own - base) / DELTAS) * 1000),
    unit: "µs of the processor more",
    against,
    ...limit(name, 10),
    detail: `${rounded(processor.value)} ms, ${rounded(aloneMany.processor.value)} ms for ${DELTAS}`,
  });
print(rows, () => "endpoints");
const out = values.out ?? (values.quick ? undefined : here("results.json"));
if (out) writeFileSync(out, `${JSON.stringify({ ...circumstances(["endpoints"]), rows }, null, 2)}\n`);
// undici and fetch keep connections, which keep the process.
process.exit();
