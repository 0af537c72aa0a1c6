import type { TextModelRequest } from "@toolingua/core";
import { generateWithTools } from "@toolingua/core";
import { describe, expect, test } from "vitest";
import { type ChatEndpointOptions, chatEndpoint, completionEndpoint } from "../src/index.js";
import { collect, failure, messages } from "./support/collect.js";
import { reply, scriptedServer, status, stream } from "./support/scripted-server.js";

/** The body that a server gets, for these options and this request. */
async function sent(options: Partial<ChatEndpointOptions>, request: Partial<TextModelRequest> = {}) {
  const { baseURL, requests } = await scriptedServer(stream(reply("Yes")));
  await collect(chatEndpoint({ baseURL, model: "m", ...options })({ messages, ...request }));
  return requests[0]!;
}

test("a request contains the given options and nothing else", async () => {
  const { body, path, headers } = await sent(
    { apiKey: "sk-123456", headers: { "X-Team": "blue" } },
    { stop: ["END"], maxTokens: 9, temperature: 0, seed: 4 },
  );
  expect(path).toBe("/v1/chat/completions");
  expect(headers).toMatchObject({
    authorization: "Bearer sk-123456",
    "x-team": "blue",
    "content-type": "application/json",
  });
  expect(body).toEqual({
    model: "m",
    messages,
    stream: true,
    stream_options: { include_usage: true },
    stop: ["END"],
    max_tokens: 9,
    temperature: 0,
    seed: 4,
  });
});

test("an address keeps its query, and needs no trailing slash", async () => {
  const { baseURL, requests } = await scriptedServer(stream(reply("Yes")));
  await collect(chatEndpoint({ baseURL: `${baseURL}/?api-version=2`, model: "m" })({ messages }));
  expect(requests[0]!.path).toBe("/v1/chat/completions?api-version=2");
});

test("a key that expires is asked for before each request", async () => {
  const { baseURL, requests } = await scriptedServer(stream(reply("Yes")));
  let count = 0;
  const model = chatEndpoint({ baseURL, model: "m", apiKey: async () => `key-${++count}` });
  await collect(model({ messages }));
  await collect(model({ messages }));
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer key-1", "Bearer key-2"]);
});

test("the call's options override additional request fields", async () => {
  const { body } = await sent({ body: { top_p: 0.9, temperature: 1 } }, { temperature: 0, fields: { top_p: 0.5 } });
  expect(body).toMatchObject({ top_p: 0.5, temperature: 0 });
});

test("no request contains tools", async () => {
  const { baseURL, requests } = await scriptedServer(
    stream(reply('<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>')),
  );
  const model = chatEndpoint({ baseURL, model: "m" });
  const { toolCalls } = await generateWithTools({
    model,
    messages,
    tools: [{ name: "now" }],
    protocol: "hermes",
  }).result();
  expect(toolCalls).toMatchObject([{ name: "now" }]);
  expect(Object.keys(requests[0]!.body).filter((name) => /tool|function/.test(name))).toEqual([]);
  expect(() => chatEndpoint({ baseURL, model: "m", body: { tools: [] } })).toThrow(/`body` cannot have "tools"/);
  expect(() => model({ messages, fields: { tool_choice: "auto" } })).toThrow(/`fields` cannot have "tool_choice"/);
});

test("fields that cannot be JSON are refused, with their place", async () => {
  const itself: Record<string, unknown> = {};
  itself.own = itself;
  for (const [fields, message] of [
    [{ seed: 1n }, "`NAME.seed` cannot be sent as JSON: it is a bigint."],
    [{ a: [{ b: () => 1 }] }, "`NAME.a[0].b` cannot be sent as JSON: it is a function."],
    [itself, "levels deep, or contains itself."],
  ] as const) {
    const refused = (name: string) =>
      expect.objectContaining({
        name: "OptionsError",
        code: "bad-option",
        message: expect.stringContaining(message.replace("NAME", name)),
      });
    const options = { baseURL: "http://127.0.0.1:1/v1", model: "qwen2.5:7b" };
    for (const endpoint of [chatEndpoint, completionEndpoint]) {
      expect(() => endpoint({ ...options, body: fields } as never)).toThrow(refused("body"));
      const model = endpoint(options as never);
      await expect(async () => await collect(model({ messages, fields }))).rejects.toEqual(refused("fields"));
    }
  }
});

describe("a prefill", () => {
  const last = { role: "assistant", content: "<think>\n" };

  test.each(["llama.cpp", "vllm", "sglang"] as const)("is a message that %s continues", async (backend) => {
    const { body } = await sent({ backend }, { prefill: last.content });
    expect(body).toMatchObject({
      messages: [...messages, last],
      continue_final_message: true,
      add_generation_prompt: false,
    });
  });

  test("is a last message for Ollama, and by option", async () => {
    expect((await sent({ backend: "ollama" }, { prefill: last.content })).body.messages).toEqual([...messages, last]);
    expect((await sent({ prefill: true }, { prefill: last.content })).body.messages).toEqual([...messages, last]);
  });

  test("is omitted for unknown servers, and by option", async () => {
    expect((await sent({}, { prefill: last.content })).body.messages).toEqual(messages);
    expect((await sent({ backend: "vllm", prefill: false }, { prefill: last.content })).body.messages).toEqual(
      messages,
    );
  });
});

describe("a grammar", () => {
  const constraint = { type: "gbnf" as const, grammar: 'root ::= "yes" | "no"\n' };
  const late = { ...constraint, triggers: [{ type: "word" as const, value: "<tool_call>" }] };

  test("is sent in the form that the server reads", async () => {
    expect((await sent({ backend: "llama.cpp" }, { constraint })).body).toMatchObject({ grammar: constraint.grammar });
    expect((await sent({ backend: "vllm" }, { constraint })).body).toMatchObject({
      structured_outputs: { grammar: expect.stringContaining('"yes"') },
    });
    expect((await sent({ backend: "sglang" }, { constraint })).body).toMatchObject({
      ebnf: expect.stringContaining('"yes"'),
    });
  });

  test("that begins late is sent as the grammar of the whole reply, because no server waits with it", async () => {
    const held = { ...late, whole: 'root ::= "text" | "yes"\n' };
    const { grammar, ...more } = (await sent({ backend: "llama.cpp" }, { constraint: held })).body;
    expect(grammar).toBe(held.whole);
    // The server overwrites these of a chat request.
    expect(more).not.toHaveProperty("grammar_lazy");
    expect(more).not.toHaveProperty("preserved_tokens");
    expect((await sent({ backend: "vllm" }, { constraint: held })).body).toMatchObject({
      structured_outputs: { grammar: expect.stringContaining('"text"') },
    });
  });

  test("keeps its triggers in the text of a completion of llama.cpp, which leaves special tokens out", async () => {
    const { baseURL, requests } = await scriptedServer(stream(reply("Yes")));
    const model = completionEndpoint({ baseURL, model: "m", format: "chatml", backend: "llama.cpp" });
    await collect(model({ messages, constraint: { ...late, whole: 'root ::= "Yes"\n' } }));
    expect(requests[0]?.body).toMatchObject({ preserved_tokens: ["<tool_call>"], grammar: 'root ::= "Yes"\n' });
  });

  test.each(["llama.cpp", "vllm", "sglang"] as const)(
    "that begins late is an error for %s without that of the whole reply: it would force a call",
    async (backend) => {
      const sending = sent({ backend }, { constraint: late });
      await expect(sending).rejects.toThrow(expect.objectContaining({ code: "unsupported" }));
    },
  );

  test.each([undefined, "openai", "ollama"] as const)("is never omitted silently by %s", async (backend) => {
    const { baseURL, requests } = await scriptedServer(stream(reply("Yes")));
    const model = chatEndpoint({ baseURL, model: "m", backend });
    expect(() => model({ messages, constraint })).toThrow(expect.objectContaining({ code: "unsupported" }));
    expect(requests).toEqual([]);
  });

  test("may be a JSON Schema, which generateWithTools makes for a backend", async () => {
    const { baseURL, requests } = await scriptedServer(stream(reply('{"name": "now", "arguments": {}}')));
    const model = chatEndpoint({ baseURL, model: "m", backend: "openai" });
    const tools = [{ name: "now" }];
    await generateWithTools({
      model,
      messages,
      tools,
      toolChoice: "required",
      constraint: "required",
      backend: "openai",
      protocol: "json-action",
    }).result();
    expect(requests[0]!.body).toMatchObject({ response_format: { type: "json_schema" } });
  });
});

describe("a field that a server refuses", () => {
  const refusal = (message: string) => status(400, { error: { message } });

  test("is omitted if possible: stream_options, also the next time", async () => {
    const { baseURL, requests } = await scriptedServer(refusal("Unknown field: stream_options"), stream(reply("Yes")));
    const model = chatEndpoint({ baseURL, model: "m" });
    expect((await collect(model({ messages }))).text).toBe("Yes");
    await collect(model({ messages }));
    expect(requests.map(({ body }) => "stream_options" in body)).toEqual([true, false, false]);
  });

  test("gets its other name: max_completion_tokens", async () => {
    const { baseURL, requests } = await scriptedServer(
      refusal("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
      stream(reply("Yes")),
    );
    await collect(chatEndpoint({ baseURL, model: "m" })({ messages, maxTokens: 5 }));
    expect(requests[1]!.body).toMatchObject({ max_completion_tokens: 5 });
    expect(requests[1]!.body).not.toHaveProperty("max_tokens");
  });

  test("is replaced locally: stop sequences", async () => {
    const { baseURL, requests } = await scriptedServer(
      refusal("Unsupported parameter: 'stop' is not supported with this model."),
      stream(reply("Yes END no")),
    );
    expect((await collect(chatEndpoint({ baseURL, model: "m" })({ messages, stop: ["END"] }))).text).toBe("Yes ");
    expect(requests[1]!.body).not.toHaveProperty("stop");
  });

  test("is not sent twice", async () => {
    const { baseURL, requests } = await scriptedServer(refusal("stream_options? No."));
    expect(await failure(chatEndpoint({ baseURL, model: "m" })({ messages }))).toMatchObject({
      code: "http",
      status: 400,
    });
    expect(requests).toHaveLength(2);
  });
});

describe("options are checked at once", () => {
  const good = { baseURL: "http://localhost/v1", model: "m" };

  test.each<[object, RegExp]>([
    [{ model: "m" }, /`baseURL` is missing/],
    [{ baseURL: "http://localhost/v1" }, /`model` is missing/],
    [{ ...good, baseURL: "localhost:11434" }, /`baseURL` begins with http/],
    [{ ...good, baseURL: "/v1" }, /complete URL/],
    [{ ...good, baseURL: "http://localhost/v1/chat/completions" }, /without "\/chat\/completions"/],
    [{ ...good, baseUrl: "x" }, /no "baseUrl" .*Did you mean "baseURL"\?/],
    [{ ...good, backend: "llamacpp" }, /`backend` is "llama.cpp", /],
    [{ ...good, timeout: 5 }, /`timeout` is an object/],
    [{ ...good, timeout: { conect: 5 } }, /no "conect" in `timeout`.*Did you mean "connect"\?/],
    [{ ...good, timeout: { idle: 0 } }, /`timeout.idle` is a number of milliseconds/],
    [{ ...good, retries: { attempts: -1 } }, /`retries.attempts` is a whole number/],
    [{ ...good, maxStops: 1.5 }, /`maxStops` is a whole number/],
    [{ ...good, headers: { "a b": "x" } }, /cannot be the name of a header/],
  ])("%j", (options, message) => {
    expect(() => chatEndpoint(options as ChatEndpointOptions)).toThrow(
      expect.objectContaining({ name: "OptionsError", code: "bad-option", message: expect.stringMatching(message) }),
    );
  });

  test.each<object>([
    { apiKey: "hush-hush\n" },
    { headers: { "x-key": "hush-hush\n" } },
    { baseURL: "http://me:hush-hush@localhost/v1" },
  ])("without showing secrets: %j", (secret) => {
    const make = () => chatEndpoint({ ...good, ...secret });
    expect(make).toThrow(/a line break|a name and password/);
    expect(make).not.toThrow(/hush/);
  });

  test("Ollama has no endpoint for raw prompts", () => {
    expect(() => completionEndpoint({ ...good, backend: "ollama", format: "chatml" })).toThrow(/use `chatEndpoint`/);
  });

  test("a model with an unknown chat format needs an explicit one", () => {
    expect(() => completionEndpoint({ ...good, model: "no-such" })).toThrow(
      expect.objectContaining({ code: "unknown-format" }),
    );
  });
});

test("images of a user are parts before the text; a text prompt refuses them", async () => {
  const images = [{ url: "https://example.com/cat.png", detail: "low" }];
  const system = { role: "system" as const, content: "Look." };
  const { body } = await sent({}, { messages: [system, { role: "user", content: "A cat?", images }] });
  const image = { type: "image_url", image_url: images[0] };
  expect(body.messages).toEqual([system, { role: "user", content: [image, { type: "text", text: "A cat?" }] }]);
  const alone = await sent({}, { messages: [{ role: "user", content: "", images }] });
  expect(alone.body.messages).toEqual([{ role: "user", content: [image] }]);
  const { baseURL, requests } = await scriptedServer(stream(reply("Yes")));
  const model = completionEndpoint({ baseURL, model: "qwen2.5-7b" });
  const refused = collect(model({ messages: [{ role: "user", content: "A cat?", images }] }));
  await expect(refused).rejects.toThrow(/cannot hold images/);
  expect(requests).toEqual([]);
});
