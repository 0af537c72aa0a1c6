import { describe, expect, it } from "vitest";
import { reply, stream } from "../../endpoints/test/support/scripted-server.js";
import { createGateway, type GatewayModelConfig } from "../src/index.js";
import { call, gatewayBefore, parameters } from "./support/gateway.js";

const url = "https://example.com/cat.png";
const data = "data:image/png;base64,AAAA";
const question = "What is in these images?";
const parts = [
  { type: "image_url", image_url: { url } },
  { type: "image_url", image_url: { url: data, detail: "low" } },
  { type: "text", text: question },
];
const hello = () => stream(reply("Two cats."));
const seeing = { model: { vision: true } };

/** The same question with an image in each API. */
const requests: [string, string, object][] = [
  ["Chat Completions", "/v1/chat/completions", { messages: [{ role: "user", content: parts.slice(1) }] }],
  [
    "Responses",
    "/v1/responses",
    {
      input: [
        {
          role: "user",
          content: [
            { type: "input_image", image_url: data, detail: "low" },
            { type: "input_text", text: question },
          ],
        },
      ],
    },
  ],
  [
    "Messages",
    "/v1/messages",
    {
      max_tokens: 100,
      messages: [
        {
          role: "user",
          content: [
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
            { type: "text", text: question },
          ],
        },
      ],
    },
  ],
];

describe.each(requests)("an image in %s", (api, path, body) => {
  it("is sent to a vision model", async () => {
    const { post, upstream } = await gatewayBefore([hello()], seeing);
    const response = await post(path, { model: "m", ...body });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("Two cats.")]);
    const image = { url: data, ...(api !== "Messages" && { detail: "low" }) };
    expect(upstream.requests[0]?.body.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "image_url", image_url: image },
          { type: "text", text: question },
        ],
      },
    ]);
  });

  it("is refused for other models", async () => {
    const { post, upstream } = await gatewayBefore([hello()]);
    const response = await post(path, { model: "m", ...body });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("reads text only")]);
    expect(upstream.requests).toEqual([]);
  });
});

const png = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
const looked = { type: "tool_use", id: "t1", name: "look", input: {} };
const lookedAgain = { ...looked, id: "t2" };
const shown = { type: "input_image", image_url: data, detail: "auto" };
const calling = (call_id: string) => ({ type: "function_call", call_id, name: "look", arguments: "{}" });

/** Results with an image in each API that has them: two calls, of which the first has one, and a text of the user. */
const results: [string, string, object][] = [
  [
    "Messages",
    "/v1/messages",
    {
      max_tokens: 100,
      messages: [
        { role: "user", content: "Look." },
        { role: "assistant", content: [looked, lookedAgain] },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "Here:" }, png] },
            { type: "tool_result", tool_use_id: "t2", content: "dark" },
            { type: "text", text: "Well?" },
          ],
        },
      ],
    },
  ],
  [
    "Responses",
    "/v1/responses",
    {
      input: [
        { role: "user", content: "Look." },
        calling("t1"),
        calling("t2"),
        { type: "function_call_output", call_id: "t1", output: [{ type: "input_text", text: "Here:" }, shown] },
        { type: "function_call_output", call_id: "t2", output: "dark" },
        { role: "user", content: "Well?" },
      ],
    },
  ],
];

describe.each(results)("an image in a result of %s", (_, path, body) => {
  it("is sent to a vision model, with the results", async () => {
    const { post, upstream } = await gatewayBefore([hello()], seeing);
    const response = await post(path, { model: "m", ...body });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("Two cats.")]);
    const sent = upstream.requests[0]!.body.messages as object[];
    const text = "<tool_response>\nHere:\n[image]\n</tool_response>\n<tool_response>\ndark\n</tool_response>\n\nWell?";
    expect(sent.at(-1)).toEqual({
      role: "user",
      content: [
        { type: "image_url", image_url: { url: data } },
        { type: "text", text },
      ],
    });
  });

  it("is refused for other models", async () => {
    const { post, upstream } = await gatewayBefore([hello()]);
    const response = await post(path, { model: "m", ...body });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("reads text only")]);
    expect(upstream.requests).toEqual([]);
  });
});

it("an image that is the whole of a last result is sent, too", async () => {
  for (const [, path, body] of results) {
    const { post, upstream } = await gatewayBefore([hello()], seeing);
    const { messages, input, ...rest } = body as { messages?: object[]; input?: object[] };
    const asked = messages
      ? {
          messages: [
            ...messages.slice(0, 1),
            { role: "assistant", content: [looked] },
            { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: [png] }] },
          ],
        }
      : { input: [...input!.slice(0, 2), { type: "function_call_output", call_id: "t1", output: [shown] }] };
    expect((await post(path, { model: "m", ...rest, ...asked })).status).toBe(200);
    expect((upstream.requests[0]!.body.messages as object[]).at(-1)).toMatchObject({
      content: [{ type: "image_url" }, { text: "<tool_response>\n[image]\n</tool_response>" }],
    });
  }
});

describe("a vision model", () => {
  it("calls tools, is asked again with the images, and keeps them through results", async () => {
    const answers = [stream(reply(call({}, "nope"))), stream(reply(call({ city: "Oslo" }))), hello()];
    const { openai, upstream } = await gatewayBefore(answers, seeing);
    const tools = [{ type: "function" as const, function: { name: "get_weather", parameters } }];
    const messages = [{ role: "user" as const, content: parts as never }];
    const { choices } = await openai.chat.completions.create({ model: "m", messages, tools });
    const message = choices[0]!.message;
    const result = { role: "tool" as const, tool_call_id: message.tool_calls![0]!.id, content: "sunny" };
    await openai.chat.completions.create({ model: "m", messages: [...messages, message, result], tools });
    expect(upstream.requests).toHaveLength(3);
    for (const { body } of upstream.requests) {
      const shown = (body.messages as { role: string; content: unknown }[]).filter(({ content }) =>
        Array.isArray(content),
      );
      expect(shown).toEqual([
        { role: "user", content: [...parts.slice(0, 2), expect.objectContaining({ type: "text" })] },
      ]);
    }
  });

  it("is still refused content that cannot be sent on, and files of its server", async () => {
    const { post, upstream } = await gatewayBefore([hello()], seeing);
    const ask = async (part: object) => {
      const response = await post("/v1/chat/completions", {
        model: "m",
        messages: [{ role: "user", content: [part] }],
      });
      return `${response.status} ${await response.text()}`;
    };
    expect(await ask({ type: "file", file: { file_id: "f" } })).toMatch(/^400 .*text, and images of users.*file/);
    expect(await ask({ type: "image_url", image_url: { url: "file:///etc/passwd" } })).toMatch(/^400 .*https:\/\//);
    expect(upstream.requests).toEqual([]);
  });

  it("is marked as one in Codex's catalogue", async () => {
    const { url } = await gatewayBefore([hello()], seeing);
    const { models } = (await (await fetch(`${url}/v1/models`)).json()) as { models: unknown[] };
    expect(models).toMatchObject([{ input_modalities: ["text", "image"] }]);
  });

  it.each<[string, Partial<GatewayModelConfig>]>([
    ["an embedded model", { embedded: "smollm2" }],
    ["a completion endpoint", { upstream: { baseURL: "http://127.0.0.1:1/v1", kind: "completion" } }],
    [
      "one of several",
      { upstreams: [{ baseURL: "http://127.0.0.1:1/v1" }, { baseURL: "http://127.0.0.1:2", kind: "completion" }] },
    ],
  ])("cannot be %s, which accepts only text", (_, source) => {
    expect(() => createGateway({ models: [{ name: "m", vision: true, ...source }] })).toThrow(
      /models\[0\]\.vision: needs upstreams of the kind `chat`/,
    );
  });
});
