import { expect, it } from "vitest";
import { replySchema, structuralTag, toolCallGrammar } from "../grammar/index.js";
import {
  listTools,
  normalizeTools,
  parseReply,
  renderChatPrompt,
  renderPrompt,
  ToolinguaError,
  toolsAsJson,
} from "../index.js";
import type { ChatMessage } from "../types.js";

// What a program may pass by mistake, where no type is checked: each is refused with an error that says so.

const messages: ChatMessage[] = [{ role: "user", content: "Hello" }];
const model = "qwen2.5:7b";
const tools = [{ name: "now" }];
const itself: Record<string, unknown> = { type: "object" };
itself.properties = { own: itself };
const loop = [{ name: "walk", parameters: itself }];
const said = (part: object) =>
  [...messages, { role: "assistant", content: "", ...part }] as unknown as readonly ChatMessage[];

const cases: [what: string, call: () => unknown, code: string][] = [
  ["a list of tools with a hole, to read", () => parseReply("Hi", { tools: new Array(1) }), "unknown-shape"],
  ["a list of tools with a hole, to show", () => renderPrompt({ messages, tools: new Array(1) }), "unknown-shape"],
  ["a list of tools with a hole, to check", () => normalizeTools(new Array(1)), "unknown-shape"],
  ["a bigint as the choice", () => renderPrompt({ messages, tools, toolChoice: 1n as never }), "bad-option"],
  ["names as protocols to guard", () => renderPrompt({ messages, guard: ["hermes"] as never }), "bad-option"],
  ["an object as a protocol to guard", () => renderPrompt({ messages, guard: [{}] as never }), "unknown-protocol"],
  ["a transcript that is none", () => renderPrompt({ messages, transcript: (() => {}) as never }), "bad-option"],
  ["an object as a chat format", () => renderChatPrompt({ format: {} as never, messages }), "bad-option"],
  ["a list of templates with a hole", () => renderChatPrompt({ template: new Array(1), messages }), "bad-template"],
  ["a reasoning that is no text", () => renderChatPrompt({ model, messages: said({ reasoning: [] }) }), "bad-message"],
  [
    "an id that is no text",
    () => renderPrompt({ messages: said({ toolCalls: [{ id: {}, name: "now", arguments: {} }] }) }),
    "bad-message",
  ],
  [
    "an object as the protocol of a grammar",
    () => toolCallGrammar({ tools, protocol: {} as never, toolChoice: "required" }),
    "unknown-protocol",
  ],
  [
    "an object as the protocol of a tag",
    () => structuralTag({ tools, protocol: {} as never, toolChoice: "required" }),
    "unknown-protocol",
  ],
  [
    "an object as the protocol of a schema",
    () => replySchema({ tools, protocol: {} as never, toolChoice: "required" }),
    "unknown-protocol",
  ],
  ["a schema inside itself, in a chat", () => renderChatPrompt({ model, messages, tools: loop }), "limit"],
  ["a schema inside itself, in a list", () => toolsAsJson(loop), "limit"],
  ["another style", () => listTools(tools, "native" as never), "bad-option"],
];

it.each(cases)("%s is refused", (_, call, code) => {
  expect(call).toThrow(ToolinguaError);
  expect(call).toThrow(expect.objectContaining({ code }));
});

it("a list of tools may have the shapes of providers", () => {
  const parameters = { type: "object", properties: { a: { type: "integer" } } };
  expect(toolsAsJson([{ type: "function", function: { name: "add", parameters } }])).toBe(
    toolsAsJson([{ name: "add", parameters }]),
  );
});
