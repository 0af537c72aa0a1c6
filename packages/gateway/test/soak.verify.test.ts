import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DONE, delta, event, reply } from "../../endpoints/test/support/scripted-server.js";
import { call, eventsIn, parameters, pieces } from "./support/gateway.js";

// Many requests of all kinds, to an upstream that does all that upstreams do: each is answered or cleanly ended, the counts
// add up, and nothing is left over. `TOOLINGUA_SOAK=10000` for fewer than 100,000 requests.

const COUNT = Number(process.env.TOOLINGUA_SOAK ?? 100_000);
const AT_ONCE = 150;

const random = (of: number) => Math.floor(Math.random() * of);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What the upstream does with a request. */
const upstreams: ((response: ServerResponse) => unknown)[] = [
  (response) => send(response, reply("It is sunny.")),
  (response) => send(response, reply(...pieces(`I look.\n${call({ city: "Oslo" })}`))),
  (response) => send(response, reply(...pieces(`${call({ city: "Oslo" })}${call({ city: "Rome" }, "nope")}`))),
  (response) => send(response, [delta({ reasoning_content: "Hm." }), ...reply("x".repeat(100_000))]),
  (response) => response.writeHead(400).end('{"error":{"message":"no"}}'),
  (response) => response.writeHead(429, { "retry-after": "60" }).end("{}"),
  (response) => response.writeHead(502).end("<html>Bad gateway</html>"),
  (response) => response.writeHead(200).end("garbage"),
  (response) => response.socket?.destroy(),
  async (response) => {
    await send(response, [delta("It is")], false);
    response.socket?.destroy();
  },
  (response) => send(response, [delta("It is"), event({ error: { message: "boom" } }), DONE]),
  (response) => send(response, [delta("It is")], false),
];

async function send(response: ServerResponse, parts: string[], end = true) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const part of parts) {
    response.write(part);
    if (random(4) === 0) await sleep(0);
  }
  if (end) response.end();
}

let open = 0;
const server = createServer((request, response) => {
  open += 1;
  response.once("close", () => {
    open -= 1;
  });
  request.resume().once("end", () => upstreams[random(upstreams.length)]!(response));
});
let child: ChildProcess;
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const config = {
    models: [
      {
        name: "m",
        protocol: "hermes",
        upstream: { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` },
      },
    ],
    server: {
      port: 0,
      keys: [{ name: "me", key: "sk-me" }],
      limits: { body: 50_000, idleTimeout: 0.5, keepAlive: 0.1, grace: 1 },
    },
  };
  const script = fileURLToPath(new URL("./support/gateway-process.mjs", import.meta.url));
  child = fork(script, [JSON.stringify(config)], { execArgv: ["--expose-gc"] });
  [{ url }] = (await once(child, "message")) as [{ url: string }];
});
afterAll(() => {
  child.kill("SIGKILL");
  server.close();
  server.closeAllConnections();
});

const user = { role: "user", content: "What is the weather in Oslo?" };
const apis: [path: string, body: object][] = [
  [
    "/v1/chat/completions",
    { messages: [user], tools: [{ type: "function", function: { name: "get_weather", parameters } }] },
  ],
  ["/v1/responses", { input: [user], tools: [{ type: "function", name: "get_weather", parameters }] }],
  ["/v1/messages", { messages: [user], tools: [{ name: "get_weather", input_schema: parameters }] }],
];
/** How the stream of each API ends, well or not. */
const LAST = /data: \[DONE\]|"type":"response\.(?:completed|incomplete|failed)"|"type":"(?:message_stop|error)"/;

/** One request; gives the status, 0 where the client left. */
async function ask(): Promise<number> {
  const [path, request] = apis[random(apis.length)]!;
  const stream = random(2) === 0;
  const body = JSON.stringify({ model: "m", stream, ...request });
  const kind = random(12);
  const stop = new AbortController();
  const given: RequestInit = { method: "POST", body, headers: { "x-api-key": "sk-me" }, signal: stop.signal };
  if (kind === 0) given.body = body.slice(0, random(body.length));
  if (kind === 1) given.body = JSON.stringify({ ...JSON.parse(body), padding: "x".repeat(60_000) });
  if (kind === 2) given.headers = { "x-api-key": "sk-you" };
  if (kind === 3) given.body = body.replace('"model":"m"', '"model":"n"');
  const leaves = kind === 4 || kind === 5;
  if (leaves) setTimeout(() => stop.abort(), random(60));
  try {
    const answer = await fetch(url + path, given);
    if (kind === 6) await sleep(random(100));
    if (!stream || !answer.ok) {
      const text = await answer.text();
      expect(JSON.parse(text)).toBeTypeOf("object");
      if (!answer.ok) expect(JSON.parse(text)).toHaveProperty("error");
    } else {
      const text = await answer.text();
      expect(text).toMatch(LAST);
      expect(eventsIn(text).length).toBeGreaterThan(0);
    }
    return answer.status;
  } catch (error) {
    if (leaves && stop.signal.aborted) return 0;
    throw error;
  }
}

interface State {
  /** In bytes. */
  heap: number;
  /** Sockets, timers and other handles that Node.js keeps, by kind. */
  resources: Record<string, number>;
}

async function stateOf(): Promise<State> {
  child.send("state");
  return ((await once(child, "message")) as [State])[0];
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line.startsWith(name));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

/** So many requests, some at once; how often each status came. */
async function run(count: number): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  let left = count;
  let done = 0;
  const worker = async () => {
    while (left-- > 0) {
      const status = await ask();
      statuses[status] = (statuses[status] ?? 0) + 1;
      done += 1;
      if (done % 10_000 === 0) console.log(`${done} of ${count}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await expect.poll(() => metric("toolingua_requests_running"), { timeout: 20_000 }).toBe(0);
  await expect.poll(() => open, { timeout: 20_000 }).toBe(0);
  return statuses;
}

it(
  "every request is answered or cleanly ended, the counts add up, and nothing leaks",
  async () => {
    await run(Math.min(2000, COUNT));
    const [before, counted] = [await stateOf(), await metric("toolingua_requests_total")];
    const start = performance.now();
    const statuses = await run(COUNT);
    const after = await stateOf();
    const seconds = Math.round((performance.now() - start) / 1000);
    console.log(JSON.stringify({ requests: COUNT, seconds, statuses, before, after }));
    for (const status of [200, 400, 401, 404, 413, 429, 502, 504])
      expect(statuses[status], `${status}`).toBeGreaterThan(0);
    expect(statuses[500]).toBeUndefined();
    const all = (await metric("toolingua_requests_total")) - counted;
    // Who left may have done so before the gateway heard of the request.
    expect(all).toBeGreaterThanOrEqual(COUNT - (statuses[0] ?? 0));
    expect(all).toBeLessThanOrEqual(COUNT);
    expect(await metric('toolingua_requests_total{api="chat",model="m",status="500"}')).toBe(0);
    expect(after.heap).toBeLessThan(before.heap * 1.2 + 5_000_000);
    // Connections that are kept open are as many as were used at once, to the gateway and from it.
    for (const [kind, count] of Object.entries(after.resources))
      expect(count, kind).toBeLessThanOrEqual((before.resources[kind] ?? 0) + 2 * AT_ONCE);
    child.send("close");
    expect((await once(child, "exit"))[0]).toBe(0);
  },
  60 * 60_000,
);
