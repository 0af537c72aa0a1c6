import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  type Answer,
  delta,
  event,
  reply,
  scriptedServer,
  status,
  stream,
} from "../../endpoints/test/support/scripted-server.js";
import { createGateway, type GatewayConfig, type GatewayOptions, serve } from "../src/index.js";
import { gatewayBefore } from "./support/gateway.js";

// What a client, a store or the end of the process does at a bad time.

const chat = { model: "m", messages: [{ role: "user", content: "Hi" }] };
const anthropic = { ...chat, max_tokens: 9 };
const models: GatewayConfig["models"] = [{ name: "m", upstream: { baseURL: "http://127.0.0.1:1/v1" } }];
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  new Request(`http://gateway${path}`, { method: "POST", headers, body: JSON.stringify(body) });

/** A gateway whose store throws this. */
function brokenStore(thrown: unknown, options: GatewayOptions = {}, server: GatewayConfig["server"] = {}) {
  const fail = async () => {
    throw thrown;
  };
  const store = { get: fail, put: fail, delete: fail };
  const gateway = createGateway({ models, server }, { store, ...options });
  onTestFinished(() => gateway.close());
  return gateway;
}

it.each([
  ["m*", "model", true],
  ["m*", "a-model", false],
  ["*l", "model", true],
  ["a*b*c", "a--b--c", true],
  ["a*b*c", "a--c--b", false],
  ["ab*ba", "aba", false],
  ["a*a", "aa", true],
  ["*", "anything", true],
])("the alias %s and the name %s", async (alias, model, isFound) => {
  const gateway = createGateway({ models: [{ ...models[0]!, aliases: [alias] }] });
  onTestFinished(() => gateway.close());
  const { status } = await gateway.fetch(new Request(`http://gateway/v1/models/${model}`));
  expect(status).toBe(isFound ? 200 : 404);
});

it("a name that no model can have is refused at once, even for an alias with many parts", async () => {
  const gateway = createGateway({ models: [{ ...models[0]!, aliases: ["*a*b*c*d*e"] }] });
  onTestFinished(() => gateway.close());
  const long = await gateway.fetch(post("/v1/chat/completions", { ...chat, model: "abcd".repeat(2000) }));
  expect(long.status).toBe(400);
  expect(await long.text()).toContain("at most 256 characters");
  const listed = await gateway.fetch(new Request(`http://gateway/v1/models/${"abcd".repeat(2000)}`));
  expect(listed.status).toBe(404);
});

it("a store that throws a non-error fails the request, and frees the slot of its key", async () => {
  const log = vi.fn();
  const gateway = brokenStore("down", { log }, { limits: { concurrency: 1 } });
  const stored = { model: "m", input: "Hi", previous_response_id: "resp_1" };
  for (const _ of [1, 2]) expect((await gateway.fetch(post("/v1/responses", stored))).status).toBe(500);
  expect(log).toHaveBeenCalledTimes(2);
  expect(await (await gateway.fetch(new Request("http://gateway/metrics"))).text()).toContain(
    "toolingua_requests_running 0",
  );
});

it("a gateway error is in the log, which is printed to the console by default", async () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => error.mockRestore());
  const gateway = brokenStore(new TypeError("secret words"), {});
  expect((await gateway.fetch(new Request("http://gateway/v1/responses/resp_1"))).status).toBe(500);
  expect(error.mock.calls.flat().join()).toMatch(/request req_\w+ failed: .*TypeError/);
  expect(error.mock.calls.flat().join()).not.toContain("secret");
  const log = vi.fn();
  await brokenStore(new TypeError("secret words"), { log }).fetch(new Request("http://gateway/v1/responses/resp_1"));
  expect(log.mock.calls).toMatchObject([[{ path: "GET /v1/responses/*", error: { kind: "internal" } }]]);
  expect(error).toHaveBeenCalledTimes(1);
});

it.each([
  [429, 429, "rate_limit_error"],
  [503, 503, "server_error"],
  [400, 400, "invalid_request_error"],
  [500, 502, "server_error"],
  ["odd", 502, "server_error"],
])(
  "an upstream's error with status 200 and the code %j has the status %d, before a stream too",
  async (code, is, type) => {
    const failing = { error: { message: "Slow down.", code } };
    const { post: ask } = await gatewayBefore([
      status(200, failing),
      stream([event(failing)]),
      stream([event(failing)]),
    ]);
    for (const isStreamed of [false, false, true]) {
      const answer = await ask("/v1/chat/completions", { ...chat, model: "m", stream: isStreamed });
      expect([answer.status, await answer.json()]).toMatchObject([is, { error: { message: "Slow down.", type } }]);
    }
  },
);

it("a compressed body is refused as such", async () => {
  const { url } = await gatewayBefore([]);
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  const body = gzipSync(JSON.stringify(chat));
  const answer = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body });
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { error: { code: "unsupported_encoding", message: expect.stringMatching(/compressed \(gzip\)/) } },
  ]);
});

it.each(["latin1", "utf16le"] as const)("a body in another encoding than UTF-8 is refused: %s", async (encoding) => {
  const { url, upstream } = await gatewayBefore([stream(reply("Hi"))]);
  const text = JSON.stringify({ ...chat, messages: [{ role: "user", content: "Grüße" }] });
  const ask = async (body: Buffer) => await fetch(`${url}/v1/chat/completions`, { method: "POST", body });
  const answer = await ask(Buffer.from(encoding === "latin1" ? text : `\ufeff${text}`, encoding));
  const error = { code: "unsupported_encoding", message: "The body is not UTF-8, the encoding of JSON." };
  expect([answer.status, await answer.json()]).toMatchObject([400, { error }]);
  expect((await ask(Buffer.from(`\ufeff${text}`))).status).toBe(200);
  expect(upstream.requests[0]?.body.messages).toMatchObject([{ content: "Grüße" }]);
});

it.each(["", "Identity"])("a body that is not compressed is read: content-encoding %j", async (encoding) => {
  const { post: ask } = await gatewayBefore([stream(reply("Hello"))]);
  const answer = await ask("/v1/chat/completions", { ...chat, model: "m" }, { "content-encoding": encoding });
  expect(answer.status).toBe(200);
});

it("tokens are counted within the limits of requests", async () => {
  const gateway = createGateway({ models, server: { limits: { rate: 1 } } });
  onTestFinished(() => gateway.close());
  const statuses = [];
  for (const _ of [1, 2]) statuses.push((await gateway.fetch(post("/v1/messages/count_tokens", anthropic))).status);
  expect(statuses).toEqual([200, 429]);
});

it("errors have the format of the API, and of its clients elsewhere", async () => {
  const gateway = createGateway({ models });
  onTestFinished(() => gateway.close());
  const errorOf = async (request: Request) => (await (await gateway.fetch(request)).json()) as { type?: string };
  const unknown = { ...anthropic, model: "x" };
  for (const path of ["/v1/messages", "/v1/v1/messages", "/v1/messages/count_tokens"])
    expect(await errorOf(post(path, unknown))).toMatchObject({ type: "error" });
  const headers = { "anthropic-version": "2023-06-01" };
  expect(await errorOf(new Request("http://gateway/v1/models/x", { headers }))).toMatchObject({ type: "error" });
  expect(await errorOf(new Request("http://gateway/v1/models/messages"))).not.toHaveProperty("type");
});

it("close() waits for a request whose body is still being read", async () => {
  const upstream = await scriptedServer(stream(reply("Hello")));
  const gateway = await serve({
    models: [{ name: "m", upstream: { baseURL: upstream.baseURL } }],
    server: { port: 0 },
  });
  const body = JSON.stringify(chat);
  const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
  await once(socket, "connect");
  const answer = text(socket);
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${body.length}`;
  socket.write(`${head}\r\n\r\n${body.slice(0, 10)}`);
  const running = async () => (await (await fetch(`${gateway.url}/metrics`)).text()).includes("requests_running 1");
  await expect.poll(running).toBe(true);
  let isClosed = false;
  const closed = gateway.close().then(() => {
    isClosed = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isClosed).toBe(false);
  socket.write(body.slice(10));
  expect(await answer).toContain("Hello");
  await closed;
});

it("a reload that changes a rate keeps the state of the upstreams", async () => {
  const upstream = await scriptedServer(status(500, {}));
  const config = (rate: number): GatewayConfig => ({
    models: [{ name: "m", upstreams: [{ name: "one", baseURL: upstream.baseURL }] }],
    server: { limits: { rate } },
  });
  const gateway = createGateway(config(10));
  onTestFinished(() => gateway.close());
  await gateway.fetch(post("/v1/chat/completions", chat));
  gateway.reload(config(20));
  const metrics = await (await gateway.fetch(new Request("http://gateway/metrics"))).text();
  expect(metrics).toMatch(/upstream_failures_total\{.*one.*\} 1/);
});

it("a client that does not read its stream loses its slot, and the upstream's work ends", {
  timeout: 40_000,
}, async () => {
  const endless: Answer = async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const words = delta("word ".repeat(200));
    // As fast as it is read: the size of socket buffers depends on the machine.
    while (!response.destroyed) {
      if (!response.write(words)) await new Promise((go) => response.once("drain", go).once("close", go));
    }
  };
  const upstream = await scriptedServer(endless, stream(reply("Hello")));
  const gateway = await serve({
    models: [{ name: "m", upstream: { baseURL: upstream.baseURL } }],
    server: { port: 0, limits: { concurrency: 1, unread: 0.3 } },
  });
  onTestFinished(() => gateway.close());
  const { hostname, port } = new URL(gateway.url);
  const body = JSON.stringify({ ...chat, stream: true });
  const silent = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void silent.destroy());
  silent.pause();
  silent.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  const ask = () => fetch(`${gateway.url}/v1/chat/completions`, { method: "POST", body: JSON.stringify(chat) });
  await vi.waitFor(async () => expect((await ask()).status).toBe(429), { timeout: 5000 });
  await vi.waitFor(async () => expect((await ask()).status).toBe(200), { timeout: 30_000, interval: 100 });
  expect(await upstream.requests[0]!.closed).toBe("aborted");
});

it("a `log` function that throws fails no request", async () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => error.mockRestore());
  const upstream = await scriptedServer(stream(reply("Hello")));
  const log = () => {
    throw new Error("disk full");
  };
  const gateway = createGateway({ models: [{ name: "m", upstream: { baseURL: upstream.baseURL } }] }, { log });
  onTestFinished(() => gateway.close());
  expect((await gateway.fetch(post("/v1/chat/completions", chat))).status).toBe(200);
  expect(error).toHaveBeenCalledWith("toolingua: `log` failed:", expect.objectContaining({ message: "disk full" }));
});
