import { expect, it } from "vitest";
import { delta, status, stream } from "../../endpoints/test/support/scripted-server.js";
import type { RequestRecord } from "../src/index.js";
import { gatewayBefore } from "./support/gateway.js";

const chat = { model: "m", messages: [{ role: "user", content: "Hi" }] };
const path = "/v1/chat/completions";

it("tells clients that the upstream cannot be reached, and the log where it should be", async () => {
  const records: RequestRecord[] = [];
  const down = { upstream: { baseURL: "http://127.0.0.1:1/v1" } };
  const { post } = await gatewayBefore([status(500)], { model: down, log: (record) => void records.push(record) });
  const answer = await post(path, chat);
  const body = await answer.text();
  expect([answer.status, JSON.parse(body).error.message]).toEqual([502, "The upstream cannot be reached."]);
  expect(records[0]?.error?.message).toMatch(/^Cannot reach http:\/\/127\.0\.0\.1:1\/v1\/chat\/completions: /);
});

it.each([
  ["without a message", ""],
  ["with one that is no JSON", "broken"],
])("does not show the address of an upstream that answers with an error %s", async (_, body) => {
  const { post } = await gatewayBefore([status(404, body, { "content-type": "text/plain" })]);
  const { error } = (await (await post(path, chat)).json()) as { error: { message: string } };
  expect(error.message).toMatch(/^The upstream answered 404/);
  expect(error.message).not.toContain("127.0.0.1");
});

it.each([
  ["idleTimeout", { idleTimeout: 0.1 }],
  ["timeout", { timeout: 0.1 }],
])("names the gateway's own limit that was exceeded: %s", async (name, limits) => {
  const { post } = await gatewayBefore([stream([delta("It is")], { end: false })], { server: { limits } });
  const answer = await post(path, chat);
  const { error } = (await answer.json()) as { error: { message: string } };
  expect([answer.status, error.message]).toEqual([504, expect.stringContaining(`(\`limits.${name}\`)`)]);
});
