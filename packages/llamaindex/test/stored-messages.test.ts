import type { ChatMessage } from "@llamaindex/core/llms";
import { expect, it } from "vitest";
import { toChatMessages } from "../src/messages.js";

const read = (message: object) => toChatMessages([message as ChatMessage])[0];

it("a stored message without content is empty", () => {
  for (const content of [null, undefined, []])
    expect(read({ role: "assistant", content })).toEqual({ role: "assistant", content: "" });
  expect(read({ role: "user", content: [null, { type: "text", text: "Hi" }] })).toEqual({
    role: "user",
    content: "Hi",
  });
});

it("a stored call without input has no arguments", () => {
  for (const input of [undefined, null, "", " ", "{}", {}]) {
    const options = { toolCall: [{ id: "a", name: "now", input }] };
    expect(read({ role: "assistant", content: "", options })).toMatchObject({ toolCalls: [{ arguments: {} }] });
  }
  const broken = { toolCall: [{ id: "a", name: "now", input: '{"a": ' }] };
  expect(read({ role: "assistant", content: "", options: broken })).toMatchObject({
    toolCalls: [{ arguments: { input: '{"a": ' } }],
  });
});
