import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask } from "./ask.mjs";
import { askable, cellOf, pairsOf } from "./cells.mjs";
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
const call = '<tool_call>\n{"name": "math.double", "arguments": {"x": 4}}\n</tool_call>';
let written = call;
let jsonReply = '[{"name":"math.double","arguments":{"x":4}}]';
const usage = { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 };

/** What an endpoint with OpenAI's interface answers: a call as text, streamed; with `tools`, a call of its own. */
function respond(body: { stream?: boolean; tools?: object[]; response_format?: object }): string {
  if (body.response_format) {
    const message = { role: "assistant", content: jsonReply };
    return JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }], usage });
  }
  const delta = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });
  const part = (args: string, named?: object) => ({
    ...{
      choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...named, function: { ...named, arguments: args } }] } }],
    },
    ...{ timings: { predicted_n: args === "" ? 3 : 5 } },
  });
  const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
  const pieces = body.tools
    ? [part("", { id: "1", name: "math_double" }), part('{"x":'), part("4}")]
    : (written.match(/[\s\S]{1,20}/g)?.map(delta) ?? []);
  const chunks = [...pieces, end, { choices: [], usage }];
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
    // Each event on its own, as a server writes them.
    for (const event of respond(body).split(/(?<=\n\n)/)) {
      response.write(event);
      await sleep(2);
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  config = join(mkdtempSync(join(tmpdir(), "accuracy-")), "endpoints.json");
  writeFileSync(config, JSON.stringify([{ name: "served", baseURL, model: "m", backend: "llama.cpp" }]));
});
afterAll(() => server.close());

const answer = async (cell: string) => {
  const [model] = modelsOf([], config);
  const loaded = await model.load({ concurrency: 1 });
  return ask(question, cellOf(cell), loaded, { seed: 7, maxTokens: 64 });
};

it("an endpoint is asked as a text model, with the grammar and the prefill that it takes", async () => {
  const right = { right: true, valid: true, tokensIn: 20, tokensOut: 9, reply: written };
  expect(await answer("hermes/compact/grammar/no-retry/0")).toMatchObject(right);
  expect(asked.at(-1)).toMatchObject({
    model: "m",
    seed: 7,
    max_tokens: 64,
    temperature: 0,
    grammar: expect.any(String),
  });
  await answer("hermes/compact/prefill/no-retry/0");
  const messages = asked.at(-1)?.messages as { role: string; content: string }[];
  expect(messages.at(-1)).toMatchObject({ role: "assistant", content: expect.stringContaining("<tool_call>") });
});

it("a reply that is ended at a repeated call says what it cost, though the server tells that only at the end", async () => {
  written = `${call}\n`.repeat(6);
  const { tokensIn, tokensOut, calls, reply } = await answer("hermes/compact/grammar/no-retry/0").finally(() => {
    written = call;
  });
  expect(calls).toHaveLength(1);
  expect(reply.length).toBeLessThan(call.length * 5);
  expect(tokensIn).toBeGreaterThan(100);
  expect(tokensOut).toBeGreaterThan(10);
});

it("JSON of a schema is asked for with equal examples, and leaves out what the choice does not allow", async () => {
  const required = await answer("json-schema/required/1");
  expect(asked.at(-1)).toMatchObject({
    response_format: { json_schema: { schema: { type: "array", minItems: 1 } } },
    messages: [{ role: "system" }, { role: "user" }, { role: "assistant", content: expect.stringMatching(/^\[/) }, {}],
  });
  expect(required).toMatchObject({ right: true, tokensIn: 20, tokensOut: 9 });
  const list = JSON.parse(jsonReply);
  jsonReply = JSON.stringify(list[0]);
  expect(await answer("json-schema/one/1")).toMatchObject({ right: true, failed: false });
  expect(asked.at(-1)).toMatchObject({
    response_format: { json_schema: { schema: { anyOf: [{ required: ["name", "arguments"] }] } } },
    messages: [{}, {}, { role: "assistant", content: expect.stringMatching(/^\{"name"/) }, {}],
  });
  expect(() => cellOf("native/one/1")).toThrow(/native cannot do that. There is native\/auto\|required\/1/);
  jsonReply = '{"answer":"Eight."}';
  expect(await answer("json-schema/auto/mixed-2")).toMatchObject({ right: false, calls: [], failed: false });
  expect(asked.at(-1)?.messages).toMatchObject(
    [{}, {}, { content: /calls/ }, {}, { content: /^\{"answer"/ }, {}].map((one) =>
      "content" in one ? { content: expect.stringMatching(one.content) } : {},
    ),
  );
});

it("a model is not asked in ways that it has not, and a run of nothing else is refused", () => {
  const [model] = modelsOf([], config);
  const cells = ["hermes/compact/grammar-in-order/no-retry/0", "node-llama-cpp/auto/0"].map(cellOf);
  expect(askable(cells, model).map(({ name }: { name: string }) => name)).toEqual([cells[0].name]);
  expect(() => askable([cells[1]], model)).toThrow(
    /served can be asked in none of these ways: node-llama-cpp.*grammar/,
  );
});

it("a run whose questions make sense in none of its ways is refused", () => {
  const [model] = modelsOf([], config);
  const required = [cellOf("hermes/compact/grammar/no-retry/0")];
  const irrelevant = { ...question, category: "irrelevance" };
  expect(pairsOf(model, required, [question, irrelevant])).toEqual([{ cell: required[0], question }]);
  expect(() => pairsOf(model, required, [irrelevant])).toThrow(/served.*none of the questions.*irrelevance/s);
  expect(() => pairsOf(model, required, [])).toThrow(/no questions/);
});

it("an endpoint is asked with its own tools, whose names have no dots", async () => {
  expect(await answer("native/required/0")).toMatchObject({ right: true, valid: true, failed: false, tokensIn: 20 });
  expect(asked.at(-1)).toMatchObject({ tools: [{ type: "function", function: { name: "math_double" } }] });
});

it("says after how many tokens the first argument arrived: of its own tools, of ours, and of JSON at its end", async () => {
  expect((await answer("native/required/0")).firstArgument).toMatchObject({ tokens: 5 });
  const ours = (await answer("hermes/compact/off/no-retry/0")).firstArgument;
  expect(ours.tokens).toBeLessThan(Math.ceil(call.length / 20));
  expect(ours.characters).toBeLessThan(call.length);
  jsonReply = '[{"name":"math.double","arguments":{"x":4}}]';
  expect((await answer("json-schema/required/0")).firstArgument).toMatchObject({
    tokens: 9,
    characters: jsonReply.length,
  });
});

/** A conversation of two turns, with a tool that counts. */
const scenario = {
  id: "s",
  category: "multi_turn",
  start: { doubled: 0 },
  tools: [
    {
      ...question.tools[0],
      run: (state: { doubled: number }) => {
        state.doubled += 1;
      },
    },
  ],
  turns: [{ say: "Double 4.", calls: [{ name: "math.double", arguments: { x: 4 } }], state: { doubled: 1 } }],
};

it.each(["json-schema/auto/1", "json-schema/required/1", "json-schema/one/1", "native/required/1", "native/auto/1"])(
  "%s holds a conversation",
  async (cell) => {
    const [model] = modelsOf([], config);
    const auto = cell.includes("/auto/");
    const calls = JSON.parse('[{"name":"math.double","arguments":{"x":4}}]');
    jsonReply = JSON.stringify(cell.includes("/one/") ? calls[0] : auto ? { calls } : calls);
    const outcome = await ask(scenario, cellOf(cell), await model.load({ concurrency: 1 }), { seed: 7, maxTokens: 64 });
    // It calls once more, which changes the state, and so on.
    expect(outcome).toMatchObject({ right: false, attempts: 6, callsRight: 1, callsWanted: 1 });
    const messages = asked.at(-1)?.messages as { role: string; content: string }[];
    const results = messages.filter(({ content }) => content.includes("done"));
    expect(results).toHaveLength(5);
    const said = JSON.stringify(messages);
    expect(said.includes("It takes 2 hours")).toBe(true);
  },
);

it("a file that is no list of endpoints is named", () => {
  const path = join(tmpdir(), "no-endpoints.json");
  writeFileSync(path, "{}");
  expect(() => modelsOf([], path)).toThrow(path);
});
