import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chatEndpoint, completionEndpoint, EndpointError } from "../src/index.js";
import { collect, failure, messages } from "./support/collect.js";
import { DONE, delta, event, reply, scriptedServer, status, stream, usage } from "./support/scripted-server.js";

/** What a chat endpoint makes of an answer in these pieces. */
async function read(pieces: readonly (string | Uint8Array)[], headers?: Record<string, string>) {
  const { baseURL } = await scriptedServer(stream(pieces, headers && { headers }));
  return collect(chatEndpoint({ baseURL, model: "m" })({ messages }));
}

test("text arrives in chunks, then usage and finish reason", async () => {
  const all = await read(reply("It is", " sunny."));
  expect(all).toMatchObject({ text: "It is sunny.", finish: "stop", usage: { inputTokens: 7, outputTokens: 2 } });
  expect(all.usage).not.toHaveProperty("estimated");
});

test("a completion endpoint reads text completions", async () => {
  const chunk = (text: string, finish_reason: string | null = null) =>
    event({ choices: [{ index: 0, text, finish_reason }] });
  const { baseURL, requests } = await scriptedServer(
    stream([chunk("It is"), chunk(" sunny."), chunk("", "length"), DONE]),
  );
  const all = await collect(completionEndpoint({ baseURL, model: "qwen2.5-7b" })({ messages, prefill: "Well: " }));
  expect(all).toMatchObject({ text: "It is sunny.", finish: "length", usage: { estimated: true } });
  expect(requests[0]).toMatchObject({
    path: "/v1/completions",
    body: { stop: expect.arrayContaining(["<|im_end|>"]) },
  });
  expect(requests[0]!.body.prompt).toMatch(/Oslo\?<\|im_end\|>\n<\|im_start\|>assistant\nWell: $/);
});

describe("calls that the server parsed although it was given no tools are at the end of the text", () => {
  const call = (index: number, fields: object) => delta({ tool_calls: [{ index, function: fields }] });
  const text = 'I look.\n<tool_call>\n{"name": "f", "arguments": {"a":1}}\n</tool_call>';

  test.each([
    ["with a finish reason", [delta({}, "tool_calls"), DONE]],
    ["with [DONE] alone", [DONE]],
  ])("%s", async (_, end) => {
    const pieces = [call(0, { name: "f", arguments: '{"a"' }), call(0, { arguments: ":1}" })];
    expect(await read([delta("I look."), ...pieces, ...end])).toMatchObject({ text });
  });

  test("under the older name of one call", async () => {
    const pieces = [{ name: "f", arguments: '{"a"' }, { arguments: ":1}" }].map((function_call) =>
      delta({ function_call }),
    );
    expect(await read([delta("I look."), ...pieces, delta({}, "function_call"), DONE])).toMatchObject({ text });
  });

  test("in an answer that is no stream", async () => {
    const message = { content: "I look.", tool_calls: [{ id: "1", function: { name: "f", arguments: '{"a":1}' } }] };
    const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: "tool_calls" }] });
    const { baseURL } = await scriptedServer(status(200, body, { "content-type": "application/json" }));
    expect(await collect(chatEndpoint({ baseURL, model: "m" })({ messages }))).toMatchObject({ text });
  });
});

describe("reasoning is separate from the text", () => {
  test.each([
    ["reasoning_content", [{ reasoning_content: "Hm," }, { reasoning_content: " sun?" }]],
    ["reasoning", [{ reasoning: "Hm," }, { reasoning: " sun?", content: null }]],
    [
      "both names, with the same thoughts",
      [
        { reasoning: "Hm,", reasoning_content: "Hm," },
        { reasoning_content: " sun?", reasoning: " sun?" },
      ],
    ],
    [
      "parts of the content",
      [
        { content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm," }] }] },
        { content: [{ type: "thinking", thinking: " sun?" }] },
      ],
    ],
  ])("%s", async (_, thoughts) => {
    const all = await read([...thoughts.map((one) => delta(one)), delta("Sunny."), delta({}, "stop"), DONE]);
    expect(all).toMatchObject({ reasoning: "Hm, sun?", text: "Sunny." });
  });
});

describe("wrong answers of servers are read anyway", () => {
  const good = reply("It is", " sünny 😀.").join("");
  const expected = { text: "It is sünny 😀.", finish: "stop", usage: { inputTokens: 7, outputTokens: 2 } };

  test.each<[string, string]>([
    ["CRLF", good.replaceAll("\n", "\r\n")],
    ["CR", good.replaceAll("\n", "\r")],
    ["no space after data:", good.replaceAll("data: ", "data:")],
    [
      "comments and other fields",
      `: ping\n\nretry: 3\nid: 4\nevent: x\n\n${good.replaceAll("\n\n", "\n\n: keep-alive\n\n")}`,
    ],
    ["empty events", `data:\n\ndata: \n\n${good}`],
    ["events that single line breaks part", good.replaceAll("\n\n", "\n")],
    ["events without a choice before the first", `${event({ choices: [], prompt_filter_results: [] })}${good}`],
    ["a byte order mark", `\ufeff${good}`],
    ["leading empty lines", `\r\n\n${good}`],
    ["no [DONE]", good.replace(DONE, "")],
    ["an end in the middle of the last line break", good.slice(0, -1)],
    ["an end without a line break", good.slice(0, -2)],
    ["lines that are no fields", `hello\n<!-- x -->\n\n${good}`],
    ["fields that are null", good.replaceAll('"index":0', '"index":0,"error":null,"logprobs":null')],
    [
      "placeholders for usage",
      good.replaceAll('"choices":[{', '"usage":{"prompt_tokens":0,"completion_tokens":0},"choices":[{'),
    ],
    ["events after [DONE]", `${good}${delta("no")}`],
  ])("%s", async (_, text) => {
    expect(await read([text])).toMatchObject(expected);
  });

  test("an answer that is not a stream", async () => {
    const message = { role: "assistant", content: "It is sunny.", reasoning_content: "Hm." };
    const body = {
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage: { prompt_tokens: 7, completion_tokens: 2 },
    };
    const { baseURL } = await scriptedServer(status(200, JSON.stringify(body, null, 2)));
    const all = await collect(chatEndpoint({ baseURL, model: "m" })({ messages }));
    expect(all).toMatchObject({ text: "It is sunny.", reasoning: "Hm.", finish: "stop", usage: { outputTokens: 2 } });
  });

  test("a wrong content type", async () => {
    expect(await read([good], { "content-type": "application/json" })).toMatchObject(expected);
  });

  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
  ])("unrequested compression with %s", async (encoding, compress) => {
    const bytes = compress(good);
    const pieces = [bytes.subarray(0, 9), bytes.subarray(9)];
    expect(await read(pieces, { "content-encoding": encoding })).toMatchObject(expected);
  });

  test("a finish reason in an object, and one of another choice", async () => {
    const other = event({ choices: [{ index: 1, delta: { content: "no" }, finish_reason: "length" }] });
    const last = event({ choices: [{ index: 0, delta: {}, finish_reason: { type: "stop", matched: 2 } }] });
    expect(await read([delta("Yes"), other, last, DONE])).toMatchObject({ text: "Yes", finish: "stop" });
  });
});

test("the same is read from any chunks of bytes", async () => {
  const bytes = Buffer.from(reply("It is", " sünny 😀", " in 東京.").join("").replaceAll("\n", "\r\n"));
  const cuts = fc.array(fc.nat(bytes.length), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(cuts, async (at) => {
      const edges = [0, ...at.sort((a, b) => a - b), bytes.length];
      const pieces = edges.slice(1).map((end, i) => bytes.subarray(edges[i], end));
      // Without a socket, which would join them.
      const fetch = async () =>
        new Response(
          new ReadableStream({
            start(to) {
              for (const piece of pieces) to.enqueue(piece);
              to.close();
            },
          }),
        );
      const model = chatEndpoint({ baseURL: "http://localhost/v1", model: "m", fetch });
      const { text, finish, usage: spent } = await collect(model({ messages }));
      expect([text, finish, spent]).toEqual(["It is sünny 😀 in 東京.", "stop", { inputTokens: 7, outputTokens: 3 }]);
    }),
  );
});

describe("stop sequences that the server ignored", () => {
  test("end the reply here, in any chunks, and end the server's work", async () => {
    const { baseURL, requests } = await scriptedServer(
      stream([delta("Sunny.</ca"), delta("ll> and"), delta(" more")], { end: false }),
    );
    const all = await collect(
      chatEndpoint({ baseURL, model: "m" })({
        messages,
        stop: ["<a>", "<b>", "<c>", "<d>", "</call>"],
      }),
    );
    expect(all).toMatchObject({ text: "Sunny.", finish: "stop", usage: { estimated: true } });
    expect(requests[0]!.body.stop).toEqual(["<a>", "<b>", "<c>", "<d>"]);
    expect(await requests[0]!.closed).toBe("aborted");
  });

  test("emit a mere prefix of one at the end", async () => {
    const { baseURL } = await scriptedServer(stream(reply("Sunny </ca")));
    expect((await collect(chatEndpoint({ baseURL, model: "m" })({ messages, stop: ["</call>"] }))).text).toBe(
      "Sunny </ca",
    );
  });
});

describe("the usage of a reply", () => {
  test("is estimated if the server reports none", async () => {
    const { usage: spent } = await read([delta("It is"), delta(" sunny."), delta({}, "stop"), DONE]);
    expect(spent).toEqual({ inputTokens: 11, outputTokens: 3, estimated: true });
  });

  test("is estimated with the reasoning that arrives together with the text", async () => {
    const piece = delta({ reasoning_content: "o".repeat(400), content: "Hi" });
    const { usage: spent } = await read([piece, delta({}, "stop"), DONE]);
    expect(spent).toMatchObject({ outputTokens: 101, estimated: true });
  });

  test("says how many tokens came from a cache, and how many are reasoning", async () => {
    const counts = { prompt_tokens: 9, completion_tokens: 5 };
    const reads = async (more: object) =>
      (await read([delta("Hi"), delta({}, "stop"), event({ choices: [], ...more }), DONE])).usage;
    const details = {
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 3 },
    };
    const both = { inputTokens: 9, outputTokens: 5 };
    expect(await reads({ usage: { ...counts, ...details } })).toEqual({
      ...both,
      ...{ cacheReadTokens: 4, cacheWriteTokens: 2, reasoningTokens: 3 },
    });
    // llama.cpp counts the tokens of its cache beside the usage.
    const timings = { prompt_n: 3, cache_n: 6, predicted_n: 5 };
    expect(await reads({ usage: counts, timings })).toEqual({ ...both, cacheReadTokens: 6 });
    const deepSeek = { prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 1 };
    expect(await reads({ usage: { ...counts, ...deepSeek } })).toEqual({ ...both, cacheReadTokens: 8 });
    const none = { prompt_tokens_details: null, completion_tokens_details: { reasoning_tokens: "3" } };
    expect(await reads({ usage: { ...counts, ...none } })).toEqual(both);
  });

  test("is known to a reader that stops early: the server's own, if it is in each chunk", async () => {
    const timed = (text: string, predicted_n: number) =>
      event({ choices: [{ index: 0, delta: { content: text } }], timings: { prompt_n: 5, cache_n: 4, predicted_n } });
    const { baseURL, requests } = await scriptedServer(stream([timed("It", 1), timed(" is", 2)], { end: false }));
    let spent: unknown;
    for await (const chunk of chatEndpoint({ baseURL, model: "m", backend: "llama.cpp" })({ messages })) {
      if (typeof chunk !== "string") spent = chunk.usage;
      else if (chunk.includes("is")) break;
    }
    expect(spent).toEqual({ inputTokens: 9, outputTokens: 2, cacheReadTokens: 4 });
    expect(await requests[0]!.closed).toBe("aborted");
  });
});

describe("a stream that fails", () => {
  test.each<[string, string[], Partial<EndpointError>]>([
    [
      "an error in the middle",
      [delta("It is"), event({ error: { message: "out of memory", code: 500 } })],
      { code: "server-error", message: expect.stringContaining("out of memory") },
    ],
    [
      "an error that is a bare line",
      [delta("It is"), '{"error": "out of memory"}\n'],
      { code: "server-error", body: '{"error":"out of memory"}' },
    ],
    ["an error as a finish reason", [delta("It is"), delta({}, "abort")], { code: "cut-off" }],
    ["a finish reason beside text", [delta("It"), delta(" is", "error")], { code: "cut-off" }],
    [
      "an error of a choice beside text",
      [event({ choices: [{ delta: { content: "It is" }, error: { message: "oops" } }] })],
      { code: "server-error", message: expect.stringContaining("oops") },
    ],
    [
      "an event that is named an error",
      [delta("It is"), 'event: error\ndata: {"message":"oops"}\n\n'],
      { code: "server-error", message: expect.stringContaining("error: oops") },
    ],
    [
      "such an event that is no JSON",
      [delta("It is"), "event: error\ndata: oops\n\n"],
      { code: "server-error", message: expect.stringContaining("error: oops") },
    ],
    ["an end without a finish reason", [delta("It is")], { code: "cut-off" }],
    ["an end in the middle of an event", [delta("It is"), 'data: {"id":"x","choi'], { code: "cut-off" }],
    ["an end in the middle of one after others", [`${delta("It is").trimEnd()}\ndata: {"id`], { code: "cut-off" }],
    ["an event that is not JSON", [delta("It is"), "data: oops\n\n"], { code: "bad-stream", body: "oops" }],
    ["JSON that is not an object", [delta("It is"), "data: 7\n\n"], { code: "bad-stream" }],
  ])("by %s is a typed error, with the text so far", async (_, pieces, expected) => {
    const { baseURL } = await scriptedServer(stream(pieces));
    const error = await failure(chatEndpoint({ baseURL, model: "m" })({ messages }));
    expect(error).toBeInstanceOf(EndpointError);
    expect(error).toMatchObject({ ...expected, partialText: "It is" });
  });

  test.each([
    ["a page of a proxy", "<html>Please log in</html>"],
    ["nothing at all", ""],
    ["half of JSON", '{"choices": ['],
    ["JSON of something else", "[1]"],
    ["a notice", '{"detail":"Model is loading"}'],
    ["an object without choices", '{"id":"x"}'],
    ["choices without one", '{"choices":[]}'],
    ["a choice without a message", '{"choices":[{"index":0}]}'],
    ["an answer of another API", '{"message":{"content":"hi"},"done":true}'],
    ["a number as content", '{"choices":[{"message":{"content":5},"finish_reason":"stop"}]}'],
    ["the end of a stream alone", DONE],
    ["a stream of notices", `${event({ message: "Model loading" })}${DONE}`],
    ["a stream of notices without [DONE]", event({ message: "Model loading" })],
    ["a stream with usage alone", `${usage(1, 0)}${DONE}`],
  ])("%s instead of a stream", async (_, body) => {
    const { baseURL } = await scriptedServer(status(200, body, { "content-type": "text/html" }));
    const error = await failure(chatEndpoint({ baseURL, model: "m" })({ messages }));
    expect(error).toMatchObject({ code: "bad-stream", partialText: "" });
    // The error shows the answer, as far as there is one.
    expect((error as Error).message).toContain(/loading|hi|<html>/.exec(body)?.[0] ?? "");
  });

  test.each(["<html>login</html>", "<html>login</html>\n", "data: {}\n"])(
    "the error shows what the server sent: %j",
    async (body) => {
      const { baseURL } = await scriptedServer(status(200, body, { "content-type": "text/html" }));
      const error = (await failure(chatEndpoint({ baseURL, model: "m" })({ messages }))) as EndpointError;
      expect(error).toMatchObject({ code: "bad-stream", body });
      expect(error.message.endsWith(` It begins with: ${JSON.stringify(body)}`)).toBe(true);
    },
  );

  test("an event that is named an error, before any text", async () => {
    const { baseURL } = await scriptedServer(stream(['event: error\ndata: {"message":"oops"}\n\n']));
    const error = await failure(chatEndpoint({ baseURL, model: "m" })({ messages }));
    expect(error).toMatchObject({ code: "server-error", message: expect.stringContaining("error: oops") });
  });

  test("an error with status 200", async () => {
    const { baseURL } = await scriptedServer(status(200, { error: "model not found" }));
    const error = await failure(chatEndpoint({ baseURL, model: "m" })({ messages }));
    expect(error).toMatchObject({ code: "server-error", message: expect.stringContaining("model not found") });
  });

  test("a connection that breaks in the middle truncates the reply, and the text so far is kept", async () => {
    const { baseURL, requests } = await scriptedServer(async (response) => {
      await stream([delta("It"), delta(" is")], { end: false })(response, undefined as never);
      setTimeout(() => response.destroy(), 20);
    });
    const error = await failure(chatEndpoint({ baseURL, model: "m" })({ messages }));
    expect(error).toMatchObject({ code: "cut-off", partialText: "It is" });
    expect(requests).toHaveLength(1);
  });

  test("an event that is cut off after the reply is complete is no error", async () => {
    const { baseURL } = await scriptedServer(stream([delta("It is"), delta({}, "stop"), 'data: {"usage":{"pro']));
    expect(await collect(chatEndpoint({ baseURL, model: "m" })({ messages }))).toMatchObject({ finish: "stop" });
  });

  test("a connection that breaks after the reply is complete is no error", async () => {
    const { baseURL } = await scriptedServer(async (response) => {
      await stream([delta("It is"), delta({}, "stop")], { end: false })(response, undefined as never);
      setTimeout(() => response.destroy(), 20);
    });
    expect(await collect(chatEndpoint({ baseURL, model: "m" })({ messages }))).toMatchObject({
      text: "It is",
      finish: "stop",
    });
  });
});

test.each([
  ["an empty delta", [delta({}, "stop"), DONE]],
  ["content that is null", [delta({ role: "assistant", content: null }), DONE]],
  ["no delta", [event({ choices: [{ index: 0, finish_reason: "stop" }] })]],
  ["one object", ['{"choices":[{"message":{"role":"assistant","content":""},"finish_reason":"stop"}]}']],
])("an empty answer is one: %s", async (_, pieces) => {
  expect(await read(pieces)).toMatchObject({ text: "" });
});

test("usage after the finish reason is waited for", async () => {
  expect((await read([delta("Yes"), delta({}, "stop"), ": ping\n\n", usage(3, 1), DONE])).usage).toEqual({
    inputTokens: 3,
    outputTokens: 1,
  });
});

describe("a complete reply is returned even if the connection stays open without [DONE]", () => {
  const timeout = { idle: 4000 };

  test.each([
    ["nothing follows", [delta("Yes"), delta({}, "stop")]],
    ["usage follows", [delta("Yes"), delta({}, "stop"), usage(3, 1)]],
    ["all came at once", [delta("Yes") + delta({}, "stop")]],
  ])("%s", async (_, pieces) => {
    const { baseURL, requests } = await scriptedServer(stream(pieces, { end: false }));
    const all = await collect(chatEndpoint({ baseURL, model: "m", timeout })({ messages }));
    expect(all).toMatchObject({ text: "Yes", finish: "stop" });
    if (pieces.length === 3) expect(all.usage).toEqual({ inputTokens: 3, outputTokens: 1 });
    expect(await requests[0]!.closed).toBe("aborted");
  });

  test("comments keep coming", async () => {
    const { baseURL } = await scriptedServer(async (response) => {
      await stream([delta("Yes"), delta({}, "stop")], { end: false })(response, undefined as never);
      const pings = setInterval(() => response.write(": ping\n\n"), 20);
      response.once("close", () => clearInterval(pings));
    });
    expect((await collect(chatEndpoint({ baseURL, model: "m", timeout })({ messages }))).text).toBe("Yes");
  });

  test("the total timeout ends meanwhile", async () => {
    const { baseURL } = await scriptedServer(stream([delta("Yes"), delta({}, "stop")], { end: false }));
    const endpoint = chatEndpoint({ baseURL, model: "m", timeout: { total: 600 } });
    expect(await collect(endpoint({ messages }))).toMatchObject({ text: "Yes", finish: "stop" });
  });
});
