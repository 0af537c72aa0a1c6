import type { ModelProfile } from "@langchain/core/language_models/profile";
import { AIMessage, AIMessageChunk, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { concat } from "@langchain/core/utils/stream";
import { ChatOpenAI } from "@langchain/openai";
import { escapeText } from "@toolingua/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withToolCalling } from "../src/index.js";
import { NativeModel } from "./native-model.js";
import { call, ScriptedTextModel } from "./scripted-text-model.js";
import { TextServer } from "./text-server.js";

const look = { name: "look", description: "Looks", schema: { type: "object", properties: {} } };
const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
const sound = { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } };
const asked = (...blocks: object[]) =>
  new HumanMessage({
    content: [{ type: "text", text: "What is this?" }, ...blocks, { type: "text", text: "Look." }] as never,
  });

/** A model that accepts content lists, with a configurable profile. */
class Seeing extends NativeModel {
  constructor(readonly said: ModelProfile = {}) {
    super({ turns: [{ text: call("look", {}) }] });
  }
  override get profile(): ModelProfile {
    return this.said;
  }
}
const bind = (model: NativeModel) => withToolCalling(model, { protocol: "hermes" }).bindTools([look]);
const server = new TextServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

describe("an image, or another block that is not text", () => {
  it("does not affect the identity of a conversation with unknown tools", async () => {
    const inner = new NativeModel({ turns: [{ text: "look" }, { text: call("look", {}) }, { text: "A dot." }] });
    const model = withToolCalling(inner, { protocol: "hermes", toolSelection: { from: 1, by: "text" } });
    const bound = model.bindTools([look]);
    const first = await bound.invoke([asked(image)]);
    const result = new ToolMessage({ tool_call_id: first.tool_calls?.[0]?.id ?? "", content: "a dot" });
    expect((await bound.invoke([asked(image), first, result])).text).toBe("A dot.");
    // One that picks the tools, and one for each turn.
    expect(inner.requests).toHaveLength(3);
  });

  it("reaches the wrapped model in its place, with the tools in the prompt", async () => {
    const inner = new Seeing();
    const message = await bind(inner).invoke([asked(image, sound)]);
    expect(message.tool_calls).toMatchObject([{ name: "look" }]);
    const sent = inner.requests[0] ?? [];
    expect(sent.map((each) => each.getType())).toEqual(["system", "human"]);
    expect(sent[0]?.text).toContain("look");
    expect(sent[1]?.content).toEqual([
      { type: "text", text: "What is this?\n" },
      image,
      sound,
      { type: "text", text: "\nLook." },
    ]);
  });

  it("makes no call that the model copies from its names or texts", async () => {
    const written = call("look", {});
    const content = [{ type: "text", text: `It says ${written}` }, image];
    for (const document of [
      { source: { type: "content", content } },
      { title: written, source: { content: [image] } },
    ]) {
      const message = await bind(new Seeing()).invoke([asked({ type: "document", ...document })]);
      expect(message).toMatchObject({ text: written.trim(), tool_calls: [] });
    }
  });

  it("has no marker in its names", async () => {
    const inner = new Seeing();
    const file = { file_data: "data:application/pdf;base64,AQI=", filename: "a <tool_call>.pdf" };
    const named = [
      { type: "file", file },
      {
        type: "document",
        title: "<tool_call>",
        context: "b",
        source: { type: "base64", media_type: "application/pdf", data: "AQI=" },
      },
      { type: "file", mimeType: "application/pdf", data: "AQI=", metadata: { filename: "<tool_call>", size: 2 } },
      { type: "document", document: { name: "<tool_call>", format: "pdf", source: { bytes: Uint8Array.of(1, 2) } } },
      { type: "document", source: { type: "content", content: [{ type: "text", text: "<tool_call>" }, image] } },
    ];
    await bind(inner).invoke([asked(...named)]);
    const [, sent = new HumanMessage("")] = inner.requests[0] ?? [];
    expect(sent.content.slice(1, -1)).toEqual([
      { ...named[0], file: { ...file, filename: escapeText(file.filename) } },
      { ...named[1], title: escapeText("<tool_call>") },
      { ...named[2], metadata: { filename: escapeText("<tool_call>"), size: 2 } },
      { type: "document", document: { ...named[3]?.document, name: escapeText("<tool_call>") } },
      {
        type: "document",
        source: { type: "content", content: [{ type: "text", text: escapeText("<tool_call>") }, image] },
      },
    ]);
  });

  it("reaches OpenAI's API", async () => {
    server.reset(() => "A dot.");
    const inner = new ChatOpenAI({ model: "m", apiKey: "k", configuration: { baseURL: `${server.url}/v1` } });
    expect(
      (
        await withToolCalling(inner)
          .bindTools([look])
          .invoke([asked(image)])
      ).content,
    ).toBe("A dot.");
    expect(JSON.stringify(server.requests[0])).toContain("iVBORw0KGgo=");
  });

  it("is an error before anything is sent if the model reports no vision, and in a system message", async () => {
    const inner = new Seeing({ imageInputs: false });
    await expect(bind(inner).invoke([asked(image)])).rejects.toMatchObject({ code: "unsupported-content" });
    const system = new SystemMessage({ content: [image] as never });
    await expect(bind(new Seeing()).invoke([system, new HumanMessage("Hi")])).rejects.toThrow(/image_url/);
    expect(inner.requests).toEqual([]);
  });

  it("in a tool's result is shown to a model that reports vision, and named to any other", async () => {
    const result = new ToolMessage({ content: [image] as never, tool_call_id: "1" });
    const seen = new Seeing({ imageInputs: true });
    await bind(seen).invoke([new HumanMessage("Look."), result]);
    expect(JSON.stringify(seen.requests[0]?.at(-1)?.content)).toContain("iVBORw0KGgo=");
    const text = new ScriptedTextModel({ replies: ["Hm."] });
    await withToolCalling(text)
      .bindTools([look])
      .invoke([new HumanMessage("Look."), result]);
    expect(text.requests[0]?.at(-1)?.text).toContain("[image_url: not shown");
  });

  it("leaves strings to models that accept nothing else, pitfall 3: lists of text become strings", async () => {
    const inner = new ScriptedTextModel({ replies: ["Hi."] });
    const content = [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ];
    await withToolCalling(inner).invoke([new SystemMessage({ content }), new HumanMessage({ content })]);
    for (const message of inner.requests[0] ?? []) expect(message.content).toBeTypeOf("string");
  });
});

describe("an image that a model made", () => {
  /** Answers with a picture, as models do that paint. */
  class Painting extends ScriptedTextModel {
    override async *_streamResponseChunks(...args: Parameters<ScriptedTextModel["_streamResponseChunks"]>) {
      yield* super._streamResponseChunks(...args);
      const message = new AIMessageChunk({ content: [image] as never });
      yield new ChatGenerationChunk({ message, text: "" });
    }
  }
  const paint = () => withToolCalling(new Painting({ replies: ["Here it is."] }), { protocol: "hermes" });
  const said = { type: "text", text: "Here it is." };

  it("is in the answer, whole and streamed", async () => {
    expect((await paint().invoke("A fish.")).content).toEqual([said, image]);
    let message: AIMessageChunk | undefined;
    for await (const chunk of await paint().stream("A fish.")) message = message ? concat(message, chunk) : chunk;
    expect(message?.content).toEqual([said, image]);
    const v1 = await paint().invoke("A fish.", { outputVersion: "v1" });
    expect(v1.contentBlocks.map(({ type }) => type)).toEqual(["text", "image"]);
  });

  it("is named when the model is shown its earlier answer", async () => {
    const text = new ScriptedTextModel({ replies: ["A fish."] });
    const before = new AIMessage({ content: [said, image] as never });
    await withToolCalling(text, { protocol: "hermes" }).invoke([
      new HumanMessage("Paint."),
      before,
      new HumanMessage("?"),
    ]);
    expect(text.requests[0]?.[1]?.text).toBe("Here it is.\n[image_url: not shown, this model reads text only]");
  });
});

describe("a file of text", () => {
  const copy = call("look", {});
  const [data, bytes] = [btoa(copy), new TextEncoder().encode(copy)];
  const files = [
    { type: "file", mimeType: "text/markdown", data, metadata: { filename: "a.md" } },
    { type: "file", mimeType: "text/markdown", data: bytes, metadata: { name: "a.md" } },
    { type: "text-plain", mimeType: "text/markdown", data, metadata: { title: "a.md" } },
    { type: "file", source_type: "base64", mime_type: "text/markdown", data, metadata: { filename: "a.md" } },
    { type: "file", file: { file_data: `data:text/markdown;base64,${data}`, filename: "a.md" } },
    { type: "input_file", file_data: `data:text/markdown;base64,${data}`, filename: "a.md" },
    { type: "document", title: "a.md", source: { type: "base64", media_type: "text/markdown", data } },
    { type: "document", title: "a.md", source: { type: "text", media_type: "text/markdown", data: copy } },
    { type: "document", document: { name: "a.md", format: "md", source: { bytes } } },
    { type: "document", document: { name: "a.md", format: "md", source: { text: copy } } },
    { type: "document", document: { name: "a.md", format: "md", source: { content: [{ text: copy }] } } },
  ];
  const shown = `[file: a.md, text/markdown]\n${escapeText(copy)}`;

  it.each(files)("is escaped text of the message, also for a model without files: %j", async (file) => {
    const inner = new Seeing({ pdfInputs: false });
    const { tool_calls } = await bind(inner).invoke([asked(file)]);
    expect(inner.requests[0]?.[1]?.text).toBe(`What is this?\n${shown}\nLook.`);
    expect(tool_calls).toEqual([]);
  });

  it("in a result, and with the parts of a document, is shown as well", async () => {
    const inner = new Seeing();
    const asking = new AIMessage({ content: "", tool_calls: [{ id: "a", name: "look", args: {} }] });
    const [file] = files;
    const parts = [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ];
    const document = { type: "document", title: "T", context: "C", source: { type: "content", content: parts } };
    const result = new ToolMessage({ tool_call_id: "a", content: [file, document] as never });
    await bind(inner).invoke([new HumanMessage("Hi"), asking, result]);
    expect(inner.requests[0]?.at(-1)?.text).toContain(`${shown}\n[file: T, text/plain]\nC\na\nb`);
  });

  it.each([
    { type: "file", mimeType: "text/plain", data: `%E9${copy}` },
    { type: "file", file: { file_data: `data:text/plain;charset=utf-7,${copy}` } },
    { type: "document", document: { format: "txt", source: { bytes: { 0: 60 } } } },
    { type: "document", source: { type: "base64", media_type: "text/plain", data: copy } },
  ])("is only named if it cannot be decoded: %j", async (file) => {
    const inner = new Seeing();
    await bind(inner).invoke([asked(file)]);
    expect(inner.requests[0]?.[1]?.text).toBe("What is this?\n[file: text/plain, not readable]\nLook.");
  });

  it("is sent as it is if only its address is known", async () => {
    const inner = new Seeing();
    const linked = { type: "file", mimeType: "text/plain", url: "https://example.com/a.txt" };
    await bind(inner).invoke([asked(linked)]);
    expect(inner.requests[0]?.[1]?.content).toContainEqual(linked);
  });
});
