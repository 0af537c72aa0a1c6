// node benchmarks/gateway/run.mjs [--quick] [--out FILE]: what the gateway adds to a request and to each chunk of a stream,
// over the same request to its upstream. Without --quick: writes results.json.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rounded } from "@toolingua/benchmark-timing";
import { circumstances, print } from "@toolingua/benchmark-timing/results.mjs";
import { Pool } from "undici";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false }, out: { type: "string" } } });
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const CHUNKS = 200;
const children = [];

/** Starts a process that prints its port. */
async function start(script, ...args) {
  const child = spawn(process.execPath, [here(script), ...args], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  const [port] = await once(child.stdout, "data");
  return `http://127.0.0.1:${Number(port)}`;
}

const upstream = await start("../endpoints/server.mjs");
/** Where a request goes, by how many deltas the upstream streams: each has a gateway of its own. */
const gateways = {
  1: await start("gateway.mjs", `${upstream}/1`),
  [CHUNKS]: await start("gateway.mjs", `${upstream}/${CHUNKS}`),
};
const proxies = {
  1: await start("proxy.mjs", `${upstream}/1`),
  [CHUNKS]: await start("proxy.mjs", `${upstream}/${CHUNKS}`),
};
const pools = new Map();
const poolAt = (origin) => {
  if (!pools.has(origin)) pools.set(origin, new Pool(origin, { connections: 1 }));
  return pools.get(origin);
};

const tool = (i) => ({
  type: "function",
  function: {
    name: `tool_number_${i}`,
    description: `Does the thing of number ${i}, for a path in the workspace, and says what it did.`.repeat(
      i > 6 ? 4 : 1,
    ),
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "An absolute path" },
        mode: { type: "string", enum: ["read", "write", "list"] },
        limit: { type: "integer", minimum: 1, description: "The most lines to return" },
        options: { type: "object", properties: { recursive: { type: "boolean" }, glob: { type: "string" } } },
      },
      required: ["path"],
    },
  },
});
const toolsOf = (count) => Array.from({ length: count }, (_, i) => tool(i));
const messages = [{ role: "user", content: "What is the weather in Oslo?" }];
/** What is asked: the body as text, so that the client's own work is the same for all. */
const requests = {
  "without tools": { messages },
  "with six tools": { messages, tools: toolsOf(6) },
  "with 80 tools (60 KB)": { messages, tools: toolsOf(80) },
};

async function ask(origin, path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await poolAt(origin).request({ path, method: "POST", headers, body });
  for await (const _ of answer.body);
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

/** The medians of these ways in ms, by the clock. They take turns, so that they share what else the machine does. */
async function medians(ways, rounds) {
  const times = ways.map(() => []);
  for (let round = -Math.ceil(rounds / 5); round < rounds; round++)
    for (const [i, run] of ways.entries()) {
      const begun = performance.now();
      await run();
      // The first rounds warm up.
      if (round >= 0) times[i].push(performance.now() - begun);
    }
  return times.map(median);
}

const plain = JSON.stringify({ model: "m", stream: true, messages });
const direct = (count) => () => ask(upstream, `/${count}/chat/completions`, plain);
const bodyOf = (request) => JSON.stringify({ model: "m", stream: true, ...request });
const through = (origins, count, request = { messages }) => {
  const body = bodyOf(request);
  return () => ask(origins[count], "/v1/chat/completions", body);
};

const names = Object.keys(requests);
const single = await medians(
  [direct(1), through(proxies, 1), ...names.map((name) => through(gateways, 1, requests[name]))],
  values.quick ? 5 : 1000,
);
const many = await medians(
  [direct(CHUNKS), through(proxies, CHUNKS), through(gateways, CHUNKS)],
  values.quick ? 3 : 200,
);
for (const child of children) child.stdin.end();

const against = "asking the upstream directly";
const most = { "without tools": 0.5, "with six tools": 0.8, "with 80 tools (60 KB)": 2 };
const [alone, ...others] = single;
const [aloneMany, ...othersMany] = many;
const ways = ["through a proxy that does nothing else", ...names.map((name) => `${name}, through the gateway`)];
const rows = [
  { what: `a request, ${against}`, value: rounded(alone), unit: "ms" },
  ...others.map((ms, i) => ({
    what: `a request ${ways[i]}`,
    value: rounded(ms - alone),
    unit: "ms more",
    against,
    ...(i > 0 && { most: most[names[i - 1]] }),
  })),
  ...othersMany.map((ms, i) => ({
    what: `a chunk of a stream ${i === 0 ? ways[0] : "through the gateway"}`,
    value: rounded(((ms - aloneMany) / CHUNKS) * 1000),
    unit: "µs more",
    against,
    ...(i > 0 && { most: 30 }),
    detail: `${rounded(ms)} ms, ${rounded(aloneMany)} ms for ${CHUNKS}`,
  })),
];
print(rows, () => "gateway");
const out = values.out ?? (values.quick ? undefined : here("results.json"));
if (out) writeFileSync(out, `${JSON.stringify({ ...circumstances(["gateway"]), rows }, null, 2)}\n`);
// Pools keep connections, which keep the process.
process.exit();
