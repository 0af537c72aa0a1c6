import { expect, it } from "vitest";
import type { ChatMessage } from "../types.js";
import { anthropic, conversationFromJson, conversationToJson, openai } from "./index.js";

const content = [
  { type: "thinking", thinking: "The clock.", signature: "c2ln" },
  { type: "redacted_thinking", data: "cmVk" },
  { type: "text", text: "Let me see." },
  { type: "tool_use", id: "toolu_1", name: "now", input: { zone: "UTC" } },
];
const request = {
  messages: [
    { role: "user", content: "What time is it?" },
    { role: "assistant", content },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "noon" }] },
  ],
};
const read = () => anthropic.fromRequest(request as never);

it("thoughts that Anthropic signed are sent back to it as they were", () => {
  const { value, losses } = read();
  expect(losses).toEqual([]);
  expect(value.messages[1]).toMatchObject({
    content: "Let me see.",
    reasoning: "The clock.",
    toolCalls: [{ id: "toolu_1" }],
  });
  expect(anthropic.toRequest(value)).toEqual({ value: request, losses: [] });
  const kept = conversationFromJson(conversationToJson(value).value);
  expect(anthropic.toRequest(kept.value).value).toEqual(request);
});

it("thoughts of an answer that was changed, or goes to another API, are told to be lost", () => {
  const { messages } = read().value;
  const changed = messages.map(
    (message): ChatMessage => (message.role === "assistant" ? { ...message, content: "No." } : message),
  );
  const written = anthropic.toRequest({ messages: changed });
  expect(JSON.stringify(written.value)).not.toContain("c2ln");
  expect(written.losses.map(({ what }) => what)).toContain("reasoning");
  expect(openai.toRequest({ messages }).losses.map(({ what }) => what)).toContain("original");
});
