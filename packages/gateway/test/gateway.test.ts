import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeTinyModel } from "@toolingua/llama-cpp";
import { describe, expect, it, onTestFinished } from "vitest";
import { reply, stream } from "../../endpoints/test/support/scripted-server.js";
import { createGateway } from "../src/index.js";
import { gatewayBefore } from "./support/gateway.js";

const chat = { model: "m", messages: [{ role: "user", content: "Hi" }] };
const path = "/v1/chat/completions";
const hello = () => stream(reply("Hello"));
const errorOf = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as { error: { code: string; message: string } }).error,
});

describe("keys", () => {
  const hash = createHash("sha256").update("sk-two").digest("hex");
  const server = {
    keys: [
      { name: "one", key: "sk-one" },
      { name: "two", hash },
    ],
  };

  it("accept a known one, in either header", async () => {
    const { post, openai } = await gatewayBefore([hello()], { server, key: "sk-two" });
    expect((await post(path, chat, { authorization: "Bearer sk-one" })).status).toBe(200);
    expect((await post(path, chat, { "x-api-key": "sk-two" })).status).toBe(200);
    expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(["m"]);
  });

  it("refuse a missing or unknown one, without asking the upstream", async () => {
    const { post, upstream, url } = await gatewayBefore([hello()], { server });
    for (const headers of [
      {},
      { authorization: "Bearer sk-on" },
      { "x-api-key": "sk-one2" },
      { authorization: "sk-one" },
    ])
      expect(await errorOf(await post(path, chat, headers))).toMatchObject({ status: 401, code: "invalid_api_key" });
    expect((await fetch(`${url}/v1/models`)).status).toBe(401);
    expect(upstream.requests).toHaveLength(0);
  });
});

it("an empty key is a missing one, also where the hash of an empty text is configured", async () => {
  const hash = createHash("sha256").update("").digest("hex");
  const { post, upstream } = await gatewayBefore([hello()], { server: { keys: [{ name: "none", hash }] } });
  for (const headers of [{ "x-api-key": "" }, { authorization: "Bearer " }]) {
    const { status, message } = await errorOf(await post(path, chat, headers));
    expect([status, message]).toEqual([401, expect.stringContaining("The key is missing")]);
  }
  expect(upstream.requests).toHaveLength(0);
});

describe("every path requires a key of this gateway", () => {
  const text = [{ role: "user", content: "Hi" }];
  const bodies: Record<string, object> = {
    "/v1/chat/completions": { messages: text },
    "/v1/responses": { input: text },
    "/v1/messages": { max_tokens: 5, messages: text },
    "/v1/v1/messages?beta=true": { max_tokens: 5, messages: text },
    "/v1/messages/count_tokens": { messages: text },
    "/v1/v1/messages/count_tokens": { messages: text },
    "/v1/v1/chat/completions": { messages: text },
  };

  it.each(Object.entries(bodies))("%s", async (path, body) => {
    const mine = await gatewayBefore([hello()], { server: { keys: [{ name: "me", key: "sk-me" }] } });
    const other = await gatewayBefore([hello()], { server: { keys: [{ name: "you", key: "sk-you" }] } });
    for (const stream of [true, false]) {
      const ask = ({ post }: typeof mine, key?: string) =>
        post(path, { model: "m", stream, ...body }, key === undefined ? {} : { "x-api-key": key });
      expect((await ask(other, "sk-you")).status).toBe(200);
      for (const key of [undefined, "", "sk-m", "sk-me ".repeat(9), "sk-you"]) {
        const refused = await ask(mine, key);
        expect(refused.status, String(key)).toBe(401);
        expect(await refused.json()).toMatchObject({ error: { type: "authentication_error" } });
      }
      expect((await ask(mine, "sk-me")).status).toBe(200);
    }
    // Only those with the right key were asked for.
    expect(mine.upstream.requests.length).toBeLessThanOrEqual(2);
  });
});

describe("limits", () => {
  it("refuse a body that is too large, with or without Content-Length", async () => {
    const { post, url } = await gatewayBefore([hello()], { server: { limits: { body: 1000 } } });
    const large = JSON.stringify({ ...chat, user: "x".repeat(2000) });
    expect(await errorOf(await post(path, large))).toMatchObject({ status: 413, code: "request_too_large" });
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(large));
        controller.close();
      },
    });
    const chunked = await fetch(url + path, { method: "POST", body, duplex: "half" } as RequestInit);
    expect(chunked.status).toBe(413);
    expect((await post(path, chat)).status).toBe(200);
  });

  it("refuse too many messages, tools, choices and stop sequences", async () => {
    const limits = { messages: 2, tools: 1, choices: 2, stops: 1 };
    const { post } = await gatewayBefore([hello()], { server: { limits } });
    const tools = ["a", "b"].map((name) => ({ type: "function", function: { name } }));
    const messages = [1, 2, 3].map(() => chat.messages[0]);
    for (const more of [{ messages }, { tools }, { n: 3 }, { stop: ["a", "b"] }])
      expect(await errorOf(await post(path, { ...chat, ...more }))).toMatchObject({
        status: 400,
        code: "limit_exceeded",
        param: Object.keys(more)[0],
      });
    const answer = await post("/v1/messages", { ...chat, stop_sequences: ["a", "b"] });
    const message = "`stop_sequences`: at most 1 are allowed, not 2.";
    expect(await answer.json()).toMatchObject({ error: { message } });
  });
});

describe("a request", () => {
  it("has an id, its own if it brings one", async () => {
    const { post } = await gatewayBefore([hello()]);
    const first = await post(path, chat);
    expect(first.headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{32}$/);
    expect(first.headers.get("request-id")).toBe(first.headers.get("x-request-id"));
    expect((await post(path, chat, { "x-request-id": "mine-1" })).headers.get("x-request-id")).toBe("mine-1");
    expect((await post(path, chat, { "x-request-id": "a b" })).headers.get("x-request-id")).toMatch(/^req_/);
    expect((await post(path, "{", { "x-request-id": "mine-2" })).headers.get("x-request-id")).toBe("mine-2");
    const unknown = await post("/v1/embeddings", chat, { "x-request-id": "mine-3" });
    expect([unknown.status, unknown.headers.get("x-request-id")]).toEqual([404, "mine-3"]);
  });

  it.each(["{", "[]", '"x"', "null", "{}", '{"model": "m"}', '{"model": 5, "messages": []}'])(
    "that is invalid is refused: %s",
    async (body) => {
      const { post } = await gatewayBefore([hello()]);
      expect(await errorOf(await post(path, body))).toMatchObject({ status: 400, type: "invalid_request_error" });
    },
  );

  it("for an unknown path or model is refused", async () => {
    const { url } = await gatewayBefore([hello()]);
    expect(await errorOf(await fetch(`${url}/v1/nothing`))).toMatchObject({ status: 404, code: "not_found" });
    expect((await fetch(url + path)).status).toBe(404);
  });

  it("that is not HTTP does no harm", async () => {
    const { post, url } = await gatewayBefore([hello()]);
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.on("error", () => {}).resume();
    socket.write("GARBAGE\r\n\r\n");
    await new Promise((resolve) => socket.once("close", resolve));
    expect((await post(path, chat)).status).toBe(200);
  });
});

describe("models", () => {
  it("are listed for clients of OpenAI and Anthropic and for Codex, and found by each name", async () => {
    const { openai, anthropic, url, post } = await gatewayBefore([hello()], {
      model: { aliases: ["gpt-*"], contextWindow: 32_000 },
    });
    const listed = await openai.models.list();
    expect(listed.data).toMatchObject([{ id: "m", object: "model", owned_by: "toolingua" }]);
    expect(listed.data).toMatchObject([{ context_window: 32_000 }]);
    for (const name of ["m", "claude-m", "gpt-5"])
      expect(await openai.models.retrieve(name), name).toMatchObject({
        id: name,
        object: "model",
        context_window: 32_000,
      });
    const page = await anthropic.models.list();
    expect(page.data).toMatchObject([{ id: "claude-m", type: "model", display_name: "m" }]);
    expect(await (await fetch(`${url}/v1/models`)).json()).toMatchObject({
      models: [{ slug: "m", context_window: 32_000 }],
    });
    for (const model of ["m", "claude-m", "gpt-5"])
      expect((await post(path, { ...chat, model })).status, model).toBe(200);
    await expect(openai.models.retrieve("x")).rejects.toMatchObject({ status: 404, code: "model_not_found" });
  });
});

it("a model in this process has the context size that it is loaded with", async () => {
  const gateway = createGateway({ models: [{ name: "m", embedded: "smollm2-135m" }] });
  const response = await gateway.fetch(new Request("http://gateway/v1/models"));
  expect(await response.json()).toMatchObject({ models: [{ slug: "m", context_window: 8192 }] });
  await gateway.close();
});

describe("an upstream", () => {
  it.each(["idleTimeout", "timeout"])("that is silent for longer than %s is a gateway timeout", async (limit) => {
    const { post } = await gatewayBefore([() => {}], { server: { limits: { [limit]: 0.05 } } });
    const code = limit === "timeout" ? "upstream_timeout" : "upstream_idle_timeout";
    expect(await errorOf(await post(path, chat))).toMatchObject({ status: 504, code });
  });

  it("that cannot be reached is a gateway error, without its key", async () => {
    const { post } = await gatewayBefore([hello()], {
      model: { upstream: { baseURL: "http://127.0.0.1:1/v1", apiKey: "sk-secret" } },
    });
    const response = await post(path, chat);
    const text = await response.text();
    expect(response.status).toBe(502);
    expect(text).not.toContain("sk-secret");
    expect(JSON.parse(text)).toMatchObject({ error: { type: "server_error", code: "upstream_connect" } });
  });

  it("is asked with its key and its own name of the model", async () => {
    const { post, upstream } = await gatewayBefore([hello()]);
    const more = await gatewayBefore([hello()], {
      model: { upstream: { baseURL: upstream.baseURL, apiKey: "sk-up", model: "qwen2.5:7b", headers: { "x-a": "b" } } },
    });
    await post(path, chat);
    await more.post(path, chat, { authorization: "Bearer none" });
    expect(upstream.requests.map(({ body }) => body.model)).toEqual(["m", "qwen2.5:7b"]);
    expect(upstream.requests[1]?.headers).toMatchObject({ authorization: "Bearer sk-up", "x-a": "b" });
  });
});

describe("a constraint", () => {
  const tools = [{ type: "function", function: { name: "roll", parameters: { type: "object", properties: {} } } }];
  const format = { type: "json_schema", json_schema: { name: "a", schema: { type: "object", required: ["a"] } } };

  it("is a grammar for servers that read one, for calls and for answers", async () => {
    const { post, upstream } = await gatewayBefore([hello()], { model: { backend: "llama.cpp", constraint: "auto" } });
    await post(path, { ...chat, tools, tool_choice: "required" });
    await post(path, { ...chat, response_format: format });
    for (const { body } of upstream.requests.filter((_, i, all) => i === 0 || i === all.length - 1))
      expect(body.grammar).toMatch(/^root ::=/m);
  });

  it("is a JSON Schema for other servers", async () => {
    const { post, upstream } = await gatewayBefore([hello()], { model: { backend: "ollama", constraint: "auto" } });
    await post(path, { ...chat, response_format: format });
    expect(upstream.requests).toHaveLength(1);
    expect(upstream.requests[0]?.body.response_format).toMatchObject({
      type: "json_schema",
      json_schema: { schema: { required: ["a"] } },
    });
  });
});

describe("an embedded model", () => {
  it("answers, constrained to a call if one is required", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolingua-gateway-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await writeTinyModel(join(folder, "tiny.gguf"), { kind: "random", contextSize: 2048 });
    const { openai } = await gatewayBefore([hello()], {
      model: { upstream: undefined, embedded: join(folder, "tiny.gguf"), constraint: "auto", protocol: "hermes" },
    });
    const tools = [{ type: "function" as const, function: { name: "roll", parameters: { enum: [{}] } } }];
    const { choices } = await openai.chat.completions.create({
      model: "m",
      messages: [{ role: "user", content: "Roll." }],
      tools,
      tool_choice: "required",
      max_tokens: 100,
    });
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: "roll", arguments: "{}" } });
    const long = { role: "user" as const, content: "word ".repeat(5000) };
    await expect(openai.chat.completions.create({ model: "m", messages: [long] })).rejects.toMatchObject({
      status: 400,
      code: "context_length_exceeded",
    });
  });

  it("that cannot be loaded is a gateway error", async () => {
    const { post } = await gatewayBefore([hello()], { model: { upstream: undefined, embedded: "./nowhere.gguf" } });
    expect(await errorOf(await post(path, chat))).toMatchObject({ status: 502, code: "embedded_model" });
  });
});

it("a gateway answers requests without a server, and may have an embedded model", async () => {
  const gateway = createGateway({
    models: [
      {
        name: "echo",
        model: async function* ({ messages }) {
          yield `You said: ${messages.at(-1)?.content}`;
        },
      },
    ],
  });
  const request = new Request("http://gateway/v1/chat/completions", {
    method: "POST",
    body: JSON.stringify({ ...chat, model: "echo" }),
  });
  expect(await (await gateway.fetch(request)).json()).toMatchObject({
    choices: [{ message: { content: "You said: Hi" } }],
  });
  await gateway.close();
});
