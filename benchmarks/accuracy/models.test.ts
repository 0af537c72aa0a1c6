import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask } from "./ask.mjs";
import { cellOf } from "./cells.mjs";
import { modelsOf } from "./models.mjs";

const parameters = { type: "object", properties: { x: { type: "integer" } }, required: ["x"] };
const question = {
  id: "q",
  category: "simple_python",
  messages: [{ role: "user", content: "Double 4." }],
  tools: [{ name: "math.double", description: "Doubles a number", parameters }],
  functions: [{ name: "math.double", parameters }],
  truth: [{ "math.double": { x: [4] } }],
};
const written = '<tool_call>\n{"name": "math.double", "arguments": {"x": 4}}\n</tool_call>';
const usage = { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 };

/** What an endpoint with OpenAI's interface answers: a call as text, streamed; with `tools`, a call of its own. */
function respond(body: { stream?: boolean; tools?: object[] }): string {
  if (!body.stream) {
    const call = { id: "1", type: "function", function: { name: "math_double", arguments: '{"x":4}' } };
    const message = { role: "assistant", content: null, tool_calls: [call] };
    return JSON.stringify({ choices: [{ index: 0, message, finish_reason: "tool_calls" }], usage });
  }
  const delta = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });
  const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
  const chunks = [delta(written.slice(0, 20)), delta(written.slice(20)), end, { choices: [], usage }];
  return [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");
}

let server: Server;
const asked: Record<string, unknown>[] = [];
let config: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const body = JSON.parse(text);
    asked.push(body);
    response.setHeader("content-type", body.stream ? "text/event-stream" : "application/json");
    response.end(respond(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  config = join(mkdtempSync(join(tmpdir(), "accuracy-")), "endpoints.json");
  writeFileSync(config, JSON.stringify([{ name: "served", baseURL, model: "m", grammar: true, prefill: true }]));
});
afterAll(() => server.close());

const answer = async (cell: string) => {
  const [model] = modelsOf([], config);
  const loaded = await model.load({ concurrency: 1 });
  return ask(question, cellOf(cell), loaded, { seed: 7, maxTokens: 64 });
};

it("an endpoint is asked as a text model, with the grammar and the prefill that it takes", async () => {
  const right = { right: true, valid: true, tokensIn: 20, tokensOut: 9, reply: written };
  expect(await answer("hermes/compact/grammar/no-repair/0")).toMatchObject(right);
  expect(asked.at(-1)).toMatchObject({
    model: "m",
    seed: 7,
    max_tokens: 64,
    temperature: 0,
    grammar: expect.any(String),
  });
  await answer("hermes/compact/prefill/no-repair/0");
  const messages = asked.at(-1)?.messages as { role: string; content: string }[];
  expect(messages.at(-1)).toMatchObject({ role: "assistant", content: expect.stringContaining("<tool_call>") });
});

it("an endpoint is asked with its own tools, whose names have no dots", async () => {
  expect(await answer("native")).toMatchObject({ right: true, valid: true, failed: false, tokensIn: 20 });
  expect(asked.at(-1)).toMatchObject({ tools: [{ type: "function", function: { name: "math_double" } }] });
});

it("a file that is no list of endpoints is named", () => {
  const path = join(tmpdir(), "no-endpoints.json");
  writeFileSync(path, "{}");
  expect(() => modelsOf([], path)).toThrow(path);
});
