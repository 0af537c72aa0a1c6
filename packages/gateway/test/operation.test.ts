import { describe, expect, it } from "vitest";
import { delta, event, reply, status, stream, usage } from "../../endpoints/test/support/scripted-server.js";
import { createGateway, type GatewayConfig, GatewayConfigError, type RequestRecord } from "../src/index.js";
import { call, gatewayBefore, parameters, pieces } from "./support/gateway.js";

const chat = { model: "m", messages: [{ role: "user" as const, content: "Hi" }] };
const tools = [{ type: "function", function: { name: "get_weather", parameters } }];
const path = "/v1/chat/completions";
const hello = () => stream(reply("Hello"));
/** A model whose replies continue when the test allows it. */
function waiting() {
  let go = () => {};
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  const config: GatewayConfig = {
    models: [
      {
        name: "m",
        model: async function* () {
          yield "one ";
          await gone;
          yield "two";
        },
      },
    ],
  };
  return { go, config };
}
const post = (body: object, signal?: AbortSignal) =>
  new Request(`http://gateway${path}`, { method: "POST", body: JSON.stringify(body), ...(signal && { signal }) });

describe("rate and concurrency", () => {
  it("are limited separately per key, and reported in headers", async () => {
    const server = {
      keys: [
        { name: "a", key: "sk-a", rate: 2 },
        { name: "b", key: "sk-b" },
      ],
      limits: { rate: 1 },
    };
    const { post } = await gatewayBefore([hello()], { server });
    const ask = (key: string) => post(path, chat, { "x-api-key": key });
    const first = await ask("sk-a");
    expect(first.headers.get("x-ratelimit-limit-requests")).toBe("2");
    expect(first.headers.get("anthropic-ratelimit-requests-remaining")).toBe("1");
    expect((await ask("sk-a")).status).toBe(200);
    const third = await ask("sk-a");
    expect(third.status).toBe(429);
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await third.json()).toMatchObject({ error: { type: "rate_limit_error", code: "rate_limit_exceeded" } });
    expect((await ask("sk-b")).status).toBe(200);
    expect((await ask("sk-b")).status).toBe(429);
  });

  it("count an answer until it ends, even if its client leaves", async () => {
    const silent = stream([delta("a")], { end: false });
    const { post, openai, upstream } = await gatewayBefore([silent, hello()], {
      server: { limits: { concurrency: 1 } },
    });
    const asked = await openai.chat.completions.create({ ...chat, stream: true });
    expect((await post(path, chat)).status).toBe(429);
    asked.controller.abort();
    expect(await upstream.requests[0]!.closed).toBe("aborted");
    await expect.poll(async () => (await post(path, chat)).status, { timeout: 60_000 }).toBe(200);
  });
});

describe("health", () => {
  it("is reported; a gateway is ready if an upstream answers", async () => {
    const { url } = await gatewayBefore([hello()]);
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: "ok" });
    const up = await fetch(`${url}/readyz`);
    expect([up.status, await up.json()]).toEqual([200, { status: "ready", models: { m: "ready" } }]);
    const none = await gatewayBefore([hello()], {
      model: { upstream: { baseURL: "http://127.0.0.1:1/v1", apiKey: "sk-secret" } },
    });
    const down = await fetch(`${none.url}/readyz`);
    expect([down.status, await down.json()]).toEqual([503, { status: "unready", models: { m: "unreachable" } }]);
  });
});

describe("metrics and records", () => {
  it("count requests, tokens, calls and retries, and contain no text", async () => {
    const records: RequestRecord[] = [];
    const log = (record: RequestRecord) => void records.push(record);
    const wrong = stream(reply(call({ city: "Oslo" }, "nope")));
    const right = stream([
      ...pieces(call({ city: "Oslo" })).map((piece) => delta(piece)),
      delta({}, "stop"),
      usage(10, 5),
    ]);
    const server = { keys: [{ name: "me", key: "sk-me" }] };
    const { url, post } = await gatewayBefore([wrong, right, status(500, "broken")], { server, log });
    const headers = { "x-api-key": "sk-me", "x-request-id": "r1" };
    await (await post(path, { ...chat, tools, stream: true }, headers)).text();
    await post("/v1/messages", { ...chat, max_tokens: 5, model: "secret text" }, headers);
    await post("/v1/responses", { model: "m", input: "Hi" });
    expect(records).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-/),
        requestId: "r1",
        api: "chat",
        key: "me",
        model: "m",
        stream: true,
        status: 200,
        ms: expect.any(Number),
        firstMs: expect.any(Number),
        usage: { inputTokens: 17, outputTokens: expect.any(Number) },
        calls: 1,
        attempts: 2,
        replies: 1,
      },
      expect.objectContaining({ api: "messages", status: 404, error: expect.objectContaining({ kind: "not-found" }) }),
      expect.objectContaining({ api: "responses", status: 401 }),
    ]);
    const text = await (await fetch(`${url}/metrics`)).text();
    for (const line of [
      'toolingua_requests_total{api="chat",model="m",status="200"} 1',
      'toolingua_requests_total{api="messages",model="",status="404"} 1',
      'toolingua_requests_total{api="responses",model="",status="401"} 1',
      'toolingua_tokens_total{model="m",type="input"} 17',
      'toolingua_calls_total{model="m"} 1',
      'toolingua_reply_retries_total{model="m"} 1',
      'toolingua_first_event_seconds_count{api="chat",model="m"} 1',
      "toolingua_requests_running 0",
    ])
      expect(text).toContain(line);
    expect(text).not.toContain("secret");
  });

  it("report a failure in the middle of a stream, a client that left, and the cause in a model's code", async () => {
    const records: RequestRecord[] = [];
    const gateway = createGateway(
      {
        models: [
          {
            name: "m",
            model: async function* ({ messages, signal }) {
              const said = messages.at(-1)!.content;
              yield "one ";
              if (said === "wait") await new Promise((_, reject) => signal?.addEventListener("abort", reject));
              throw new TypeError("a bug with sk-secret");
            },
          },
        ],
      },
      { log: (record) => void records.push(record) },
    );
    const text = await (await gateway.fetch(post({ ...chat, stream: true }))).text();
    expect(text).not.toContain("sk-secret");
    expect(text).toContain("The model failed. See the gateway's log.");
    const left = await gateway.fetch(post({ ...chat, stream: true, messages: [{ role: "user", content: "wait" }] }));
    await left.body!.cancel();
    await gateway.fetch(post(chat));
    expect(records.map(({ status, error }) => [status, error?.kind])).toEqual([
      [200, "upstream"],
      [499, undefined],
      [502, "upstream"],
    ]);
    const [sentence, hint, place] = records[2]?.error?.message.split("\n") ?? [];
    expect(sentence).toBe("The upstream failed. TypeError");
    expect(hint).toContain("`telemetry: { content: true }` shows it here.");
    expect(place).toMatch(/^ +at .*operation\.test\.ts:\d+/);
    expect(JSON.stringify(records)).not.toContain("sk-secret");
    await gateway.close();
  });

  it("count the tokens and attempts of answers that ended early, and none of an upstream that never answered", async () => {
    const records: RequestRecord[] = [];
    const usages = { wait: { inputTokens: 9, outputTokens: 4 }, fail: { inputTokens: 7, outputTokens: 2 } };
    const gateway = createGateway(
      {
        models: [
          {
            name: "m",
            model: async function* ({ messages, signal }) {
              const said = messages.at(-1)!.content as "wait" | "fail" | "down";
              if (said === "down") throw new TypeError("down");
              yield "one ";
              yield { usage: usages[said] };
              yield "two ";
              if (said === "wait") await new Promise((_, reject) => signal?.addEventListener("abort", reject));
              throw new TypeError("fail");
            },
          },
        ],
      },
      { log: (record) => void records.push(record) },
    );
    const ask = (content: string) =>
      gateway.fetch(post({ ...chat, stream: true, messages: [{ role: "user", content }] }));
    const left = (await ask("wait")).body!.getReader();
    for (let text = ""; !text.includes("two"); ) text += new TextDecoder().decode((await left.read()).value);
    await left.cancel();
    await (await ask("fail")).text();
    await (await ask("down")).text();
    expect(records).toMatchObject([
      { status: 499, attempts: 1, replies: 1, usage: usages.wait },
      { status: 200, attempts: 1, replies: 1, usage: usages.fail },
      { status: 502, attempts: 1, replies: 1 },
    ]);
    expect(records[2]).not.toHaveProperty("usage");
    const text = await (await gateway.fetch(new Request("http://gateway/metrics"))).text();
    expect(text).toContain('toolingua_tokens_total{model="m",type="output"} 6');
    await gateway.close();
  });

  it("have the message of what a model's code threw, if the configuration asks for content", async () => {
    const records: RequestRecord[] = [];
    const model = () => {
      throw new TypeError("the fetch failed");
    };
    const config = { models: [{ name: "m", model }], telemetry: { content: true } };
    const gateway = createGateway(config, { log: (record) => void records.push(record) });
    for (const stream of [false, true]) {
      const answer = await gateway.fetch(post({ ...chat, stream }));
      const text = await answer.text();
      expect(text).toContain("The model failed. See the gateway's log.");
      expect(text).not.toContain("the fetch failed");
    }
    expect(records.map(({ error }) => error?.message)).toEqual(
      Array(2).fill(expect.stringMatching(/^TypeError: the fetch failed\n +at /)),
    );
    await gateway.close();
  });
});

describe("a new configuration", () => {
  it("applies to new requests; a stream ends under the old one", async () => {
    const { go, config } = waiting();
    const gateway = createGateway(config);
    const begun = await gateway.fetch(post({ ...chat, stream: true }));
    gateway.reload({
      models: [
        {
          name: "n",
          model: async function* () {
            yield "new";
          },
        },
      ],
    });
    expect((await gateway.fetch(post(chat))).status).toBe(404);
    expect((await gateway.fetch(post({ ...chat, model: "n" }))).status).toBe(200);
    go();
    expect(await begun.text()).toContain("two");
    await gateway.close();
  });

  it("that is invalid changes nothing", async () => {
    const { post, gateway } = await gatewayBefore([hello()]);
    expect(() => gateway.reload({ models: [] })).toThrow(GatewayConfigError);
    expect((await post(path, chat)).status).toBe(200);
  });
});

describe("a gateway that closes", () => {
  it("lets answers end, and refuses new requests", async () => {
    const { go, config } = waiting();
    const gateway = createGateway(config);
    const begun = await gateway.fetch(post({ ...chat, stream: true }));
    const closed = gateway.close();
    expect((await gateway.fetch(post(chat))).status).toBe(503);
    expect((await gateway.fetch(new Request("http://gateway/readyz"))).status).toBe(503);
    go();
    expect(await begun.text()).toContain("two");
    await closed;
  });

  it("ends those that take too long with an error", async () => {
    const { config } = waiting();
    const gateway = createGateway({ ...config, server: { limits: { grace: 0.01 } } });
    const begun = (await gateway.fetch(post({ ...chat, stream: true }))).text();
    await gateway.close();
    expect(await begun).toContain("shutting_down");
  });

  it("closes HTTP connections that are kept open, and a stream that is not read", async () => {
    const silent = stream([delta("a")], { end: false });
    const { post, gateway, url } = await gatewayBefore([hello(), silent], { server: { limits: { grace: 0.01 } } });
    await (await post(path, chat)).text();
    const unread = await post(path, { ...chat, stream: true });
    expect(unread.status).toBe(200);
    await gateway.close();
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });
});

it("an error that an upstream reports in the middle is in the record", async () => {
  const records: RequestRecord[] = [];
  const broken = stream([delta("It is "), event({ error: { message: "The GPU is gone." } })]);
  const { post } = await gatewayBefore([broken], { log: (record) => void records.push(record) });
  await (await post(path, { ...chat, stream: true })).text();
  expect(records).toMatchObject([{ status: 200, error: { kind: "upstream", message: "The upstream failed." } }]);
});

describe("the log and the admin page", () => {
  const broken = '{"model": "m", "messages": [secret]}';
  const said = status(400, { error: { message: "bad: secret", code: "bad_request" } });
  const text = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "secret" "x" "y" "z"}}\n</tool_call>';
  const half = stream([...pieces(text).map((one) => delta(one)), delta({}, "stop")]);

  it.each([false, true])("contain texts of requests, replies and upstreams as configured: %s", async (content) => {
    const records: RequestRecord[] = [];
    const log = (record: RequestRecord) => void records.push(record);
    const { post, url } = await gatewayBefore([said, half, half, half], { log, admin: true, telemetry: { content } });
    const secret = { role: "secret", content: "Hi" };
    const answers = [
      await post(path, broken),
      await post(path, chat),
      await post(path, { ...chat, messages: [secret] }),
      await post(path, { ...chat, tools, stream: true }),
    ];
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    for (const [i, words] of ["secret", "secret", "secret", "cannot be read"].entries())
      expect(texts[i]).toContain(words);
    expect(records.map(({ error }) => [error?.kind, error?.code, error?.param])).toEqual([
      ["invalid", "invalid_json", undefined],
      ["invalid", "bad_request", undefined],
      ["invalid", "invalid_value", "messages[0].role"],
      ["upstream", "invalid_tool_call", undefined],
    ]);
    const tell = records.map((record) => JSON.stringify(record).includes("secret"));
    expect(tell).toEqual([content, content, content, false]);
    const page = await (await fetch(url)).text();
    expect(page.includes("secret")).toBe(content);
    expect(page).toContain("invalid, invalid_value, messages[0].role: ");
  });
});
