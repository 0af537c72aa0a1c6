import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { reply, stream } from "../../endpoints/test/support/scripted-server.js";
import { createGateway, type GatewayConfig, GatewayConfigError, serve } from "../src/index.js";
import { gatewayBefore } from "./support/gateway.js";

// What a page in a browser may ask, and by what name.

const chat = { model: "m", messages: [{ role: "user", content: "Hi" }] };
const hello = stream(reply("Hello"));
const path = "/v1/chat/completions";

describe("without keys", () => {
  it.each([
    "http://localhost:3000",
    "http://app.localhost",
    "http://127.0.0.1:5173",
    "http://[::1]:8080",
    "tauri://localhost",
    "vscode-webview://1a2b",
    "file://",
  ])("a page of %s may send requests, and read the answer", async (origin) => {
    const { post } = await gatewayBefore([hello]);
    const answer = await post(path, chat, { origin });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
    expect(answer.headers.get("access-control-expose-headers")).toContain("x-request-id");
  });

  it.each([
    "https://example.org",
    "http://localhost.example.org",
    "http://127.0.0.1.example.org",
    "http://1270.0.0.1",
    "https://localhost:1@example.org",
    "null",
    "http://10.0.0.1",
  ])("a page of %s is refused before the model is asked", async (origin) => {
    const { post, upstream } = await gatewayBefore([hello]);
    // A form's body needs no permission of the server's.
    const answer = await post(path, chat, { origin, "content-type": "text/plain" });
    expect(answer.status).toBe(403);
    const { error } = (await answer.json()) as { error: { message: string; code: string } };
    expect(error).toMatchObject({ code: "forbidden_origin", message: expect.stringContaining("server.origins") });
    expect(upstream.requests).toEqual([]);
  });

  it.each([["https://chat.example.org"], ["*"]])("the configured origin %s may send requests", async (allowed) => {
    const { post, url } = await gatewayBefore([hello], { server: { origins: [allowed] } });
    const origin = "https://chat.example.org";
    expect((await post(path, chat, { origin })).headers.get("access-control-allow-origin")).toBe(origin);
    const preflight = await fetch(url + path, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
    });
    expect(preflight.ok).toBe(true);
    expect(preflight.headers.get("access-control-allow-headers")).toBe("authorization");
  });

  it("in the API's error format", async () => {
    const { post } = await gatewayBefore([]);
    const answer = await post("/v1/messages", chat, { origin: "null", "anthropic-version": "2023-06-01" });
    expect(await answer.json()).toMatchObject({ type: "error", error: { type: "permission_error" } });
  });

  it.each([
    ["localhost", 200],
    ["LOCALHOST", 200],
    ["127.0.0.1:80", 200],
    ["[::1]:80", 200],
    ["rebound.example.org", 403],
    ["127.0.0.1.nip.io", 403],
  ])("by the host name %s the answer is %d", async (host, status) => {
    const { url } = await gatewayBefore([]);
    expect(await statusBy(`${url}/v1/models`, host)).toBe(status);
  });

  it("by the host name of a configured origin, also after a reload", async () => {
    const config: GatewayConfig = { models: [{ name: "m", upstream: { baseURL: "http://127.0.0.1:1/v1" } }] };
    const gateway = await serve({ ...config, server: { port: 0 } });
    onTestFinished(() => gateway.close());
    expect(await statusBy(`${gateway.url}/v1/models`, "chat.example.org")).toBe(403);
    gateway.reload({ ...config, server: { port: 0, origins: ["http://chat.example.org"] } });
    expect(await statusBy(`${gateway.url}/v1/models`, "chat.example.org")).toBe(200);
  });
});

describe("with keys", () => {
  const server = { keys: [{ name: "me", key: "sk-1" }] };

  it("a page of any site with a key may send requests, and read the answer if its origin is configured", async () => {
    const { post } = await gatewayBefore([hello, hello], { server: { ...server, origins: ["https://a.example"] } });
    const authorization = "Bearer sk-1";
    const configured = await post(path, chat, { origin: "https://a.example", authorization });
    expect(configured.headers.get("access-control-allow-origin")).toBe("https://a.example");
    const other = await post(path, chat, { origin: "https://b.example", authorization });
    expect(other.status).toBe(200);
    expect(other.headers.get("access-control-allow-origin")).toBeNull();
    expect((await post(path, chat, { origin: "https://a.example" })).status).toBe(401);
  });

  it("requests may use any host name", async () => {
    const { url } = await gatewayBefore([], { server });
    expect(await statusBy(`${url}/healthz`, "proxy.example.org")).toBe(200);
  });
});

it.each(["https://a.example/", "a.example", ""])("%j is refused as an origin", (origin) => {
  const config = {
    models: [{ name: "m", upstream: { baseURL: "http://127.0.0.1:1/v1" } }],
    server: { origins: [origin] },
  };
  expect(() => createGateway(config)).toThrow(GatewayConfigError);
  expect(() => createGateway(config)).toThrow(/origins\[0\].*https:\/\/chat.example.org/s);
});

/** The status of an answer to a request with this `Host`, which fetch does not let one say. */
async function statusBy(url: string, host: string): Promise<number | undefined> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers: { host } }, resolve).once("error", reject).end();
  });
  await text(answer);
  return answer.statusCode;
}
