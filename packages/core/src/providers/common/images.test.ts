import { describe, expect, it } from "vitest";
import {
  anthropic,
  type Conversation,
  type Converted,
  conversationFromJson,
  conversationToJson,
  gemini,
  openai,
  openaiFunctions,
  openaiResponses,
  ProviderFormatError,
} from "../index.js";

const url = "https://example.com/cat.png";
const data = "data:image/png;base64,AAAA";
const kept = { images: true };

/** One message of a user in each API: an image by its address, one in the request, and a text. */
const reads: [string, () => Converted<Conversation>][] = [
  [
    "openai",
    () => {
      const images = [url, data].map((url) => ({ type: "image_url", image_url: { url } }));
      const content = [...images, { type: "text", text: "Which cat?" }];
      return openai.fromRequest({ messages: [{ role: "user", content }] } as never, kept);
    },
  ],
  [
    "openai-responses",
    () => {
      const images = [url, data].map((image_url) => ({ type: "input_image", image_url }));
      const content = [...images, { type: "input_text", text: "Which cat?" }];
      return openaiResponses.fromRequest({ input: [{ role: "user", content }] } as never, kept);
    },
  ],
  [
    "anthropic",
    () => {
      const sources = [
        { type: "url", url },
        { type: "base64", media_type: "image/png", data: "AAAA" },
      ];
      const content = [...sources.map((source) => ({ type: "image", source })), { type: "text", text: "Which cat?" }];
      return anthropic.fromRequest({ messages: [{ role: "user", content }] } as never, kept);
    },
  ],
  [
    "gemini",
    () => {
      const images = [{ fileData: { fileUri: url } }, { inlineData: { mimeType: "image/png", data: "AAAA" } }];
      return gemini.fromRequest({ contents: [{ role: "user", parts: [...images, { text: "Which cat?" }] }] }, kept);
    },
  ],
];

const read = (content: unknown, options?: typeof kept) =>
  openai.fromRequest({ messages: [{ role: "user", content }] } as never, options);
const image = (url: unknown, more: object = {}) => ({ type: "image_url", image_url: { url, ...more } });

describe("images of a user", () => {
  it.each(reads)("are read with the option `images`: %s", (_, read) => {
    expect(read()).toEqual({
      value: { messages: [{ role: "user", content: "Which cat?", images: [{ url }, { url: data }] }] },
      losses: [],
    });
  });

  it("are reported as lost without it", () => {
    const { value, losses } = read([image(url), { type: "text", text: "Which cat?" }]);
    expect(value.messages).toEqual([{ role: "user", content: "Which cat?" }]);
    expect(losses).toMatchObject([{ path: "/messages/0/content/0", what: "image_url" }]);
  });

  it("keep their detail, and need no text", () => {
    expect(read([image(url, { detail: "low" })], kept).value.messages).toEqual([
      { role: "user", content: "", images: [{ url, detail: "low" }] },
    ]);
  });

  it("are moved before the text, which is reported", () => {
    const text = { type: "text", text: "Which cat?" };
    const { value, losses } = read([text, image(url)], kept);
    expect(value.messages[0]).toMatchObject({ content: "Which cat?", images: [{ url }] });
    expect(losses).toMatchObject([{ path: "/messages/0/content/1", what: "order" }]);
  });

  it("stay with their message if tool results come between", () => {
    const content = [
      { type: "tool_result", tool_use_id: "c1", content: "done" },
      { type: "image", source: { type: "url", url } },
    ];
    const call = { type: "tool_use", id: "c1", name: "look", input: {} };
    const messages = [
      { role: "assistant", content: [call] },
      { role: "user", content },
    ];
    expect(anthropic.fromRequest({ messages } as never, kept).value.messages.slice(1)).toEqual([
      { role: "tool", toolCallId: "c1", name: "look", content: "done" },
      { role: "user", content: "", images: [{ url }] },
    ]);
  });

  it.each(["file:///etc/passwd", "/cat.png", "data:text/html,x", 5, undefined])(
    "need a valid address: not %s",
    (wrong) => {
      expect(() => read([image(wrong)], kept)).toThrow(ProviderFormatError);
    },
  );

  it.each([
    ["/messages/0/content/0/source/data", { type: "base64", media_type: "image/png" }],
    ["/messages/0/content/0/source/data", { type: "base64", media_type: "image/png", data: "" }],
    ["/messages/0/content/0/source/media_type", { type: "base64", data: "AAAA" }],
    ["/messages/0/content/0/source/media_type", { type: "base64", media_type: "text/html", data: "AAAA" }],
    ["/messages/0/content/0/source/url", { type: "url" }],
  ])("need their data and their type: %s", (path, source) => {
    const messages = [{ role: "user", content: [{ type: "image", source }] }];
    expect(() => anthropic.fromRequest({ messages }, kept)).toThrow(expect.objectContaining({ path }));
  });

  it("need their data, in Gemini's parts too, and an address in OpenAI's", () => {
    const parts = [{ inlineData: { mimeType: "image/png" } }];
    const gone = expect.objectContaining({ path: "/contents/0/parts/0/inlineData/data" });
    expect(() => gemini.fromRequest({ contents: [{ role: "user", parts }] }, kept)).toThrow(gone);
    const nowhere = expect.objectContaining({ path: "/messages/0/content/0/image_url/url" });
    expect(() => read([image(undefined)], kept)).toThrow(nowhere);
  });

  it("are reported as lost if only the provider's server has them", () => {
    const content = [{ type: "input_image", file_id: "file_1" }];
    const { losses } = openaiResponses.fromRequest({ input: [{ role: "user", content }] } as never, kept);
    expect(losses).toMatchObject([{ what: "input_image" }]);
  });

  const images = [{ url }, { url: data }];
  const conversation = { messages: [{ role: "user" as const, content: "Which cat?", images }] };

  it.each([
    ["openai", () => openai.fromRequest(openai.toRequest(conversation).value, kept)],
    ["openai-responses", () => openaiResponses.fromRequest(openaiResponses.toRequest(conversation).value, kept)],
    ["openai-functions", () => openaiFunctions.fromRequest(openaiFunctions.toRequest(conversation).value, kept)],
    ["anthropic", () => anthropic.fromRequest(anthropic.toRequest(conversation).value, kept)],
    ["gemini", () => gemini.fromRequest(gemini.toRequest(conversation).value, kept)],
  ] as const)("are read back as they were written: %s", (_, roundTrip) => {
    expect(roundTrip()).toEqual({ value: conversation, losses: [] });
  });

  it("report what an API does not accept", () => {
    const messages = [{ role: "user" as const, content: "", images: [{ url, detail: "sharp" }] }];
    for (const format of [openai, anthropic, gemini]) {
      const { losses } = format.toRequest({ messages });
      expect(losses).toMatchObject([{ path: "/messages/0/images/0/detail", what: "detail" }]);
    }
    const drawing = { role: "user" as const, content: "", images: [{ url: "data:image/svg+xml;base64,AAAA" }] };
    expect(anthropic.toRequest({ messages: [drawing] }).losses).toMatchObject([{ path: "/messages/0/images/0" }]);
  });

  it("are kept in the log of a conversation", () => {
    expect(conversationFromJson(conversationToJson(conversation).value)).toEqual({ value: conversation, losses: [] });
  });

  it("are reported as lost if only Google's server has them", () => {
    for (const fileUri of ["gs://bucket/cat.png", "https://generativelanguage.googleapis.com/v1beta/files/cat"]) {
      const parts = [{ fileData: { fileUri, mimeType: "image/png" } }];
      expect(gemini.fromRequest({ contents: [{ role: "user", parts }] }, kept).losses).toMatchObject([
        { what: "fileData" },
      ]);
    }
  });
});
