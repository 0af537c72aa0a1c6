import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { DONE, delta, event, reply, status, stream, usage } from "../../endpoints/test/support/scripted-server.js";
import { call, eventsIn, gatewayBefore, parameters, pieces, promptOf } from "./support/gateway.js";

type Request = Omit<Anthropic.MessageCreateParamsNonStreaming, "stream">;

const tools = [{ name: "get_weather", description: "The weather of a city", input_schema: parameters as never }];
const messages = [{ role: "user" as const, content: "What is the weather in Oslo?" }];
const asked = { model: "m", max_tokens: 100, messages };
const two = `I look.\n${call({ city: "Oslo" })}\n${call({ city: "Rome" })}`;
const inputsOf = ({ content }: Anthropic.Message) =>
  content.flatMap((block) => (block.type === "tool_use" ? [block.input] : []));

const textOf = ({ content }: Anthropic.Message) =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("");

const ways = [
  ["whole", (anthropic: Anthropic, request: Request) => anthropic.messages.create(request)],
  ["streamed", (anthropic: Anthropic, request: Request) => anthropic.messages.stream(request).finalMessage()],
] as const;

const numbers = {
  ...{ name: "set", input_schema: { type: "object", properties: { n: { type: "number" }, s: { type: "string" } } } },
} as never;

it("a call has the digits that the model wrote, streamed and whole", async () => {
  const input = '{"n":1234567890123456789.50,"s":"<é>"}';
  const twice = stream(reply(`I set it.\n<tool_call>\n{"name": "set", "arguments": ${input}}\n</tool_call>`));
  const { post } = await gatewayBefore([twice, twice]);
  const whole = await post("/v1/messages", { ...asked, tools: [numbers] });
  const text = await whole.text();
  expect(whole.headers.get("content-type")).toMatch(/^application\/json/);
  expect(text).toContain(`"input":${input}`);
  expect(JSON.parse(text)).toMatchObject({
    stop_reason: "tool_use",
    content: [
      { type: "text", text: "I set it." },
      { type: "tool_use", name: "set" },
    ],
  });
  const streamed = eventsIn(await (await post("/v1/messages", { ...asked, tools: [numbers], stream: true })).text());
  expect(
    streamed.map(({ data }) => (data as { delta?: { partial_json?: string } }).delta?.partial_json ?? "").join(""),
  ).toBe(input);
});

it("the model sees the digits of an earlier call's input, and limits of a schema may be of 64 bits", async () => {
  const { post, upstream } = await gatewayBefore([stream(reply("Done."))]);
  const input = '"INPUT"';
  const body = JSON.stringify({
    ...asked,
    tools: [{ name: "get", input_schema: { type: "object", properties: { n: { type: "integer", maximum: "MOST" } } } }],
    messages: [
      ...messages,
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "get", input: "INPUT" }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "none" }] },
    ],
  });
  const sent = body.replace(input, '{"id":1234567890123456789}').replace('"MOST"', "9223372036854775807");
  expect((await post("/v1/messages", sent)).status).toBe(200);
  expect(promptOf(upstream.requests[0]!)).toContain("1234567890123456789");
});

describe.each(ways)("Messages, %s", (way, ask) => {
  it("returns calls of a model that writes them as text", async () => {
    const { anthropic, upstream } = await gatewayBefore([stream(reply(...pieces(two)))]);
    const message = await ask(anthropic, { ...asked, tools });
    expect(message).toMatchObject({
      type: "message",
      role: "assistant",
      model: "m",
      stop_reason: "tool_use",
      stop_sequence: null,
    });
    expect(message.content.map(({ type }) => type)).toEqual(["text", "tool_use", "tool_use"]);
    expect(inputsOf(message)).toEqual([{ city: "Oslo" }, { city: "Rome" }]);
    const ids = message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    expect(new Set(ids.filter((id) => id.startsWith("toolu_"))).size).toBe(2);
    expect(message.usage).toMatchObject({ input_tokens: 7, cache_read_input_tokens: 0 });
    expect(upstream.requests[0]?.body).toMatchObject({ max_tokens: 100 });
    expect(upstream.requests[0]?.body).not.toHaveProperty("tools");
  });

  it("returns an answer without a call, and an empty input for a call without arguments", async () => {
    const { anthropic } = await gatewayBefore([stream(reply("It is ", "sunny.")), stream(reply(call({}, "now")))]);
    expect(await ask(anthropic, { ...asked, tools })).toMatchObject({
      stop_reason: "end_turn",
      content: [{ type: "text", text: "It is sunny." }],
    });
    const now = [{ name: "now", input_schema: { type: "object" as const } }];
    expect(await ask(anthropic, { ...asked, tools: now })).toMatchObject({
      content: [{ type: "tool_use", name: "now", input: {} }],
    });
  });

  it("returns thoughts only on request", async () => {
    const { anthropic } = await gatewayBefore([stream([delta({ reasoning_content: "Hm." }), ...reply("Hi")])]);
    expect((await ask(anthropic, asked)).content).toMatchObject([{ type: "text", text: "Hi" }]);
    const thinking = { type: "enabled" as const, budget_tokens: 50 };
    expect((await ask(anthropic, { ...asked, thinking })).content).toMatchObject([
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "Hi" },
    ]);
  });

  it("obeys tool_choice, ends after one call, and shows earlier calls and results", async () => {
    const { anthropic, upstream } = await gatewayBefore([stream(reply(...pieces(two)))]);
    const past: Anthropic.MessageParam[] = [
      ...messages,
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "get_weather", input: { city: "Bergen" } }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "rain" }], is_error: true },
          { type: "text", text: "And elsewhere?" },
        ],
      },
    ];
    const tool_choice = { type: "any" as const, disable_parallel_tool_use: true };
    expect(inputsOf(await ask(anthropic, { ...asked, messages: past, tools, tool_choice }))).toEqual([
      { city: "Oslo" },
    ]);
    const prompt = promptOf(upstream.requests[0]!);
    for (const part of ["Bergen", "rain", "And elsewhere?"]) expect(prompt).toContain(part);
    await ask(anthropic, { ...asked, tools, tool_choice: { type: "none" } });
    expect(promptOf(upstream.requests.at(-1)!)).not.toContain("The weather of a city");
  });

  it("accepts Claude Code's requests, and drops what changes with each of them", async () => {
    const { post, upstream } = await gatewayBefore([stream(reply("Hi"))]);
    const body = {
      ...asked,
      stream: way === "streamed",
      system: [
        { type: "text", text: "x-anthropic-billing-header: cc_version=2.1; cch=12ab;" },
        { type: "text", text: "You are helpful.", cache_control: { type: "ephemeral" } },
      ],
      messages: [...messages, { role: "system", content: "It is late." }],
      thinking: { type: "adaptive" },
      context_management: { edits: [] },
      output_config: { effort: "high" },
      metadata: { user_id: "u" },
      tools: [
        { ...tools[0], strict: true, defer_loading: false, cache_control: { type: "ephemeral" } },
        { type: "web_search_20250305", name: "web_search" },
      ],
    };
    for (const path of ["/v1/messages?beta=true", "/v1/v1/messages"]) {
      const answer = await post(path, body, { "anthropic-version": "2023-06-01", "anthropic-beta": "a,b" });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain("Hi");
    }
    const prompt = promptOf(upstream.requests[0]!);
    expect(prompt).toContain("You are helpful.");
    expect(prompt).toContain("It is late.");
    expect(prompt).not.toContain("cch=");
  });

  it("requests a call of an unknown tool again", async () => {
    const { anthropic, upstream } = await gatewayBefore([
      stream(reply(call({ city: "Oslo" }, "wether_report"))),
      stream(reply(call({ city: "Oslo" }))),
    ]);
    expect(inputsOf(await ask(anthropic, { ...asked, tools }))).toEqual([{ city: "Oslo" }]);
    expect(upstream.requests).toHaveLength(2);
  });

  it("reports that the token limit truncated the reply", async () => {
    const cut = [delta("<tool_call>\n"), delta('{"name": "get_weather", "arguments": {"ci'), delta({}, "length"), DONE];
    const { anthropic } = await gatewayBefore([stream(cut)]);
    expect((await ask(anthropic, { ...asked, tools })).stop_reason).toBe("max_tokens");
  });

  it("refuses in Anthropic's error format, before anything is sent", async () => {
    const busy = status(429, { error: { message: "Slow down." } }, { "retry-after": "77" });
    const { anthropic } = await gatewayBefore([busy]);
    const error = await ask(anthropic, asked).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(Anthropic.RateLimitError);
    const { headers, requestID, error: body } = error as InstanceType<typeof Anthropic.RateLimitError>;
    expect(headers.get("retry-after")).toBe("77");
    expect(requestID).toMatch(/^req_/);
    expect(body).toEqual({
      type: "error",
      error: { type: "rate_limit_error", message: "Slow down." },
      request_id: requestID,
    });
    const image = {
      type: "image" as const,
      source: { type: "base64" as const, media_type: "image/png" as const, data: "AA" },
    };
    const refused = ask(anthropic, { ...asked, messages: [{ role: "user", content: [image] }] });
    await expect(refused).rejects.toMatchObject({ status: 400, message: expect.stringMatching(/of the type .*image/) });
    await expect(ask(anthropic, { ...asked, model: "x" })).rejects.toMatchObject({ status: 404 });
  });
});

describe("a stop sequence of Messages", () => {
  const ended = ["stop_sequence", "END"];
  const natural = ["end_turn", null];
  it.each<[string, string[], object, unknown[], string]>([
    ["ends the reply", ["It is E", "ND sunny."], {}, ended, "It is "],
    ["ends it at once", ["END"], {}, ended, ""],
    ["that is the shortest one at its place", ["a", "ENDING"], { stop_sequences: ["ENDING", "END"] }, ended, "a"],
    ["does not appear", ["It is EN"], {}, natural, "It is EN"],
    ["is empty", ["It is END"], { stop_sequences: [""] }, natural, "It is END"],
    ["after a call", [`${call({ city: "Oslo" })} END of it`], { tools }, ["tool_use", null], ""],
  ])("%s", async (_, said, fields, [reason, sequence], text) => {
    for (const isStreamed of [false, true]) {
      const { anthropic, upstream } = await gatewayBefore([stream(reply(...said))]);
      const request = { ...asked, stop_sequences: ["never", "END"], ...fields };
      const message = await (isStreamed
        ? anthropic.messages.stream(request).finalMessage()
        : anthropic.messages.create(request));
      expect([message.stop_reason, message.stop_sequence, textOf(message)]).toEqual([reason, sequence, text]);
      // The server would cut it off silently.
      expect((upstream.requests[0]?.body.stop as string[] | undefined) ?? []).not.toContain("END");
      expect(message.usage.input_tokens).toBeGreaterThan(0);
    }
  });

  it("of an answer that is requested again is that of the last one", async () => {
    const { anthropic, upstream } = await gatewayBefore([stream(reply("Oslo END")), stream(reply('{"city":"Oslo"}'))]);
    const format = { type: "json_schema" as const, schema: parameters };
    const request = { ...asked, stop_sequences: ["END"], output_config: { format } };
    expect(await anthropic.messages.create(request)).toMatchObject({ stop_reason: "end_turn", stop_sequence: null });
    expect(upstream.requests).toHaveLength(2);
  });
});

describe("a stream of Messages", () => {
  it("has its events in order, each with its name", async () => {
    const counted = [...reply(...pieces(two)).slice(0, -2), usage(40, 9), DONE];
    const { post } = await gatewayBefore([stream(counted)]);
    const answer = await post("/v1/messages", { ...asked, tools, stream: true });
    const events = eventsIn(await answer.text()) as { event: string; data: Record<string, unknown> }[];
    for (const { event, data } of events) expect(data.type).toBe(event);
    const order = events.map(({ event, data }) => (data.index === undefined ? event : `${event} ${data.index}`));
    expect(order.filter((name, i) => name !== order[i - 1])).toEqual([
      "message_start",
      ...[0, 1, 2].flatMap((i) => [`content_block_start ${i}`, `content_block_delta ${i}`, `content_block_stop ${i}`]),
      "message_delta",
      "message_stop",
    ]);
    expect(events[0]?.data.message).toMatchObject({ content: [], stop_reason: null, usage: { output_tokens: 0 } });
    expect(events.at(-2)?.data).toMatchObject({
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { input_tokens: 40, output_tokens: 9 },
    });
  });

  it("has the tokens of the prompt at its beginning, estimated if the server does not report them yet", async () => {
    const early = event({
      choices: [{ delta: { content: "Hi" } }],
      usage: { prompt_tokens: 40, completion_tokens: 1 },
    });
    const { post } = await gatewayBefore([stream([early, ...reply("!")]), stream(reply("Hi"))]);
    const begins = [];
    for (let i = 0; i < 2; i++) {
      const answer = await post("/v1/messages", { ...asked, stream: true });
      const [first] = eventsIn(await answer.text()) as { data: { message: Anthropic.Message } }[];
      begins.push(first!.data.message.usage);
    }
    expect(begins).toMatchObject([{ input_tokens: 40, output_tokens: 0 }, { output_tokens: 0 }]);
    expect(begins[1]!.input_tokens).toBeGreaterThan(3);
  });

  it("reports an error in the middle", async () => {
    const broken = [delta("It is "), event({ error: { message: "The GPU is gone." } })];
    const { anthropic } = await gatewayBefore([stream(broken)]);
    await expect(anthropic.messages.stream(asked).finalMessage()).rejects.toThrow(/The GPU is gone/);
  });

  it("ends the upstream's work when the client leaves", async () => {
    const { anthropic, upstream } = await gatewayBefore([stream(reply("a").slice(0, 2), { end: false })]);
    for await (const { type } of anthropic.messages.stream(asked)) if (type === "content_block_delta") break;
    expect(await upstream.requests[0]!.closed).toBe("aborted");
  });
});

describe("count_tokens", () => {
  it("counts the prompt as it would be sent, without asking the model", async () => {
    const { anthropic, upstream } = await gatewayBefore([stream(reply("Hi"))]);
    const count = async (request: object) =>
      (await anthropic.messages.countTokens({ model: "m", messages, ...request })).input_tokens;
    const plain = await count({});
    expect(plain).toBeGreaterThan(5);
    expect(await count({ tools })).toBeGreaterThan(plain + 50);
    expect(await count({ system: "x".repeat(400) })).toBeGreaterThan(plain + 99);
    expect(upstream.requests).toHaveLength(0);
  });
});
