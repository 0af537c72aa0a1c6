import { describe, expect, it } from "vitest";
import { reply, stream } from "../../endpoints/test/support/scripted-server.js";
import type { RequestRecord } from "../src/index.js";
import { gatewayBefore } from "./support/gateway.js";

const body = { model: "m", messages: [{ role: "user", content: "Hello" }], max_tokens: 9 };

describe("a path", () => {
  it.each([
    ["POST", "/chat/completions", "POST /v1/chat/completions"],
    ["POST", "/v1/chat/completion", "POST /v1/chat/completions"],
    ["POST", "/v1/completions", "POST /v1/chat/completions"],
    ["POST", "/openai/v1/chat/completions", "POST /v1/chat/completions"],
    ["POST", "/v1/chat/completions/chat/completions", "POST /v1/chat/completions"],
    ["GET", "/v1/chat/completions", "POST /v1/chat/completions"],
    ["POST", "/responses", "POST /v1/responses"],
    ["POST", "/messages/count_tokens", "POST /v1/messages/count_tokens"],
    ["GET", "/models", "GET /v1/models"],
    ["GET", "/health", "GET /healthz"],
  ])("that is wrong is answered with the right one: %s %s", async (method, path, meant) => {
    const { url } = await gatewayBefore([]);
    const answer = await fetch(url + path, { method });
    const { error } = (await answer.json()) as { error: { message: string } };
    expect([answer.status, error.message]).toEqual([
      404,
      `There is nothing at ${method} ${path}. Did you mean ${meant}?`,
    ]);
  });

  it("that is wrong is logged, as is any refused request, with the reason and no text of the client", async () => {
    const records: RequestRecord[] = [];
    const log = (record: RequestRecord) => void records.push(record);
    const { url } = await gatewayBefore([], { log, server: { keys: [{ name: "me", key: "a-long-secret-key" }] } });
    const paths = ["/v1/sk-secret123/chat", "/v1/<b>", "/v1/models", "/v1/models/my-model", "/healthz"];
    for (const path of paths) await fetch(url + path);
    expect(records).toMatchObject([
      { api: "other", path: "GET /v1/*/chat", status: 404, error: { kind: "not-found", code: "not_found" } },
      { api: "other", path: "GET /v1/*", status: 404, error: { kind: "not-found" } },
      { api: "other", path: "GET /v1/models", status: 401, error: { kind: "authentication" } },
      { api: "other", path: "GET /v1/models/*", status: 401, error: { kind: "authentication" } },
    ]);
    expect(records).toHaveLength(4);
    await fetch(url + "/x".repeat(300));
    expect(records[4]).toMatchObject({ path: `GET ${"/*".repeat(16)}…`, status: 404 });
  });

  it.each(["/v1/embeddings", "/api/chat", "/v1beta/models/m:generateContent"])(
    "that resembles none, as of an API that is not served, is answered with those that are: %s",
    async (path) => {
      const { url } = await gatewayBefore([]);
      const answer = await fetch(url + path, { method: "POST" });
      const served = "POST /v1/chat/completions, POST /v1/responses and POST /v1/messages";
      const message = `There is nothing at POST ${path}. Models are asked at ${served}.`;
      expect(await answer.json()).toMatchObject({ error: { message } });
    },
  );

  it.each(["/v1/chat/completions/", "/v1/messages/"])("may end with a slash: %s", async (path) => {
    const { post, upstream } = await gatewayBefore([stream(reply("Hi"))]);
    expect((await post(path, body)).status).toBe(200);
    expect(upstream.requests).toHaveLength(1);
  });

  it.each(["/v1/models/", "/v1/models/m", "/v1/models/m/"])("of models may end with a slash: %s", async (path) => {
    const { url } = await gatewayBefore([]);
    expect((await fetch(url + path)).status).toBe(200);
  });

  it("with a slash at its end needs a key too", async () => {
    const { post, url } = await gatewayBefore([], { server: { keys: [{ name: "me", key: "a-long-secret-key" }] } });
    expect((await post("/v1/chat/completions/", body)).status).toBe(401);
    for (const path of ["/v1/models/", "/v1/models/m/", "/v1/responses/resp_1/"])
      expect((await fetch(url + path)).status).toBe(401);
  });
});
