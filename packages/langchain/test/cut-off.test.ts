import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AIMessageChunk } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { concat } from "@langchain/core/utils/stream";
import { ChatOpenAI } from "@langchain/openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ToolCallingOptions, withToolCalling } from "../src/index.js";
import { ScriptedTextModel } from "./scripted-text-model.js";

// A stream that ends cleanly before the model has: the server died, and a proxy closed the connection properly.

let events: object[] = [];
const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end();
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => void server.close());

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: "a",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason }],
});
const send = tool(() => "sent", {
  name: "send",
  schema: z.object({ to: z.string().optional(), dry_run: z.boolean().optional() }),
});
const half = "<tool_call>\n<function=send>\n<parameter=to>\nbob\n</parameter>\n";
const whole = `${half}</function>\n</tool_call>`;
const openAI = (fields = {}) =>
  new ChatOpenAI({
    model: "qwen3-coder",
    apiKey: "k",
    maxRetries: 0,
    configuration: { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` },
    ...fields,
  });

async function asked(how: string, model = openAI(), options: ToolCallingOptions = {}) {
  const bound = withToolCalling(model, options).bindTools([send]);
  if (how === "invoke") return bound.invoke("Go.");
  let message: AIMessageChunk | undefined;
  for await (const piece of await bound.stream("Go.")) message = message ? concat(message, piece) : piece;
  return message as AIMessageChunk;
}

describe.each(["invoke", "stream"])("a stream of ChatOpenAI without a finish reason: %s", (how) => {
  it("has no call without its end", async () => {
    events = [chunk({ role: "assistant", content: half })];
    const message = await asked(how);
    expect(message).toMatchObject({ tool_calls: [], invalid_tool_calls: [{ name: "send" }] });
    expect(message.response_metadata.finish_reason).toBeUndefined();
    expect(message.text).toContain("cut off");
  });

  it("mentions the call on a line of its own", async () => {
    events = [chunk({ role: "assistant", content: `I send it. ${half}` })];
    expect((await asked(how)).text).toMatch(/^I send it\.\n\[The call to "send" was cut off/);
  });

  it("may have whole calls and text", async () => {
    events = [chunk({ role: "assistant", content: whole })];
    expect((await asked(how)).tool_calls).toMatchObject([{ name: "send", args: { to: "bob" } }]);
    events = [chunk({ role: "assistant", content: "It is" })];
    expect((await asked(how)).text).toBe("It is");
  });

  it("of the Responses API neither has a call without its end", async () => {
    const delta = { type: "response.output_text.delta", output_index: 0, content_index: 0, item_id: "a", delta: half };
    events = [delta];
    const responses = () => openAI({ useResponsesApi: true });
    expect((await asked(how, responses())).tool_calls).toEqual([]);
    const response = { id: "a", model: "m", status: "completed", output: [], usage: null };
    events = [delta, { type: "response.completed", response }];
    expect((await asked(how, responses())).tool_calls).toMatchObject([{ name: "send" }]);
  });

  it("does not change what models are read as that never give a finish reason", async () => {
    const message = await asked(how, new ScriptedTextModel({ replies: [half] }) as never, { protocol: "qwen3-coder" });
    expect(message.tool_calls).toMatchObject([{ name: "send", args: { to: "bob" } }]);
  });
});

it("a native stream without a finish reason has no call without its end, and none of which only the name came", async () => {
  const name = { index: 0, id: "b", type: "function", function: { name: "send", arguments: "" } };
  for (const delta of [{ content: half }, { content: null, tool_calls: [name] }]) {
    events = [chunk({ role: "assistant", ...delta })];
    const message = await asked("stream", openAI(), { native: "auto", onInvalidCall: "surface" });
    expect(message).toMatchObject({ tool_calls: [], invalid_tool_calls: [{ name: "send" }] });
  }
  events = [chunk({ role: "assistant", content: null, tool_calls: [name] }), chunk({}, "tool_calls")];
  expect((await asked("stream", openAI(), { native: "auto" })).tool_calls).toMatchObject([{ name: "send", args: {} }]);
});
