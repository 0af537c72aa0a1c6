import {
  AIMessage,
  AIMessageChunk,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { MessageError } from "../errors.js";
import { Media } from "./media.js";
import { fromTextMessages, readAnswer, toChatMessages } from "./messages.js";

const weather = { name: "weather", args: { city: "Oslo" }, id: "c1", type: "tool_call" as const };

describe("toChatMessages", () => {
  it("flattens content lists to text", () => {
    const blocks = [
      { type: "text", text: "Be brief." },
      { type: "text", text: "Be kind." },
    ];
    expect(toChatMessages([new SystemMessage({ content: blocks }), new HumanMessage({ content: blocks })])).toEqual([
      { role: "system", content: "Be brief.\nBe kind." },
      { role: "user", content: "Be brief.\nBe kind." },
    ]);
  });

  it("reads stored messages without content as empty", () => {
    const asked = new AIMessage({ content: "", tool_calls: [weather] });
    const stored = [asked, new ToolMessage({ content: "", tool_call_id: "c1" }), new HumanMessage("")];
    for (const message of stored) Object.assign(message, { content: null });
    expect(toChatMessages(stored)).toMatchObject([
      { role: "assistant", content: "", toolCalls: [{ name: "weather" }] },
      { role: "tool", content: "" },
      { role: "user", content: "" },
    ]);
  });

  it("shows any content of a tool's result, and omits what is null", () => {
    const circular: Record<string, unknown> = { type: "tree" };
    circular.root = circular;
    const result = (content: unknown) =>
      Object.assign(new ToolMessage({ content: "", tool_call_id: "c1" }), { content });
    const shown = (content: unknown) => toChatMessages([result(content)])[0]!.content;
    expect(shown([null, { type: "text", text: "a" }, undefined])).toBe("a");
    expect(shown({ a: 1 })).toBe('{"a":1}');
    expect(shown([{ type: "odd", n: 5 }])).toBe('{"type":"odd","n":5}');
    for (const odd of [circular, { type: "odd", n: 5n }]) expect(shown([odd])).toBe("[not shown: this is not JSON]");
  });

  it("refuses a content that is neither text nor a list, and omits calls that are null", () => {
    for (const content of [5, { a: 1 }, true]) {
      const message = Object.assign(new HumanMessage(""), { content });
      expect(() => toChatMessages([message])).toThrow(
        expect.objectContaining({ name: "MessageError", code: "unsupported-message" }),
      );
    }
    const stored = Object.assign(new AIMessage("Hi"), { tool_calls: [null], invalid_tool_calls: [null] });
    expect(toChatMessages([stored, new HumanMessage({ content: [null as never] })])).toEqual([
      { role: "assistant", content: "Hi" },
      { role: "user", content: "" },
    ]);
  });

  it("invents no image from text", () => {
    const media = new Media(undefined);
    const image = { type: "image_url", image_url: { url: "data:," } };
    const messages = toChatMessages(
      [new HumanMessage({ content: [{ type: "text", text: "\uE0F00\uE0F1" }, image] })],
      media,
    );
    const [sent] = fromTextMessages(messages as never, media);
    expect(sent?.content).toEqual([{ type: "text", text: "\uE0F00\uE0F1\n" }, image]);
  });

  it("accepts the developer role and other spellings of roles", () => {
    const roles = ["developer", "system", "user", "assistant", "critic"];
    expect(toChatMessages(roles.map((role) => new ChatMessage("Hi", role)))).toEqual([
      { role: "system", content: "Hi" },
      { role: "system", content: "Hi" },
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hi" },
      { role: "user", content: "critic: Hi" },
    ]);
  });

  it.each(["constructor", "toString", "__proto__"])("reads a role named %s as an unknown one", (role) => {
    expect(toChatMessages([new ChatMessage("Hi", role)])).toEqual([{ role: "user", content: `${role}: Hi` }]);
  });

  it("names the speaker of a human message with a name, but not an agent itself", () => {
    expect(
      toChatMessages([
        new HumanMessage({ content: "Hi", name: "Ada" }),
        new AIMessage({ content: "Hello", name: "helper" }),
      ]),
    ).toEqual([
      { role: "user", content: "Ada: Hi" },
      { role: "assistant", content: "Hello" },
    ]);
  });

  it("reads a call once, whether it is in tool_calls, in content blocks or in both", () => {
    const block = { type: "tool_call", id: "c1", name: "weather", args: { city: "Oslo" } };
    const expected = {
      role: "assistant",
      content: "Let me look.",
      toolCalls: [{ id: "c1", name: "weather", arguments: { city: "Oslo" } }],
    };
    const text = { type: "text", text: "Let me look." };
    const inContent = new AIMessage({ content: [text, block], response_metadata: { output_version: "v1" } } as never);
    for (const message of [
      new AIMessage({ content: "Let me look.", tool_calls: [weather] }),
      new AIMessage({ content: [text, { ...block, type: "tool_use", input: {} }], tool_calls: [weather] }),
      inContent,
      new AIMessage({ content: [text, { type: "tool_use", id: "c1", name: "weather", input: { city: "Oslo" } }] }),
      new AIMessageChunk({
        content: "Let me look.",
        tool_call_chunks: [{ name: "weather", args: '{"city":"Oslo"}', id: "c1", index: 1 }],
      }),
    ]) {
      expect(toChatMessages([message])).toEqual([expected]);
    }
  });

  it("gives results the name of the call they answer", () => {
    const messages = toChatMessages([
      new AIMessage({ content: "", tool_calls: [weather] }),
      new ToolMessage({ content: "rain", tool_call_id: "c1" }),
      new ToolMessage({ content: "lost", tool_call_id: "c9", name: "other" }),
    ]);
    expect(messages.slice(1)).toEqual([
      { role: "tool", toolCallId: "c1", name: "weather", content: "rain" },
      { role: "tool", toolCallId: "c9", name: "other", content: "lost" },
    ]);
  });

  it("flattens the lists that MCP tools return, and names parts without text", () => {
    const content = [
      { type: "text", text: "Two hits." },
      { type: "resource", resource: { uri: "file:///a", text: "inside" } },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { hits: 2 },
    ];
    const [message] = toChatMessages([new ToolMessage({ content: content as never, tool_call_id: "c1" })]);
    expect(message?.content).toBe('Two hits.\ninside\n[image: not shown, this model reads text only]\n{"hits":2}');
  });

  it("marks failed results", () => {
    const result = (fields: object) =>
      toChatMessages([new ToolMessage({ content: "No.", tool_call_id: "c1", ...fields })]);
    expect(result({ status: "error" })).toMatchObject([{ role: "tool", content: "No.", isError: true }]);
    expect(result({})).toEqual([{ role: "tool", toolCallId: "c1", name: "tool", content: "No." }]);
  });

  it("keeps invalid calls that can be read, and reports a turn of nothing else", () => {
    const invalid = (args: string) => ({
      type: "invalid_tool_call" as const,
      id: "c1",
      name: "weather",
      args,
      error: "Cut off.",
    });
    expect(toChatMessages([new AIMessage({ content: "", invalid_tool_calls: [invalid('{"city":5}')] })])).toEqual([
      { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "weather", arguments: { city: 5 } }] },
    ]);
    expect(toChatMessages([new AIMessage({ content: "", invalid_tool_calls: [invalid('{"ci')] })])).toEqual([
      { role: "assistant", content: "[A call of weather could not be read: Cut off.]" },
    ]);
    expect(toChatMessages([new AIMessage({ content: "Hm.", invalid_tool_calls: [invalid('{"ci')] })])).toEqual([
      { role: "assistant", content: "Hm." },
    ]);
  });

  it("reads the deprecated function messages", () => {
    const function_call = { name: "weather", arguments: '{"city":"Oslo"}' };
    expect(
      toChatMessages([
        new AIMessage({ content: "", additional_kwargs: { function_call } }),
        new FunctionMessage({ content: "rain", name: "weather" }),
      ]),
    ).toEqual([
      {
        role: "assistant",
        content: "",
        toolCalls: [{ id: "function_weather", name: "weather", arguments: { city: "Oslo" } }],
      },
      { role: "tool", toolCallId: "function_weather", name: "weather", content: "rain" },
    ]);
  });

  it("keeps the arguments of other models' calls that are no object, as the other adapters do", () => {
    const block = { type: "tool_use", id: "c1", name: "weather" };
    const of = (args: string) => [
      new AIMessage({ content: "", additional_kwargs: { function_call: { name: "weather", arguments: args } } }),
      new AIMessage({ content: [{ ...block, input: args }] as never }),
    ];
    const read = (args: string) => toChatMessages(of(args)).map((said) => "toolCalls" in said && said.toolCalls?.[0]);
    for (const call of read('{"city":"Oslo"}')) expect(call).toMatchObject({ arguments: { city: "Oslo" } });
    for (const call of read('{"city')) expect(call).toMatchObject({ arguments: { input: '{"city' } });
    for (const call of read("")) expect(call).toMatchObject({ arguments: {} });
  });

  it("gives each call without an id a new one", () => {
    const [message] = toChatMessages([
      new AIMessage({
        content: "",
        tool_calls: [
          { name: "a", args: {} },
          { name: "b", args: {} },
        ],
      }),
    ]);
    const ids = message?.role === "assistant" ? message.toolCalls?.map((call) => call.id) : [];
    expect(new Set(ids).size).toBe(2);
  });

  it("refuses images and the like for a model without vision, with the message and the block", () => {
    const media = new Media({ imageInputs: false });
    const image = new HumanMessage({ content: [{ type: "image_url", image_url: { url: "data:," } }] });
    expect(() => toChatMessages([new HumanMessage("Hi"), image], media)).toThrow(MessageError);
    expect(() => toChatMessages([new HumanMessage("Hi"), image], media)).toThrow(/Message 1 \(human\).*"image_url"/);
    expect(() => toChatMessages([new RemoveMessage({ id: "1" })])).toThrow(MessageError);
  });
});

describe("readAnswer", () => {
  it("reads reasoning from every provider's place for it", () => {
    for (const message of [
      new AIMessage({ content: "4", additional_kwargs: { reasoning_content: "2+2" } }),
      new AIMessage({
        content: [
          { type: "reasoning", reasoning: "2+2" },
          { type: "text", text: "4" },
        ] as never,
      }),
      new AIMessage({
        content: [
          { type: "thinking", thinking: "2+2" },
          { type: "text", text: "4" },
        ] as never,
      }),
    ]) {
      expect(readAnswer(message)).toEqual({ text: "4", reasoning: "2+2" });
    }
  });
});

describe("fromTextMessages", () => {
  it("makes plain string messages", () => {
    const messages = fromTextMessages([
      { role: "system", content: "a" },
      { role: "user", content: "b" },
      { role: "assistant", content: "c" },
    ]);
    expect(messages.map((message) => [message.getType(), message.content])).toEqual([
      ["system", "a"],
      ["human", "b"],
      ["ai", "c"],
    ]);
  });
});
