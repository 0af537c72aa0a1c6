import { describe, expect, it, onTestFinished } from "vitest";
import {
  type Answer,
  DONE,
  delta,
  reply,
  scriptedServer,
  status,
  stream,
} from "../../endpoints/test/support/scripted-server.js";
import { type GatewayConfig, type GatewayModelConfig, serve } from "../src/index.js";

const hello = stream(reply("Hello"));
const path = "/v1/chat/completions";

/** A gateway before servers that give these answers, called a, b and so on. */
async function gatewayBeforeAll(
  answers: Answer[][],
  model: Partial<GatewayModelConfig> = {},
  server: GatewayConfig["server"] = {},
) {
  const servers = await Promise.all(answers.map((each) => scriptedServer(...each)));
  const upstreams = servers.map(({ baseURL }, i) => ({ name: "abc"[i]!, baseURL }));
  const gateway = await serve({ models: [{ name: "m", upstreams, ...model }], server: { port: 0, ...server } });
  onTestFinished(() => gateway.close());
  /** The status of an answer, and its text. */
  const ask = async (content = "Hi", more: object = {}) => {
    const response = await fetch(gateway.url + path, {
      method: "POST",
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content }], ...more }),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  const counts = () => servers.map(({ requests }) => requests.length);
  const metrics = async () => (await fetch(`${gateway.url}/metrics`)).text();
  return { gateway, ask, counts, metrics, servers };
}

describe("several upstreams of one model", () => {
  it("share the conversations, and each conversation stays with one of them", async () => {
    const { ask, counts } = await gatewayBeforeAll([[hello], [hello]]);
    for (let i = 0; i < 20; i++) await ask(`Question ${i}`);
    const [a, b] = counts();
    expect(Math.min(a!, b!)).toBeGreaterThan(2);
    const before = counts();
    const turns = [
      { role: "user", content: "Question 0" },
      { role: "assistant", content: "Hello" },
      { role: "user", content: "And now?" },
    ];
    for (let i = 0; i < 5; i++) await ask("", { messages: turns.slice(0, i % 2 === 0 ? 1 : 3) });
    const grown = counts().map((count, i) => count - before[i]!);
    expect(grown.toSorted()).toEqual([0, 5]);
  });

  it("are chosen by tools and system text too, because these come first in a prompt", async () => {
    const { ask, counts } = await gatewayBeforeAll([[hello], [hello]]);
    for (let i = 0; i < 20; i++) {
      const tools = [{ type: "function", function: { name: `tool_${i}`, parameters: { type: "object" } } }];
      await ask("Hi", { tools });
    }
    expect(Math.min(...counts())).toBeGreaterThan(2);
  });

  it("hand a conversation over if its upstream is much busier", async () => {
    const silent = stream([delta("a")], { end: false });
    const { gateway, counts, metrics } = await gatewayBeforeAll([[silent], [silent]]);
    const stop = new AbortController();
    const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Hi" }] });
    for (let i = 0; i < 8; i++) await fetch(gateway.url + path, { method: "POST", body, signal: stop.signal });
    // Three at the first, then one at the other as it has none, and so on up to twice as many and two more.
    expect(counts().toSorted()).toEqual([2, 6]);
    expect(await metrics()).toMatch(/toolingua_upstream_requests_running\{model="m",upstream="[ab]"\} 6/);
    stop.abort();
  });

  it.each<[string, Answer]>([
    ["an error of the server", status(500, "broken")],
    ["a server that has enough", status(429, "slow down", { "retry-after": "60" })],
    ["a key that is not known", status(401, "no key")],
    ["an answer that is none", status(200, "<html>")],
    ["a stream that breaks before its first text", stream([delta({ role: "assistant", content: "" })])],
    ["a connection that breaks", (response) => response.destroy()],
  ])("are asked one after the other: %s", async (_, broken) => {
    const { ask, counts } = await gatewayBeforeAll([[broken], [hello]]);
    for (let i = 0; i < 6; i++) expect((await ask(`Question ${i}`)).text).toContain("Hello");
    expect(counts()[1]).toBe(6);
    expect(counts()[0]).toBeGreaterThan(0);
  });

  it("are not asked after another refused the request itself, or after text was sent", async () => {
    const refused = await gatewayBeforeAll([[status(400, "bad")], [status(400, "bad")]]);
    expect((await refused.ask()).status).toBe(400);
    expect(refused.counts().toSorted()).toEqual([0, 1]);
    const half = stream([delta("Half ")]);
    const cut = await gatewayBeforeAll([[half], [half]]);
    const { status: code, text } = await cut.ask("Hi", { stream: true });
    expect([code, text.includes("Half"), text.includes('"error"')]).toEqual([200, true, true]);
    expect(cut.counts().toSorted()).toEqual([0, 1]);
  });

  it("answer with the message of the last one if all fail", async () => {
    const down = [status(503, { error: { message: "loading" } }, { "retry-after": "7" })];
    const { ask } = await gatewayBeforeAll([down, down]);
    const { status: code, text, headers } = await ask();
    expect([code, headers.get("retry-after")]).toEqual([503, "7"]);
    expect(text).toContain("loading");
  });
});

describe("a circuit breaker", () => {
  const circuitBreaker = { failures: 2, openTime: 600 };

  it("skips an upstream that fails repeatedly, which /readyz and /metrics report", async () => {
    const { gateway, ask, counts, metrics } = await gatewayBeforeAll([[status(500)], [hello]], { circuitBreaker });
    for (let i = 0; i < 20; i++) expect((await ask(`Question ${i}`)).status).toBe(200);
    expect(counts()).toEqual([2, 20]);
    const ready = await fetch(`${gateway.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: "ready", models: { m: "ready" }, upstreams: { m: { a: "open", b: "ready" } } },
    ]);
    const text = await metrics();
    expect(text).toContain('toolingua_upstream_open{model="m",upstream="a"} 1');
    expect(text).toContain('toolingua_upstream_open{model="m",upstream="b"} 0');
    expect(text).toContain('toolingua_upstream_failures_total{model="m",upstream="a"} 2');
  });

  it("counts streams that break in the middle", async () => {
    const { ask, counts } = await gatewayBeforeAll([[stream([delta("Half ")])]], { circuitBreaker });
    for (let i = 0; i < 4; i++) await ask();
    expect(counts()).toEqual([2]);
  });

  it("counts a server that is silent until the timeout, after which no other is asked", async () => {
    const silent: Answer = () => {};
    const server = { limits: { timeout: 0.05 } };
    const { ask, counts } = await gatewayBeforeAll([[silent], [silent]], { circuitBreaker }, server);
    const asked = async () => (await ask()).status;
    expect([await asked(), await asked()]).toEqual([504, 504]);
    expect(counts().toSorted()).toEqual([0, 2]);
    expect([await asked(), await asked(), await asked()]).toEqual([504, 504, 503]);
    expect(counts()).toEqual([2, 2]);
  });

  it("reports when to retry if all upstreams are skipped", async () => {
    const { ask, counts, gateway } = await gatewayBeforeAll([[status(500)], [status(500)]], { circuitBreaker });
    for (let i = 0; i < 2; i++) expect((await ask()).status).toBe(502);
    const { status: code, text, headers } = await ask();
    expect([code, headers.get("retry-after")]).toEqual([503, "600"]);
    expect(JSON.parse(text).error).toMatchObject({
      code: "no_upstream",
      message: expect.stringContaining("None of the 2 upstreams"),
    });
    expect(counts()).toEqual([2, 2]);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503);
  });

  it("readmits an upstream that answers again", async () => {
    const { ask, counts } = await gatewayBeforeAll([[status(500), status(500), hello]], {
      circuitBreaker: { failures: 2, openTime: 0.001 },
    });
    await ask();
    await ask();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await ask()).status).toBe(200);
    expect(counts()[0]).toBeGreaterThan(2);
  });

  it("does not count errors of the request, or of a busy server", async () => {
    const busy = await gatewayBeforeAll([[status(429)]], { circuitBreaker });
    for (let i = 0; i < 4; i++) expect((await busy.ask()).status).toBe(429);
    const bad = await gatewayBeforeAll([[status(400), status(400), status(400), stream([...reply("Hello"), DONE])]], {
      circuitBreaker,
    });
    for (let i = 0; i < 3; i++) expect((await bad.ask()).status).toBe(400);
    expect((await bad.ask()).status).toBe(200);
  });
});
