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
    ["a completion endpoint", { upstream: { url: "http://127.0.0.1:1/v1", kind: "completion" } }],
    [
      "one of several",
      { upstreams: [{ url: "http://127.0.0.1:1/v1" }, { url: "http://127.0.0.1:2", kind: "completion" }] },
    ],
  ])("cannot be %s, which accepts only text", (_, source) => {
    expect(() => createGateway({ models: [{ name: "m", vision: true, ...source }] })).toThrow(
      /models\[0\]\.vision: needs upstreams of the kind `chat`/,
    );
  });
});
