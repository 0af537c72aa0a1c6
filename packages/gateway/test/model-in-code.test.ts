import type { TextModel, TextModelRequest } from "@toolingua/core";
import { expect, it } from "vitest";
import { createGateway } from "../src/index.js";

const tools = [{ type: "function", function: { name: "now", parameters: { type: "object", properties: {} } } }];
const messages = [{ role: "user", content: "What time is it?" }];

it("a model given as a function is constrained as its abilities say, without a `backend` in the configuration", async () => {
  const kinds: unknown[] = [];
  for (const abilities of [undefined, { backend: "openai", prefill: false }] as const) {
    let seen: TextModelRequest | undefined;
    const write: TextModel = async function* (request) {
      seen = request;
      yield '{"action": "now", "action_input": {}}';
    };
    const model = Object.assign(write, { abilities });
    const gateway = createGateway({ models: [{ name: "m", model, protocol: "json-action", constraint: "auto" }] });
    const body = JSON.stringify({ model: "m", messages, tools, tool_choice: "required" });
    const headers = { "content-type": "application/json" };
    const url = "http://gateway/v1/chat/completions";
    const answer = await gateway.fetch(new Request(url, { method: "POST", body, headers }));
    expect(await answer.text()).toContain('"name":"now"');
    kinds.push(seen?.constraint?.type ?? Object.keys(seen?.fields ?? {}));
    await gateway.close();
  }
  expect(kinds).toEqual(["gbnf", ["response_format"]]);
});
