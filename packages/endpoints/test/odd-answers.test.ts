import { retryAfterMs } from "@toolingua/core/adapters";
import { describe, expect, test } from "vitest";
import * as browser from "../src/browser.js";
import * as node from "../src/index.js";
import { collect, failure, messages } from "./support/collect.js";
import { type Answer, event, reply, scriptedServer, stream } from "./support/scripted-server.js";

/** An error whose body has no end. */
const hanging: Answer = (response) => {
  response.writeHead(503, { "retry-after": "0" });
  response.write("overloaded");
};

describe.each([
  ["undici", node.chatEndpoint],
  ["fetch", browser.chatEndpoint],
])("over %s", (_, chatEndpoint) => {
  test("the status of an error counts even if its body does not end: it is tried again, and the connection is closed", async () => {
    const { baseURL, requests } = await scriptedServer(hanging, stream(reply("Yes")));
    const model = chatEndpoint({ baseURL, model: "m", timeout: { idle: 1000 } });
    expect((await collect(model({ messages }))).text).toBe("Yes");
    expect(await requests[0]!.closed).toBe("aborted");
    const other = await scriptedServer(hanging);
    const once = chatEndpoint({ baseURL: other.baseURL, model: "m", retries: { attempts: 0 } });
    expect(await failure(once({ messages }))).toMatchObject({ code: "http", status: 503, body: "overloaded" });
  });

  test("an answer that cannot be decompressed is not a failed connection, and not requested again", async () => {
    const { baseURL, requests } = await scriptedServer(
      stream(["not compressed at all"], { headers: { "content-encoding": "gzip" } }),
    );
    const model = chatEndpoint({ baseURL, model: "m", retries: { delay: 0 } });
    expect(await failure(model({ messages }))).toMatchObject({
      code: "bad-stream",
      message: expect.stringContaining("cannot be decompressed"),
    });
    expect(requests).toHaveLength(1);
  });
});

test("a choice whose index is null is the first", async () => {
  const choices = [{ index: null, delta: { content: "Yes" }, finish_reason: "stop" }];
  const { baseURL } = await scriptedServer(stream([event({ choices })]));
  expect((await collect(node.chatEndpoint({ baseURL, model: "m" })({ messages }))).text).toBe("Yes");
});

test.each<[Record<string, string>, number | undefined]>([
  [{ "retry-after-ms": "" }, undefined],
  [{ "retry-after-ms": "", "retry-after": "2" }, 2000],
  [{ "retry-after": "-5" }, undefined],
  [{ "retry-after-ms": "-5" }, undefined],
])("no delay is read from %j", (headers, ms) => {
  expect(retryAfterMs((name) => headers[name])).toBe(ms);
});

test("a delay longer than any timer is not shortened to zero", async () => {
  const { baseURL, requests } = await scriptedServer((response) => response.writeHead(503).end());
  const retries = { delay: 2 ** 33, maxDelay: 2 ** 33 };
  const model = node.chatEndpoint({ baseURL, model: "m", retries });
  expect(await failure(model({ messages, signal: AbortSignal.timeout(500) }))).toMatchObject({ name: "TimeoutError" });
  expect(requests).toHaveLength(1);
});

const opened = (text: string, close: string, levels = 50_000) => text.repeat(levels) + close.repeat(levels);

test.each([
  ["an error", `{"error":${opened('{"error":', "}")}}`],
  ["a list of details", `{"error":true,"detail":${opened("[", "]")}}`],
  ["content", `{"choices":[{"delta":{"content":[{"type":"thinking","thinking":${opened('[{"text":', "}]")}}]}}]}`],
  [
    "arguments",
    `{"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":${opened('{"a":', "}")}}}]}}]}`,
  ],
])("%s nested 50,000 levels deep is a bad stream, not an overflow of the stack", async (_, json) => {
  for (const text of [`data: ${json}\n\n`, json]) {
    const { baseURL } = await scriptedServer(stream([text]));
    expect(await failure(node.chatEndpoint({ baseURL, model: "m" })({ messages }))).toMatchObject({
      name: "EndpointError",
      code: "bad-stream",
      message: expect.stringContaining("more than 500 levels deep"),
    });
  }
});

test("an error status whose body is nested 20,000 levels deep is that error", async () => {
  const { baseURL } = await scriptedServer((response) =>
    response.writeHead(400).end(`{"detail":${opened("[", "]", 20_000)}}`),
  );
  expect(await failure(node.chatEndpoint({ baseURL, model: "m" })({ messages }))).toMatchObject({
    code: "http",
    status: 400,
  });
});

test("an answer that begins with much space, in pieces, is read in linear time", async () => {
  const pieces = Array.from({ length: 2_000 }, () => " ".repeat(16_384));
  const { baseURL } = await scriptedServer(stream([...pieces, ...reply("Yes")]));
  expect((await collect(node.chatEndpoint({ baseURL, model: "m" })({ messages }))).text).toBe("Yes");
});
