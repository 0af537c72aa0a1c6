import { describe, expect, it } from "vitest";
import { delta, event, reply, stream } from "../../endpoints/test/support/scripted-server.js";
import { tools as all, question } from "./support/clients/client.js";
import { call, eventsIn, gatewayBefore, pieces } from "./support/gateway.js";
import { streamFaults } from "./support/stream-faults.js";

// The streams of each API have none of the faults with which clients lose a call, text or an error, whatever is in them and
// however the model writes it.

const messages = [{ role: "user", content: question }];
const tools = all.map(({ schema, ...tool }) => ({ name: tool.name, description: tool.description, schema }));
const functions = tools.map(({ name, description, schema }) => ({ name, description, parameters: schema }));
const requests = {
  chat: {
    path: "/v1/chat/completions",
    body: {
      messages,
      tools: functions.map((one) => ({ type: "function", function: one })),
      stream_options: { include_usage: true },
    },
  },
  responses: {
    path: "/v1/responses",
    body: { input: messages, tools: functions.map((one) => ({ type: "function", ...one })) },
  },
  messages: {
    path: "/v1/messages",
    body: {
      max_tokens: 2000,
      messages,
      thinking: { type: "enabled", budget_tokens: 1024 },
      tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
    },
  },
};

const [oslo, rome, now] = [call({ city: "Oslo" }), call({ city: "Rome" }), call({}, "now")];
const thought = [delta({ reasoning_content: "Which " }), delta({ reasoning_content: "city?" })];
const gone = event({ error: { message: "The GPU is gone." } });
const whole = (text: string) => [reply(text), reply(...pieces(text)), reply(...text)];
/** Replies of a model, each written at once, in pieces and by characters. */
const replies: Record<string, string[][]> = {
  "a call": whole(oslo),
  "two calls": whole(oslo + rome),
  text: whole("It is 3 degrees."),
  nothing: [reply()],
  "text and a call": whole(`I look.\n\n${oslo}`),
  "text, a call, text and a call": whole(`I look.\n${oslo}\nAnd there:\n${rome}`),
  "an empty object": whole(now),
  "two empty objects": whole(now + now),
  "reasoning and text": whole("It is 3 degrees.").map((parts) => [...thought, ...parts]),
  "reasoning and calls": whole(oslo + now).map((parts) => [...thought, ...parts]),
  "reasoning between text": [[delta("It is "), ...thought, ...reply("3 degrees.")]],
  "call that stays wrong": whole(call({ town: 5 }, "nope")),
};
const failures: Record<string, string[]> = {
  "an error after text": [delta("It is "), gone],
  "an error after reasoning": [...thought, gone],
  "an error after a call": [delta(`${oslo}\n`), delta("And "), gone],
  "an error in a call": [delta(oslo.slice(0, -25)), gone],
  "a connection that ends in a text": [delta("It is ")],
  "a connection that ends in a call": [delta(oslo.slice(0, -25))],
};

describe.each(["chat", "responses", "messages"] as const)("a stream of %s", (api) => {
  const { path, body } = requests[api];
  const faultsOf = async (parts: string[], failed: boolean) => {
    const { post } = await gatewayBefore([stream(parts)]);
    const text = await (await post(path, { model: "m", stream: true, ...body })).text();
    expect(eventsIn(text).length).toBeGreaterThan(1);
    return streamFaults[api](text, failed);
  };

  it.each(Object.entries(replies))("has no fault: %s", async (_, written) => {
    for (const parts of written) expect(await faultsOf(parts, false)).toEqual([]);
  });

  it.each(Object.entries(failures))("has no fault: %s", async (_, parts) => {
    expect(await faultsOf(parts, true)).toEqual([]);
  });
});

describe("a fault is found", () => {
  const without = (words: string) => (blocks: string[]) => blocks.filter((block) => !block.includes(words));
  const changed = (from: string | RegExp, to: string) => (blocks: string[]) =>
    blocks.map((block) => block.replace(from, to));
  /** What is done to a stream with a text and a call, and the fault that it then has. */
  const damages: [keyof typeof requests, string, (blocks: string[]) => string[]][] = [
    ["chat", "other than one finish reason", without('"finish_reason":"tool_calls"')],
    ["chat", "a finish reason that hides calls", changed('"finish_reason":"tool_calls"', '"finish_reason":"stop"')],
    ["chat", "no index of a call", changed('"index":0,"id"', '"id"')],
    ["chat", "a name or id twice", changed('"index":0,"function":{', '"index":0,"function":{"name":"get_weather",')],
    ["chat", "an empty list of calls", changed('"delta":{}', '"delta":{"tool_calls":[]}')],
    ["chat", "arguments that are no object", without('"index":0,"function":{')],
    ["chat", "other than one end of the stream", without("[DONE]")],
    ["chat", "other than one usage", without('"choices":[]')],
    ["messages", "no name of an event", changed(/^event: .*\n/, "")],
    ["messages", "no usage at the start", changed('"input_tokens"', '"inputs"')],
    ["messages", "no usage at the end", changed('"output_tokens"', '"outputs"')],
    ["messages", "other than one start", (blocks) => [blocks[0]!, ...blocks]],
    ["messages", "no end of a block", without("event: content_block_stop")],
    ["messages", "a delta without a block", without("event: content_block_start")],
    ["messages", "a delta of another kind", changed('"type":"text_delta"', '"type":"thinking_delta"')],
    ["messages", "other than one end", without("event: message_stop")],
    ["messages", "other than one message_delta", without("event: message_delta")],
    ["responses", "no name of an event", changed(/^event: .*\n/, "")],
    ["responses", "no number of an event", changed('"sequence_number"', '"number"')],
    ["responses", "other than one beginning", without("event: response.created")],
    ["responses", "an event of an item that was not added", without("output_item.added")],
    ["responses", "text without a part", without("content_part.added")],
    ["responses", "an item without an end", without("output_item.done")],
    ["responses", "other than one end", without("event: response.completed")],
  ];

  it.each(damages)("%s: %s", async (api, fault, damage) => {
    const { path, body } = requests[api];
    const { post } = await gatewayBefore([stream(reply(...pieces(`I look.\n\n${oslo}`)))]);
    const text = await (await post(path, { model: "m", stream: true, ...body })).text();
    expect(streamFaults[api](damage(text.split(/(?<=\n\n)/)).join(""), false)).toContain(fault);
  });
});
