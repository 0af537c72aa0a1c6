import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { DONE, delta, event, reply, status, stream, usage } from "../../endpoints/test/support/scripted-server.js";
import { call, eventsIn, gatewayBefore, parameters, pieces, promptOf } from "./support/gateway.js";

const tools = [
  { type: "function" as const, function: { name: "get_weather", description: "The weather of a city", parameters } },
];
const messages = [{ role: "user" as const, content: "What is the weather in Oslo?" }];
const model = "m";
const two = `I look.\n${call({ city: "Oslo" })}\n${call({ city: "Rome" })}`;
const argumentsOf = (message: OpenAI.ChatCompletionMessage) =>
  message.tool_calls?.map((one) => (one.type === "function" ? JSON.parse(one.function.arguments) : one));

/** The same request as a whole answer and as a stream. */
const ways = [
  [
    "whole",
    (openai: OpenAI, request: Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "stream">) =>
      openai.chat.completions.create(request),
  ],
  [
    "streamed",
    (openai: OpenAI, request: Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "stream">) =>
      openai.chat.completions.stream(request).finalChatCompletion(),
  ],
] as const;

describe.each(ways)("Chat Completions, %s", (way, ask) => {
  it("returns calls of a model that writes them as text, and never sends it tools", async () => {
    const { openai, upstream } = await gatewayBefore([stream(reply(...pieces(two)))]);
    const { choices, usage: cost, object, id } = await ask(openai, { model, messages, tools });
    const [{ message, finish_reason }] = choices as [OpenAI.ChatCompletion.Choice];
    expect(finish_reason).toBe("tool_calls");
    expect(argumentsOf(message)).toEqual([{ city: "Oslo" }, { city: "Rome" }]);
    expect(message.tool_calls?.map(({ id }) => id.startsWith("call_"))).toEqual([true, true]);
    expect(new Set(message.tool_calls?.map(({ id }) => id)).size).toBe(2);
    expect(message.content).toBe("I look.");
    expect({ object, id: id.startsWith("chatcmpl-") }).toEqual({ object: "chat.completion", id: true });
    if (way === "whole") expect(cost).toMatchObject({ prompt_tokens: 7 });
    expect(upstream.requests[0]?.body).not.toHaveProperty("tools");
    expect(promptOf(upstream.requests[0]!)).toContain("get_weather");
  });

  it("returns an answer without a call, and no list of calls", async () => {
    const { openai } = await gatewayBefore([stream(reply("It is ", "sunny."))]);
    const { choices } = await ask(openai, { model, messages, tools });
    expect(choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "It is sunny." } });
    expect(choices[0]?.message.tool_calls ?? "none").toBe("none");
  });

  it("runs no call of the reasoning that the model's template opened", async () => {
    const thought = `I could use ${call({ city: "Rome" })} but no.\n</think>\n\n`;
    const { openai } = await gatewayBefore(
      [stream(reply(...pieces(`${thought}Hi`))), stream(reply(...pieces(thought + call({ city: "Oslo" }))))],
      { model: { startWithReasoning: true } },
    );
    const { choices } = await ask(openai, { model, messages, tools });
    expect(choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "Hi" } });
    expect(choices[0]?.message.tool_calls ?? []).toEqual([]);
    expect(argumentsOf((await ask(openai, { model, messages, tools })).choices[0]!.message)).toEqual([
      { city: "Oslo" },
    ]);
  });

  it("returns the empty object for a call without arguments", async () => {
    const now = [{ type: "function" as const, function: { name: "now" } }];
    const { openai } = await gatewayBefore([stream(reply(call({}, "now")))]);
    const { choices } = await ask(openai, { model, messages, tools: now });
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: "now", arguments: "{}" } });
  });

  it("requests a call of an unknown tool again", async () => {
    const { openai, upstream } = await gatewayBefore([
      stream(reply(call({ city: "Oslo" }, "wether_report"))),
      stream(reply(call({ city: "Oslo" }))),
    ]);
    const { choices } = await ask(openai, { model, messages, tools });
    expect(argumentsOf(choices[0]!.message)).toEqual([{ city: "Oslo" }]);
    expect(promptOf(upstream.requests[1]!)).toContain("wether_report");
  });

  it("returns an invalid call as it is if the model repeats it", async () => {
    const { openai } = await gatewayBefore([stream(reply(call({ town: 5 }, "nope")))]);
    const { choices } = await ask(openai, { model, messages, tools });
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({
      function: { name: "nope", arguments: '{"town":5}' },
    });
  });

  it.each([
    ["a key with two values", '{"city": "Oslo", "city": "Rome"}'],
    ["two spellings of a key", '{"city": "Oslo", "City": "Rome"}'],
  ])("does not return a call with several readings: %s", async (_, args) => {
    const { openai } = await gatewayBefore([stream(reply(call({}).replace("{}", args)))]);
    const answer = await ask(openai, { model, messages, tools }).catch((error: Error) => error);
    if (answer instanceof Error) expect(answer.message).toMatch(/cannot be read/);
    else expect(answer.choices[0]?.message.tool_calls ?? []).toEqual([]);
  });

  it("does not return a call of a tool that allowed_tools excludes", async () => {
    const { openai } = await gatewayBefore([stream(reply(call({ city: "Oslo" })))]);
    const now = { type: "function" as const, function: { name: "now" } };
    const { choices } = await ask(openai, {
      model,
      messages,
      tools: [...tools, now],
      tool_choice: { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [now] } },
    });
    expect(choices[0]?.message.tool_calls ?? []).toEqual([]);
    expect(choices[0]?.message.content).toContain("get_weather");
  });

  it("obeys tool_choice, and shows earlier results and calls", async () => {
    const { openai, upstream } = await gatewayBefore([stream(reply("It was 3 degrees."))]);
    const past = [
      ...messages,
      {
        role: "assistant" as const,
        content: null,
        tool_calls: [
          { id: "c1", type: "function" as const, function: { name: "get_weather", arguments: '{"city":"Oslo"}' } },
        ],
      },
      { role: "tool" as const, tool_call_id: "c1", content: "3 degrees" },
    ];
    await ask(openai, { model, messages: past, tools, tool_choice: "none" });
    const prompt = promptOf(upstream.requests[0]!);
    expect(prompt).toContain("3 degrees");
    expect(prompt).toContain('"city":');
    expect(prompt).not.toContain("The weather of a city");
    await ask(openai, {
      model,
      messages: past,
      tools: [...tools, { type: "function", function: { name: "other" } }],
      tool_choice: {
        type: "allowed_tools",
        allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "other" } }] },
      },
    });
    expect(promptOf(upstream.requests.at(-1)!)).not.toContain("The weather of a city");
  });

  it("returns the model's text if it refuses a required call", async () => {
    const { openai, upstream } = await gatewayBefore([stream(reply("I cannot."))]);
    const { choices } = await ask(openai, { model, messages, tools, tool_choice: "required" });
    expect(choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "I cannot." } });
    expect(upstream.requests.length).toBeGreaterThan(1);
  });

  it("ends after one call if parallel_tool_calls is false", async () => {
    const { openai } = await gatewayBefore([stream(reply(...pieces(two)))]);
    const { choices } = await ask(openai, { model, messages, tools, parallel_tool_calls: false });
    expect(argumentsOf(choices[0]!.message)).toEqual([{ city: "Oslo" }]);
  });

  it("checks an answer with a schema, and requests it again", async () => {
    const { openai, upstream } = await gatewayBefore([
      stream(reply("Oslo it is.")),
      stream(reply('```json\n{"city": "Oslo"}\n```')),
    ]);
    const format = { type: "json_schema" as const, json_schema: { name: "city", schema: parameters } };
    const { choices } = await ask(openai, { model, messages, response_format: format });
    expect(choices[0]?.message.content).toBe('{"city":"Oslo"}');
    expect(upstream.requests).toHaveLength(2);
  });

  it("sends an answer that matches its schema at no attempt as it is", async () => {
    const { openai, upstream } = await gatewayBefore([1, 2, 3].map((n) => stream(reply(`Oslo, attempt ${n}.`))));
    const format = { type: "json_schema" as const, json_schema: { name: "city", schema: parameters } };
    const { choices } = await ask(openai, { model, messages, response_format: format });
    expect(choices[0]).toMatchObject({ finish_reason: "stop", message: { refusal: null } });
    expect(choices[0]?.message.content).toBe(`Oslo, attempt ${upstream.requests.length}.`);
  });

  it("passes on limits and sampling parameters", async () => {
    const { openai, upstream } = await gatewayBefore([stream(reply("Hi"))]);
    const sampling = { temperature: 0.5, top_p: 0.9, presence_penalty: 0.1, seed: 3, max_completion_tokens: 9 };
    await ask(openai, { model, messages, ...sampling });
    expect(upstream.requests[0]?.body).toMatchObject({
      temperature: 0.5,
      top_p: 0.9,
      presence_penalty: 0.1,
      seed: 3,
      max_tokens: 9,
    });
  });

  it("gives each choice a seed of its own", async () => {
    const { openai, upstream } = await gatewayBefore([stream(reply("Hi"))]);
    await ask(openai, { model, messages, seed: 3, n: 2 });
    expect(upstream.requests.map(({ body }) => body.seed).sort()).toEqual([3, 4]);
  });

  it("reports that the token limit truncated the reply", async () => {
    const cut = [delta("<tool_call>\n"), delta('{"name": "get_weather", "arguments": {"ci'), delta({}, "length"), DONE];
    const { openai, upstream } = await gatewayBefore([stream(cut)]);
    const { choices } = await ask(openai, { model, messages, tools }).catch(({ message }: Error) => ({
      choices: [{ finish_reason: message }],
    }));
    expect(choices[0]?.finish_reason).toMatch(/length/);
    expect(upstream.requests).toHaveLength(1);
  });

  it("returns several choices", async () => {
    const { openai } = await gatewayBefore([stream(reply("Hello")), stream(reply("Hi"))]);
    const { choices } = await ask(openai, { model, messages, n: 2 });
    expect(choices.map(({ message }) => message.content).sort()).toEqual(["Hello", "Hi"]);
    expect(choices.map(({ index, finish_reason }) => [index, finish_reason])).toEqual([
      [0, "stop"],
      [1, "stop"],
    ]);
  });

  it("returns thoughts separately", async () => {
    const { post } = await gatewayBefore([stream([delta({ reasoning_content: "Hm." }), ...reply("Hi")])]);
    const answer = await post("/v1/chat/completions", { model, messages, stream: way === "streamed" });
    const text = await answer.text();
    expect(text).toContain('"reasoning_content":"Hm."');
    expect(text).toContain('"content":"Hi"');
  });

  it("supports the deprecated functions", async () => {
    const { openai } = await gatewayBefore([stream(reply(...pieces(two)))]);
    const functions = [{ name: "get_weather", parameters }];
    const { choices } = await ask(openai, { model, messages, functions });
    expect(choices[0]).toMatchObject({
      finish_reason: "function_call",
      message: { function_call: { name: "get_weather", arguments: expect.stringContaining("Oslo") } },
    });
  });

  it("refuses with the upstream's status and message, before anything is sent", async () => {
    const said = { error: { message: "This model's maximum context length is 100 tokens.", code: null } };
    const { openai } = await gatewayBefore([status(400, said)]);
    const error = await ask(openai, { model, messages }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ status: 400, code: "context_length_exceeded" });
    expect((error as Error).message).toContain("maximum context length is 100 tokens");
  });

  it("does not return the request that a FastAPI server repeats, nor read a code from it", async () => {
    const asked = [{ role: "user" as const, content: "Explain the context length." }];
    const detail = Array.from({ length: 50 }, (_, n) => ({
      type: "missing",
      loc: ["body", "messages", n],
      msg: "Field required",
      input: { model, messages: asked },
    }));
    const { openai } = await gatewayBefore([status(422, { detail })]);
    const error: unknown = await ask(openai, { model, messages: asked }).catch((error: unknown) => error);
    expect(error).toMatchObject({ status: 400, code: "upstream_http" });
    const { message } = error as Error;
    expect(message).toMatch(/body\.messages\.0: Field required; body\.messages\.1: .+…$/);
    expect(message).not.toContain("Explain");
    expect(message.length).toBeLessThan(520);
  });

  it("passes on 429 and retry-after", async () => {
    const busy = status(429, { error: { message: "Slow down." } }, { "retry-after": "77" });
    const { openai } = await gatewayBefore([busy]);
    const error = await ask(openai, { model, messages }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect((error as InstanceType<typeof OpenAI.RateLimitError>).headers.get("retry-after")).toBe("77");
  });

  it("reports what is wrong with a request", async () => {
    const { openai } = await gatewayBefore([stream(reply("Hi"))]);
    const failure = async (request: object) => {
      const error = await ask(openai, { model, messages, ...request } as never).catch((error: unknown) => error);
      const { status, code, param, message } = error as InstanceType<typeof OpenAI.APIError>;
      return { status, code, param, message };
    };
    expect(await failure({ model: "mm" })).toMatchObject({
      status: 404,
      code: "model_not_found",
      message: expect.stringContaining('Did you mean "m"?'),
    });
    const cases: [object, string, string, string][] = [
      [{ temperature: "hot" }, "temperature", "invalid_type", '`temperature` must be a number from 0 to 2, not "hot".'],
      [{ temperature: 5 }, "temperature", "decimal_above_max_value", "must be a number from 0 to 2, not 5."],
      [{ max_tokens: 0 }, "max_tokens", "integer_below_min_value", "must be a whole number from 1, not 0."],
      [{ max_tokens: 1.5 }, "max_tokens", "invalid_type", "must be a whole number from 1, not 1.5."],
      [{ max_tokens: 1e300 }, "max_tokens", "integer_above_max_value", "must be a whole number from 1"],
      [
        { seed: 1e300 },
        "seed",
        "integer_above_max_value",
        "`seed` must be a whole number up to 9007199254740991, not ",
      ],
      [{ seed: 0.5 }, "seed", "invalid_type", "`seed` must be a whole number, not 0.5."],
      [
        { parallel_tool_calls: "yes" },
        "parallel_tool_calls",
        "invalid_type",
        '`parallel_tool_calls` must be true or false, not "yes".',
      ],
      [{ model: undefined }, "model", "missing_required_parameter", "is missing: it must be the name of a model."],
      [{ model: "" }, "model", "empty_string", '`model` must be the name of a model, not "".'],
      [{ messages: [] }, "messages", "empty_array", "`messages` needs at least one message."],
      [{ response_format: { type: "jsn" } }, "response_format.type", "invalid_value", 'there is no type "jsn".'],
      [{ response_format: { type: 5 } }, "response_format.type", "invalid_type", 'must be "text", "json_object" or'],
      [{ response_format: {} }, "response_format.type", "missing_required_parameter", 'is missing: it must be "text"'],
      [{ chat_template_kwargs: { "a.b": [] } }, 'chat_template_kwargs["a.b"]', "invalid_type", "must be a string, a"],
      [{ tools: [{ type: "function" }] }, "tools[0].function", "missing_required_parameter", "is missing: it must be "],
      [{ tools: [5] }, "tools[0]", "invalid_type", "not 5."],
      [{ tool_choice: "nope" }, "tool_choice", "invalid_value", '`tool_choice` must be "auto"'],
    ];
    for (const [request, param, code, words] of cases)
      expect(await failure(request)).toMatchObject({
        status: 400,
        param,
        code,
        message: expect.stringContaining(words),
      });
    expect(await failure({ messages: [{ role: "cook", content: "x" }] })).toMatchObject({
      status: 400,
      param: "messages[0].role",
      code: "invalid_value",
    });
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    expect(await failure({ messages: [{ role: "user", content: [image] }] })).toMatchObject({
      status: 400,
      code: "unsupported_content",
      param: "messages[0].content[0]",
    });
    expect(await failure({ tools, tool_choice: { type: "function", function: { name: "nope" } } })).toMatchObject({
      status: 400,
    });
  });
});

describe("a stream of Chat Completions", () => {
  it("has each call's index, id and name first, then its arguments, one finish reason, and the requested usage", async () => {
    const { post } = await gatewayBefore([stream(reply(...pieces(two)))]);
    const body = { model, messages, tools, stream: true, stream_options: { include_usage: true } };
    const answer = await post("/v1/chat/completions", body);
    expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const chunks = eventsIn(await answer.text()).map(({ data }) => data as OpenAI.ChatCompletionChunk | "[DONE]");
    expect(chunks.at(-1)).toBe("[DONE]");
    const said = chunks.filter((chunk) => chunk !== "[DONE]");
    expect(said[0]?.choices[0]?.delta).toEqual({ role: "assistant", content: "" });
    const calls = said.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    const begun = calls.filter(({ id }) => id !== undefined);
    expect(begun).toMatchObject([
      { index: 0, type: "function", function: { name: "get_weather", arguments: "" } },
      { index: 1, type: "function", function: { name: "get_weather", arguments: "" } },
    ]);
    for (const index of [0, 1]) {
      const args = calls.filter((one) => one.index === index).map((one) => one.function?.arguments);
      expect(args.length).toBeGreaterThan(3);
      expect(JSON.parse(args.join(""))).toEqual({ city: index === 0 ? "Oslo" : "Rome" });
    }
    expect(said.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(["tool_calls"]);
    expect(said.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 7 } });
    expect(said.filter(({ choices }) => choices.length === 0)).toHaveLength(1);
    expect(new Set(said.map(({ id }) => id)).size).toBe(1);
  });

  it("reports an error in the middle", async () => {
    const broken = [delta("It is "), event({ error: { message: "The GPU is gone." } })];
    const { openai } = await gatewayBefore([stream(broken)]);
    const asked = await openai.chat.completions.create({ model, messages, stream: true });
    let text = "";
    const reading = (async () => {
      for await (const chunk of asked) text += chunk.choices[0]?.delta.content ?? "";
    })();
    await expect(reading).rejects.toThrow(/The GPU is gone/);
    expect(text).toBe("It is");
  });

  it("fails if a call that was begun cannot be completed, instead of sending half of it", async () => {
    const broken = [delta("<tool_call>\n"), delta('{"name": "get_weather", "arguments": {"city": "Oslo"')];
    const { openai } = await gatewayBefore([stream(broken)]);
    const asked = openai.chat.completions.stream({ model, messages, tools });
    await expect(asked.finalChatCompletion()).rejects.toThrow();
  });

  it("ends the upstream's work when the client leaves", async () => {
    const { openai, upstream } = await gatewayBefore([stream(reply("a").slice(0, 2), { end: false })]);
    const asked = await openai.chat.completions.create({ model, messages, stream: true });
    for await (const chunk of asked) if (chunk.choices[0]?.delta.content) break;
    expect(await upstream.requests[0]!.closed).toBe("aborted");
  });

  it("ends the upstream's work when the client of a whole answer leaves", async () => {
    const { openai, upstream } = await gatewayBefore([stream(reply("a").slice(0, 2), { end: false })]);
    const stop = new AbortController();
    const asked = openai.chat.completions.create({ model, messages }, { signal: stop.signal });
    while (upstream.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    await expect(asked).rejects.toThrow();
    expect(await upstream.requests[0]!.closed).toBe("aborted");
  });

  it("sends comments while the upstream is silent", async () => {
    const silent = stream([delta("a")], { end: false });
    const { post } = await gatewayBefore([silent], { server: { limits: { keepAlive: 0.02 } } });
    const answer = await post("/v1/chat/completions", { model, messages, stream: true });
    const reader = answer.body!.getReader();
    let text = "";
    while (!/: keep-alive\n\n: keep-alive/.test(text)) {
      text += new TextDecoder().decode((await reader.read()).value);
    }
    await reader.cancel();
    expect(text).toContain('"content":"a"');
  });

  it.each([
    ["only an unknown key", { extra: "x" }, {}],
    ["an unknown key in place of it", { unit: "C", extra: "x" }, { unit: "C" }],
    ["two of them", { unit: "C", extra: "x", more: { extra: 1 } }, { unit: "C" }],
  ])("ends a call that lacks a required key as one that the client refuses: %s", async (_, written, sent) => {
    const strict = { ...parameters, properties: { ...parameters.properties, unit: {} }, additionalProperties: false };
    const { openai } = await gatewayBefore([stream(reply(...pieces(call(written))))]);
    const strictTools = [{ type: "function" as const, function: { name: "get_weather", parameters: strict } }];
    const asked = openai.chat.completions.stream({ model, messages, tools: strictTools });
    const { choices } = await asked.finalChatCompletion();
    expect(choices[0]?.finish_reason).toBe("tool_calls");
    expect(argumentsOf(choices[0]!.message)).toEqual([sent]);
  });

  it("fails at a call with a misspelt optional key, which a client would run without it", async () => {
    const strict = {
      ...parameters,
      properties: { ...parameters.properties, dry_run: {} },
      additionalProperties: false,
    };
    const { openai } = await gatewayBefore([stream(reply(...pieces(call({ city: "Oslo", dry_rn: true }))))]);
    const strictTools = [{ type: "function" as const, function: { name: "get_weather", parameters: strict } }];
    const asked = openai.chat.completions.stream({ model, messages, tools: strictTools });
    await expect(asked.finalChatCompletion()).rejects.toThrow(/cannot be read/);
  });

  it("sends calls whole without liveCalls, and requests wrong arguments again", async () => {
    const { openai, upstream } = await gatewayBefore(
      [stream(reply(call({ town: "Oslo" }))), stream(reply(...pieces(two)))],
      { model: { liveCalls: false } },
    );
    const asked = openai.chat.completions.stream({ model, messages, tools });
    const { choices } = await asked.finalChatCompletion();
    expect(argumentsOf(choices[0]!.message)).toEqual([{ city: "Oslo" }, { city: "Rome" }]);
    expect(upstream.requests).toHaveLength(2);
  });

  it("sends the free text of a custom tool", async () => {
    const patch = '*** Begin\n+1 "quoted"\n';
    const { post } = await gatewayBefore([stream(reply(...pieces(call({ input: patch }, "patch"))))]);
    const custom = [{ type: "custom", custom: { name: "patch", description: "Applies a patch" } }];
    const asked = { model, messages, tools: custom };
    const whole = (await (await post("/v1/chat/completions", asked)).json()) as OpenAI.ChatCompletion;
    expect(whole.choices[0]?.message.tool_calls).toMatchObject([
      { type: "custom", custom: { name: "patch", input: patch } },
    ]);
    const streamed = eventsIn(await (await post("/v1/chat/completions", { ...asked, stream: true })).text());
    const deltas = streamed.flatMap(({ data }) =>
      data === "[DONE]" ? [] : ((data as OpenAI.ChatCompletionChunk).choices[0]?.delta.tool_calls ?? []),
    ) as unknown as { custom: { name?: string; input: string } }[];
    expect(deltas.map(({ custom }) => custom.input).join("")).toBe(patch);
  });

  it("uses the upstream's counts", async () => {
    const counted = [delta("Hi"), delta({}, "stop"), usage(40, 2), DONE];
    const { openai } = await gatewayBefore([stream(counted)]);
    const { usage: cost } = await openai.chat.completions.create({ model, messages });
    expect(cost).toEqual({ prompt_tokens: 40, completion_tokens: 2, total_tokens: 42 });
  });
});
