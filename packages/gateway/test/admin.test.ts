import { describe, expect, it } from "vitest";
import { reply, status, stream } from "../../endpoints/test/support/scripted-server.js";
import { createGateway, type GatewayConfig } from "../src/index.js";
import { call, gatewayBefore, parameters } from "./support/gateway.js";

const hostile = '<script>alert("1")</script><img src=x onerror=alert(1)>&';
const chat = { model: "m", messages: [{ role: "user", content: "my secret words" }] };
const tools = [{ type: "function", function: { name: "get_weather", parameters } }];

const get = (url: string, headers: Record<string, string> = {}) => fetch(`${url}/`, { headers });
const cells = (page: string) => [...page.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map(([, text]) => text);

describe("the admin page", () => {
  it("exists only if it is configured, and follows the configuration", async () => {
    const { upstream, url, gateway } = await gatewayBefore([stream(reply("Hi"))]);
    expect((await get(url)).status).toBe(404);
    const config: GatewayConfig = { models: [{ name: "m", upstream: { baseURL: upstream.baseURL } }] };
    gateway.reload({ ...config, admin: true });
    expect((await get(url)).status).toBe(200);
    gateway.reload(config);
    expect((await get(url)).status).toBe(404);
  });

  it("shows the counts of each model, and the failures", async () => {
    const answers = [reply(call({ city: "Oslo" }, "nope")), reply(call({ city: "Oslo" }))].map((one) => stream(one));
    const failing = status(500, { error: { message: "The GPU is gone.", code: "gpu" } });
    const { url, post } = await gatewayBefore([...answers, failing], { admin: true });
    await (await post("/v1/chat/completions", { ...chat, tools })).text();
    await post("/v1/messages", { ...chat, max_tokens: 9 }, { "x-request-id": "r2" });
    const page = await get(url);
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    const found = cells(await page.text());
    expect(found.slice(0, 7)).toEqual(["m", "", "unreachable", "2", "1", "1", "1"]);
    const words = "upstream, gpu: The upstream answered with status 500.";
    expect(found.slice(7)).toEqual([expect.stringMatching(/^\d{4}-/), "r2", "messages", "", "m", "502", words]);
  });

  it("escapes names and errors, loads nothing, runs no script, and contains no text of a prompt", async () => {
    const failing = status(500, { error: { message: hostile, code: hostile } });
    const { url, post } = await gatewayBefore([failing], {
      admin: true,
      model: { name: hostile, aliases: [hostile + 2] },
    });
    await post("/v1/chat/completions", { ...chat, model: hostile });
    await post("/v1/chat/completions", { ...chat, model: `${hostile}?` });
    await post("/v1/chat/completions", "my secret words");
    const answer = await get(url);
    expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    const page = await answer.text();
    expect(page.match(/&lt;script&gt;/g)!.length).toBeGreaterThanOrEqual(3);
    expect(page).not.toMatch(/<script|<img|onerror=alert\(1\)>/);
    expect(page).toContain("invalid, invalid_json");
    expect(page).not.toContain("my secret");
  });

  it("requires a key if there are keys, which browsers ask their users for", async () => {
    const { url } = await gatewayBefore([stream(reply("Hi"))], {
      admin: true,
      server: { keys: [{ name: "me", key: "sk-me" }] },
    });
    const basic = (key: string) => ({ authorization: `Basic ${btoa(`any:${key}`)}` });
    const refused = await get(url);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, expect.stringMatching(/^Basic /)]);
    expect((await get(url, basic("sk-you"))).status).toBe(401);
    expect((await get(url, basic("sk-me"))).status).toBe(200);
    expect((await get(url, { authorization: "Bearer sk-me" })).status).toBe(200);
  });

  it("shows the last failures only, the newest first", async () => {
    const model = async function* () {
      yield "";
      throw new Error("no");
    };
    const gateway = createGateway({ models: [{ name: "m", model }], admin: true }, { log: () => {} });
    for (let i = 0; i < 60; i++) {
      const headers = { "x-request-id": `r${i}` };
      await gateway.fetch(
        new Request("http://g/v1/chat/completions", { method: "POST", headers, body: JSON.stringify(chat) }),
      );
    }
    const page = await (await gateway.fetch(new Request("http://g/"))).text();
    const ids = cells(page).filter((text) => /^r\d+$/.test(text!));
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([50, "r59", "r10"]);
    await gateway.close();
  });
});
