import OpenAI from "openai";
import type {
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseStreamEvent,
} from "openai/resources/responses/responses";
import { describe, expect, it } from "vitest";
import { DONE, delta, event, reply, status, stream, usage } from "../../endpoints/test/support/scripted-server.js";
import { call, eventsIn, gatewayBefore, parameters, pieces, promptOf } from "./support/gateway.js";

type Request = Omit<ResponseCreateParamsNonStreaming, "stream">;

const tool = {
  type: "function" as const,
  name: "get_weather",
  description: "The weather of a city",
  parameters,
  strict: false,
};
const asked = { model: "m", input: "What is the weather in Oslo?" };
const two = `I look.\n${call({ city: "Oslo" })}\n${call({ city: "Rome" })}`;
const argumentsOf = ({ output }: Response) =>
  output.flatMap((item) => (item.type === "function_call" ? [JSON.parse(item.arguments)] : []));

const ways = [
  ["whole", (openai: OpenAI, request: Request): Promise<Response> => openai.responses.create(request)],
  [
    "streamed",
    (openai: OpenAI, request: Request): Promise<Response> => openai.responses.stream(request as never).finalResponse(),
  ],
] as const;

describe.each(ways)("Responses, %s", (_, ask) => {
  it("return calls of a model that writes them as text", async () => {
    const { openai, upstream } = await gatewayBefore([stream(reply(...pieces(two)))]);
    const response = await ask(openai, { ...asked, tools: [tool], metadata: { a: "b" }, instructions: "Be brief." });
    expect(response).toMatchObject({
      object: "response",
      status: "completed",
      model: "m",
      store: false,
      metadata: { a: "b" },
      instructions: "Be brief.",
      output_text: "I look.",
      usage: { input_tokens: 7, total_tokens: expect.any(Number) },
    });
    expect(response.id).toMatch(/^resp_/);
    expect(response.output.map(({ type }) => type)).toEqual(["message", "function_call", "function_call"]);
    expect(argumentsOf(response)).toEqual([{ city: "Oslo" }, { city: "Rome" }]);
    expect(promptOf(upstream.requests[0]!)).toContain("Be brief.");
    expect(upstream.requests[0]?.body).not.toHaveProperty("tools");
  });

  it("return an answer without a call, and {} for a call without arguments", async () => {
    const { openai } = await gatewayBefore([stream(reply("It is ", "sunny.")), stream(reply(call({}, "now")))]);
    expect((await ask(openai, { ...asked, tools: [tool] })).output_text).toBe("It is sunny.");
    const now = { type: "function" as const, name: "now", parameters: null, strict: false };
    expect((await ask(openai, { ...asked, tools: [now] })).output).toMatchObject([
      { type: "function_call", name: "now", arguments: "{}" },
    ]);
  });

  it("show earlier calls, results and thoughts", async () => {
    const thinks = [delta({ reasoning_content: "Hm." }), ...reply("It rains.")];
    const { openai, upstream } = await gatewayBefore([stream(thinks)]);
    const { output } = await ask(openai, {
      ...asked,
      tools: [tool],
      tool_choice: "none",
      input: [
        { role: "developer", content: "Be kind." },
        { role: "user", content: "Weather?" },
        { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "I call." }] },
        { type: "function_call", call_id: "c1", name: "get_weather", arguments: '{"city":"Bergen"}' },
        { type: "function_call_output", call_id: "c1", output: "rain" },
      ],
    });
    expect(output).toMatchObject([
      { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] },
      { type: "message", content: [{ type: "output_text", text: "It rains." }] },
    ]);
    const prompt = promptOf(upstream.requests[0]!);
    for (const part of ["Be kind.", "Bergen", "rain"]) expect(prompt).toContain(part);
  });

  it("return free text of custom tools and calls in a namespace, and skip unknown tools", async () => {
    const patch = '*** Begin\n+1 "quoted"\n';
    const both = `${call({ input: patch }, "patch")}\n${call({ command: "ls" }, "run")}`;
    const grammar = { syntax: "lark", definition: 'start: "*** Begin" LF line+' };
    const { openai, upstream } = await gatewayBefore([stream(reply(...pieces(both)))]);
    const run = {
      type: "function",
      name: "run",
      parameters: { type: "object", properties: { command: { type: "string" } } },
    };
    const tools = [
      { type: "custom", name: "patch", description: "Applies a patch", format: { type: "grammar", ...grammar } },
      { type: "namespace", name: "shell", description: "", tools: [run] },
      { type: "web_search" },
      { type: "local_shell" },
    ];
    const { output } = await ask(openai, { ...asked, tools: tools as never });
    expect(output).toMatchObject([
      { type: "custom_tool_call", name: "patch", input: patch },
      { type: "function_call", name: "run", namespace: "shell", arguments: '{"command":"ls"}' },
    ]);
    expect(promptOf(upstream.requests[0]!)).toContain(JSON.stringify(grammar.definition).slice(1, -1));
  });

  it("refuse instructions that are neither text nor items", async () => {
    const { post } = await gatewayBefore([]);
    const { error } = (await (await post("/v1/responses", { ...asked, instructions: 5 })).json()) as {
      error: { message: string };
    };
    expect(error.message).toContain("`instructions` must be a string or a list of items, not 5");
  });

  it.each([
    [{ type: "gramar" }, '`tools[0].format.type` must be "text" or "grammar" (did you mean "grammar"?), not "gramar".'],
    [
      { type: "grammar", syntax: "lark", definition: "" },
      '`tools[0].format.definition` must be a grammar that is not empty, not "".',
    ],
  ])("refuse a format of a custom tool that is none: %j", async (format, said) => {
    const { post } = await gatewayBefore([]);
    const answer = await post("/v1/responses", { ...asked, tools: [{ type: "custom", name: "patch", format }] });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { message: said } });
  });

  it("check an answer with a schema, and request it again", async () => {
    const { openai, upstream } = await gatewayBefore([stream(reply("Oslo.")), stream(reply('{"city": "Oslo"}'))]);
    const text = { format: { type: "json_schema" as const, name: "city", schema: parameters } };
    expect((await ask(openai, { ...asked, text })).output_text).toBe('{"city":"Oslo"}');
    expect(upstream.requests).toHaveLength(2);
  });

  it("report that the token limit truncated the reply", async () => {
    const cut = [delta("It is"), delta({}, "length"), DONE];
    const { openai, upstream } = await gatewayBefore([stream(cut)]);
    expect(await ask(openai, { ...asked, max_output_tokens: 2 })).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output_text: "It is",
      output: [{ type: "message", status: "incomplete" }],
    });
    expect(upstream.requests[0]?.body).toMatchObject({ max_tokens: 2 });
  });

  it("refuse requests that need a store, with an alternative", async () => {
    const { openai, upstream } = await gatewayBefore([stream(reply("Hi"))]);
    for (const request of [
      { previous_response_id: "resp_1" },
      { conversation: "conv_1" },
      { background: true },
      { input: [{ type: "item_reference", id: "msg_1" }] },
      { input: [{ role: "user", content: [{ type: "input_image", image_url: "data:x" }] }] },
    ])
      await expect(ask(openai, { ...asked, ...request } as never)).rejects.toMatchObject({ status: 400 });
    expect(upstream.requests).toHaveLength(0);
  });

  it("refuse with the upstream's status, before anything is sent", async () => {
    const { openai } = await gatewayBefore([
      status(429, { error: { message: "Slow down." } }, { "retry-after": "77" }),
    ]);
    const error = await ask(openai, asked).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
  });
});

it.each([
  ["length", ["It is"], ["incomplete"]],
  ["content_filter", ["It is"], ["incomplete"]],
  ["stop", ["It is"], ["completed"]],
  ["length", ["<think>Well"], ["incomplete"]],
  ["length", ["<think>Well</think>\n", "It is"], ["completed", "incomplete"]],
])("an item that the model ended by %s: %j is %j, whole and in a stream", async (finish, texts, statuses) => {
  for (const isStreamed of [false, true]) {
    const { post } = await gatewayBefore([stream([...texts.map((text) => delta(text)), delta({}, finish), DONE])]);
    const answer = await post("/v1/responses", { ...asked, stream: isStreamed });
    const ends: unknown[] = isStreamed ? eventsIn(await answer.text()).map(({ data }) => data) : [await answer.json()];
    const done = ends.flatMap((data) => {
      const { type, item } = data as { type?: string; item: { status: string } };
      return type === "response.output_item.done" ? [item.status] : [];
    });
    const last = ends.at(-1) as { output: { status: string }[]; response: { output: { status: string }[] } };
    expect((isStreamed ? last.response : last).output.map(({ status }) => status)).toEqual(statuses);
    if (isStreamed) expect(done).toEqual(statuses);
  }
});

describe("a stream of Responses", () => {
  const eventsOf = async (answers: string[], request: object = {}) => {
    const { post } = await gatewayBefore([stream(answers)]);
    const answer = await post("/v1/responses", { ...asked, stream: true, ...request });
    const events = eventsIn(await answer.text());
    for (const { event, data } of events) expect((data as ResponseStreamEvent).type).toBe(event);
    return events.map(({ data }) => data as ResponseStreamEvent);
  };

  it("has its events in order, numbered, with the same ids in all of them and at the end", async () => {
    const thinks = [delta({ reasoning_content: "Hm." }), ...reply(...pieces(two))];
    const events = await eventsOf(thinks, { tools: [tool] });
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, i) => i));
    const order = events.map(({ type }) => type.replace("response.", ""));
    expect(order.filter((type, i) => type !== order[i - 1])).toEqual([
      ...["created", "in_progress"],
      ...["output_item.added", "reasoning_summary_part.added", "reasoning_summary_text.delta"],
      ...["reasoning_summary_text.done", "reasoning_summary_part.done", "output_item.done"],
      ...["output_item.added", "content_part.added", "output_text.delta"],
      ...["output_text.done", "content_part.done", "output_item.done"],
      ...["output_item.added", "function_call_arguments.delta", "function_call_arguments.done", "output_item.done"],
      ...["output_item.added", "function_call_arguments.delta", "function_call_arguments.done", "output_item.done"],
      "completed",
    ]);
    const last = events.at(-1)! as Extract<ResponseStreamEvent, { type: "response.completed" }>;
    const done = events.flatMap((one) => (one.type === "response.output_item.done" ? [one.item] : []));
    expect(last.response.output).toEqual(done);
    const ids = done.map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    for (const one of events)
      if ("item_id" in one && "output_index" in one) expect(one.item_id).toBe(ids[one.output_index]);
    for (const [i, one] of events.filter(({ type }) => type === "response.output_item.added").entries())
      expect((one as { item: { id: string } }).item.id).toBe(ids[i]);
  });

  it("has the upstream's usage, in whole numbers", async () => {
    const events = await eventsOf([delta("Hi"), delta({}, "stop"), usage(40, 2), DONE]);
    expect(events.at(-1)).toMatchObject({
      response: { usage: { input_tokens: 40, output_tokens: 2, total_tokens: 42 } },
    });
  });

  it("fails in the middle with the text written so far", async () => {
    const events = await eventsOf([delta("It is "), event({ error: { message: "The GPU is gone." } })]);
    // The SDKs of OpenAI throw at the first, and take the second for an answer.
    expect(events.at(-2)).toMatchObject({
      type: "error",
      code: "upstream_server_error",
      message: expect.stringContaining("The GPU is gone"),
      error: { type: "server_error", message: expect.stringContaining("The GPU is gone") },
    });
    expect(events.at(-1)).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { message: expect.stringContaining("The GPU is gone") } },
    });
  });

  it("ends the upstream's work when the client leaves", async () => {
    const { openai, upstream } = await gatewayBefore([stream(reply("a").slice(0, 2), { end: false })]);
    const answer = await openai.responses.create({ ...asked, stream: true });
    for await (const { type } of answer) if (type === "response.output_text.delta") break;
    expect(await upstream.requests[0]!.closed).toBe("aborted");
  });
});
