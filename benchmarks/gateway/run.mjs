// node benchmarks/gateway/run.mjs [--quick] [--out FILE]: the overhead of the gateway per request and per chunk of a
// stream, over the same request to its upstream; its behaviour under load; and how much of a large catalogue reaches
// the model. Without --quick: also Portkey's gateway and LiteLLM's proxy, and writes results.json.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rounded } from "@toolingua/benchmark-timing";
import { circumstances, print } from "@toolingua/benchmark-timing/results.mjs";
import { estimate, quotient } from "@toolingua/benchmark-timing/spread.mjs";
import { medians, slowest, throughputs } from "./ask.mjs";
import { catalogue } from "./catalogue.mjs";
import { keyRows } from "./keys.mjs";
import { installLitellm } from "./litellm.mjs";
import { installPortkey, portkeyHeaders } from "./portkey.mjs";
import { endAll, start, startLitellm, startPortkey } from "./processes.mjs";
import { countTokens, promptTokens } from "./prompts.mjs";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false }, out: { type: "string" } } });
const rounds = (full, quick) => (values.quick ? quick : full);
const CHUNKS = 200;
const AT_ONCE = 100;
/** A stream as a model writes it, by its path: 20 deltas, one every 10 ms. */
const PACED = "20-10";
const DIRECT = "asking the upstream directly";
const PROXY = "a proxy that does nothing else";

const tools = catalogue();
const messages = [{ role: "user", content: "Find the open issues about the parser, and read the newest." }];
const bodyOf = (request) => JSON.stringify({ model: "m", stream: true, messages, ...request });

const upstream = await start("../endpoints/server.mjs");
const portkey = !values.quick && installPortkey() ? await startPortkey() : undefined;
const litellm = !values.quick && installLitellm() ? await startLitellm(upstream, [1, CHUNKS, PACED]) : undefined;
const direct = (path) => ({ origin: upstream, path: `/${path}/chat/completions`, body: bodyOf({}) });
/** Through other gateways, where they are there. */
const throughOthers = (path) => [
  ...(portkey
    ? [["Portkey's gateway", { origin: portkey, headers: portkeyHeaders(`${upstream}/${path}`), body: bodyOf({}) }]]
    : []),
  ...(litellm ? [["LiteLLM's proxy", { origin: litellm, body: bodyOf({ model: String(path) }) }]] : []),
];
/** By the upstream's kind of answer: each has its own gateway and proxy. */
const [one, many, paced] = await Promise.all(
  [1, CHUNKS, PACED].map(async (path) => ({
    gateway: await start("gateway.mjs", `${upstream}/${path}`),
    proxy: await start("proxy.mjs", `${upstream}/${path}`),
  })),
);
const through = (origin, request = {}) => ({ origin, body: bodyOf(request) });

async function requestRows() {
  const aimed = [
    ["without tools, through the gateway", through(one.gateway), 0.5],
    ["with six tools, through the gateway", through(one.gateway, { tools: tools.slice(0, 6) }), 0.8],
    ["with 16,000 tokens of tools, through the gateway", through(one.gateway, { tools }), 2],
    ["with the same, style: compact", through(one.gateway, { tools, model: "compact" }), 2],
    ["with the same, toolSelection: true", through(one.gateway, { tools, model: "selected" })],
    [`through ${PROXY}`, through(one.proxy)],
    ...throughOthers(1).map(([name, way]) => [`through ${name}, without tools`, way]),
  ];
  const [alone, ...times] = await medians([direct(1), ...aimed.map(([, way]) => way)], rounds(600, 2));
  return [
    { what: `a request, ${DIRECT}`, ...estimate([alone], (time) => time), unit: "ms" },
    ...aimed.map(([what, , most], i) => ({
      what: `a request ${what}`,
      ...estimate([times[i], alone], (own, base) => own - base),
      unit: "ms more",
      against: DIRECT,
      ...(most !== undefined && { most }),
    })),
  ];
}

async function chunkRows() {
  const ways = [["the gateway", through(many.gateway), 30], [PROXY, through(many.proxy)], ...throughOthers(CHUNKS)];
  const [alone, ...times] = await medians([direct(CHUNKS), ...ways.map(([, way]) => way)], rounds(120, 2));
  return ways.map(([what, , most], i) => ({
    what: `a chunk of a stream through ${what}`,
    ...estimate([times[i], alone], (own, base) => ((own - base) / CHUNKS) * 1000),
    unit: "µs more",
    against: DIRECT,
    ...(most !== undefined && { most }),
    detail: `${rounded(times[i].value)} ms, ${rounded(alone.value)} ms for ${CHUNKS}`,
  }));
}

async function loadRows() {
  const others = throughOthers(PACED);
  const ways = [direct(PACED), through(paced.gateway), ...others.map(([, way]) => way)];
  const [alone, ...times] = await slowest(ways, rounds(12, 1), AT_ONCE);
  const [bare, ...speeds] = await throughputs(
    [through(one.proxy), through(one.gateway), ...throughOthers(1).map(([, way]) => way)],
    rounds(7, 1),
    32,
    rounds(300, 50),
  );
  const names = ["the gateway", ...others.map(([name]) => name)];
  return [
    ...names.map((name, i) => ({
      what: `99 of ${AT_ONCE} streams at once, of 20 deltas in 200 ms, through ${name}`,
      ...estimate([times[i], alone], quotient),
      unit: "times as long",
      against: DIRECT,
      ...(i === 0 && { most: 3 }),
      detail: `${rounded(times[i].value)} ms, ${rounded(alone.value)} ms`,
    })),
    ...names.map((name, i) => ({
      what: `requests a second, 32 at once, through ${name}`,
      ...estimate([speeds[i], bare], quotient),
      unit: "of as many",
      against: PROXY,
      ...(i === 0 && { least: 0.7 }),
      detail: `${Math.round(speeds[i].value)}, ${Math.round(bare.value)} a second`,
    })),
  ];
}

async function tokenRows() {
  const sent = countTokens(JSON.stringify(tools));
  const shown = [
    ["as the model was trained", {}],
    ["style: json", { style: "json" }],
    ["style: signature", { style: "signature" }],
    ["style: compact", { style: "compact" }],
    ["toolSelection: true", { toolSelection: true }],
    ["toolSelection: true, style: compact", { toolSelection: true, style: "compact" }],
  ];
  const against = "the tools as the client sends them";
  const rows = shown.map(async ([what, options]) => {
    const tokens = await promptTokens(options, { messages, tools });
    return {
      what: `the prompt, ${what}`,
      value: rounded(tokens / sent),
      unit: "of the tokens",
      against,
      detail: `${tokens} of ${sent}`,
    };
  });
  return Promise.all(rows);
}

const groups = {
  "one request at a time": await requestRows(),
  "a stream": await chunkRows(),
  "under load": await loadRows(),
  "wrong keys": await keyRows(rounds(5000, 50)),
  [`${tools.length} tools, in tokens (o200k)`]: await tokenRows(),
};
endAll();
const rows = Object.entries(groups).flatMap(([group, list]) => list.map((row) => ({ group, ...row })));
print(rows, ({ group }) => group);
const out = values.out ?? (values.quick ? undefined : fileURLToPath(new URL("results.json", import.meta.url)));
if (out) writeFileSync(out, `${JSON.stringify({ ...circumstances(["gateway", "gateway/portkey"]), rows }, null, 2)}\n`);
// Pools keep connections, which keep the process.
process.exit();
