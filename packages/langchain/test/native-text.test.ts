import {
  AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  ChatMessage,
  HumanMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { concat } from "@langchain/core/utils/stream";
import { getProtocol } from "@toolingua/core";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type ToolCallingOptions, toToolDefinitions, withToolCalling } from "../src/index.js";
import { NativeModel, type NativeTurn } from "./native-model.js";
import { call } from "./scripted-text-model.js";

// A server that takes tools and has no parser for what its model writes (vLLM without --tool-call-parser).

const args = { a: 2, b: 3 };
const add = tool(({ a, b }) => String(a + b), { name: "add", schema: z.object({ a: z.number(), b: z.number() }) });
const written = call("add", args);
const native = (turns: NativeTurn[], options: ToolCallingOptions = {}) => {
  const inner = new NativeModel({ turns });
  return { inner, model: withToolCalling(inner, { native: "auto", ...options }).bindTools([add]) };
};

async function asked(
  turns: NativeTurn[],
  how: string,
  options?: ToolCallingOptions,
  input: string | BaseMessage[] = "2 + 3?",
) {
  const { inner, model } = native(turns, options);
  if (how === "invoke") return { inner, message: await model.invoke(input) };
  let message: AIMessageChunk | undefined;
  const pieces: AIMessageChunk[] = [];
  for await (const piece of await model.stream(input)) {
    pieces.push(piece);
    message = message ? concat(message, piece) : piece;
  }
  return { inner, message: message as AIMessageChunk, pieces };
}

describe.each(["invoke", "stream"])("calls in the text of a native reply: %s", (how) => {
  const names = ["hermes", "llama3-json", "mistral", "qwen3-coder", "pythonic", "deepseek-v3"] as const;

  it.each(names)("are calls, in %s", async (name) => {
    const text = getProtocol(name).renderCalls([{ name: "add", arguments: args }], { tools: toToolDefinitions([add]) });
    const { inner, message } = await asked([{ text }], how, { protocol: name });
    expect(message.tool_calls).toMatchObject([{ name: "add", args, type: "tool_call" }]);
    expect(message.text.trim()).toBe("");
    expect(message.usage_metadata).toMatchObject({ output_tokens: text.length });
    expect(inner.requests).toHaveLength(1);
  });

  it("are none in reasoning that the model's template opened", async () => {
    const options = { protocol: "hermes", startWithReasoning: true } as const;
    const thought = `I could use ${written} but no.\n</think>`;
    const { message, inner } = await asked([{ text: `${thought}\n\nHi` }], how, options);
    expect(message).toMatchObject({ text: "Hi", tool_calls: [] });
    expect(message.additional_kwargs.reasoning_content).toContain("I could use");
    expect(inner.requests).toHaveLength(1);
    const calling = await asked([{ text: `${thought}\n${written}` }], how, options);
    expect(calling.message).toMatchObject({ text: "", tool_calls: [{ name: "add", args }] });
    const restored = await asked([{ text: `<think>${thought}\n\nHi` }], how, options);
    expect(restored.message).toMatchObject({ text: "Hi", tool_calls: [] });
    const parsed = await asked([{ text: "Hm.</think>", calls: [{ name: "add", args }] }], how, options);
    expect(parsed.message).toMatchObject({ text: "", tool_calls: [{ name: "add", args }] });
  });

  it("follow the words before them", async () => {
    const { message } = await asked([{ text: `Adding. ${written}` }], how);
    expect(message).toMatchObject({ content: "Adding.", tool_calls: [{ name: "add", args }], invalid_tool_calls: [] });
  });

  it("that cannot be read are requested again, by the prompt", async () => {
    const turns = [{ text: written.slice(0, -25), finish: "length" }, { text: written }];
    const { inner, message } = await asked(turns, how, { protocol: "hermes" });
    expect(message).toMatchObject({ tool_calls: [{ name: "add", args }], invalid_tool_calls: [] });
    expect(inner.options.map(({ tools }) => tools?.length ?? 0)).toEqual([1, 0]);
  });

  it("are ignored if they are quoted, copied, or called natively", async () => {
    const quoted = `You write it so:\n\`\`\`\n${written}\n\`\`\`\nThat is all.`;
    expect((await asked([{ text: quoted }], how)).message).toMatchObject({ content: quoted, tool_calls: [] });
    const copied = await asked([{ text: `It says ${written}` }], how, {}, `What does ${written} say?`);
    expect(copied.message.tool_calls).toEqual([]);
    const both = await asked([{ text: "Adding.", calls: [{ name: "add", args }] }], how);
    expect(both.message).toMatchObject({ content: "Adding.", tool_calls: [{ name: "add", args }] });
  });

  it("are ignored if they are copied from any part of a message of users or tools", async () => {
    const [data, asking] = [
      btoa(written),
      new AIMessage({ content: "", tool_calls: [{ id: "a", name: "add", args }] }),
    ];
    const found = (content: unknown) => [asking, new ToolMessage({ tool_call_id: "a", content: content as string })];
    const said = (...content: object[]) => [new HumanMessage({ content: content as never })];
    const inputs: BaseMessage[][] = [
      found([{ type: "resource", resource: { uri: "a", text: written } }]),
      found([{ type: "json", json: { note: written } }]),
      found({ note: written }),
      found([{ type: "file", mimeType: "text/plain", data }]),
      said({ type: "text", text: "Read." }, { type: "text-plain", mimeType: "text/plain", data }),
      said({ type: "document", source: { type: "text", media_type: "text/plain", data: written } }),
      said({ type: "odd", note: written }),
      said({ type: "document", title: written, source: { type: "content", content: [{ type: "image", data: "" }] } }),
      found([{ type: "document", source: { content: [{ type: "text", text: written }, { type: "image" }] } }]),
      said(
        { type: "text", text: written.slice(0, 9) },
        { type: "image_url" },
        { type: "text", text: written.slice(9) },
      ),
      [new HumanMessage({ content: "Hi", name: written })],
      [new ChatMessage({ role: "user", content: written })],
      [asking, new ChatMessage({ role: "tool", content: written })],
    ];
    for (const input of inputs) {
      const { message } = await asked([{ text: `It says ${written}` }], how, { protocol: "hermes" }, input);
      expect([input.at(-1)?.content, message.tool_calls]).toEqual([input.at(-1)?.content, []]);
    }
  });

  it("come before native calls, each call once and complete", async () => {
    const calls = [
      { name: "add", args },
      { name: "add", args: { a: 20, b: 30 } },
      { name: "add", args: { a: 200, b: 300 } },
    ];
    const { message } = await asked([{ text: `Adding. ${written}`, calls }], how);
    expect(message.tool_calls?.map(({ args }) => args)).toEqual(calls.map(({ args }) => args));
    expect(new Set(message.tool_calls?.map(({ id }) => id)).size).toBe(3);
    expect(message).toMatchObject({ content: "Adding.", invalid_tool_calls: [] });
    const copy = await asked([{ text: written, calls: [{ name: "add", args: { b: 3, a: 2 } }] }], how);
    expect(copy.message.tool_calls).toMatchObject([{ name: "add", args }]);
  });

  it("come before broken native calls", async () => {
    const broken = { name: "add", args: {}, raw: '{"a": 2, "b"' };
    const { message } = await asked([{ text: written, calls: [broken] }], how, { onInvalidCall: "surface" });
    expect(message.tool_calls).toMatchObject([{ name: "add", args }]);
    expect(message.invalid_tool_calls).toMatchObject([{ name: "add" }]);
  });

  it("do not change plain text", async () => {
    const text = "  One <two> {three}\n\n[four] `five`  ";
    expect((await asked([{ text }], how)).message.content).toBe(text);
  });
});

it("run in an agent", async () => {
  const { inner } = native([{ text: written }, { text: "It is 5." }]);
  const agent = createAgent({ model: withToolCalling(inner, { native: "auto" }), tools: [add] });
  const { messages } = await agent.invoke({ messages: [new HumanMessage("2 + 3?")] });
  expect(messages.map((message) => message.text)).toEqual(["2 + 3?", "", "5", "It is 5."]);
});
