import { expect, it } from "vitest";
import type { ChatMessage } from "../types.js";
import { anthropic, conversationFromJson, conversationToJson, gemini, openai, openaiResponses } from "./index.js";

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

it("thoughts that Anthropic signed are sent back to it unchanged", () => {
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

it("thoughts of a changed answer, or for another API, are reported as lost", () => {
  const { messages } = read().value;
  const changed = messages.map(
    (message): ChatMessage => (message.role === "assistant" ? { ...message, content: "No." } : message),
  );
  const written = anthropic.toRequest({ messages: changed });
  expect(JSON.stringify(written.value)).not.toContain("c2ln");
  expect(written.losses.map(({ what }) => what)).toContain("reasoning");
  expect(openai.toRequest({ messages }).losses.map(({ what }) => what)).toContain("original");
});

const geminiRequest = {
  contents: [
    { role: "user" as const, parts: [{ text: "What time is it?" }] },
    {
      role: "model" as const,
      parts: [
        { text: "The clock.", thought: true },
        { text: "", thoughtSignature: "c2ln" },
        { functionCall: { id: "c1", name: "now", args: { zone: "UTC" } }, thoughtSignature: "c2lnMg" },
        { functionCall: { id: "c2", name: "now", args: {} } },
      ],
    },
    {
      role: "user" as const,
      parts: ["c1", "c2"].map((id) => ({ functionResponse: { id, name: "now", response: { output: "noon" } } })),
    },
  ],
};

it("parts that Gemini signed are sent back to it unchanged", () => {
  const { value, losses } = gemini.fromRequest(geminiRequest);
  expect(losses).toEqual([]);
  expect(value.messages[1]).toMatchObject({ reasoning: "The clock.", toolCalls: [{ id: "c1" }, { id: "c2" }] });
  const kept = conversationFromJson(conversationToJson(value).value).value;
  expect(gemini.toRequest(kept)).toEqual({ value: { contents: geminiRequest.contents, config: {} }, losses: [] });
});

it("signed calls of Gemini without an id get the id of their result", () => {
  const parts = [{ functionCall: { name: "now", args: {} }, thoughtSignature: "c2ln" }];
  const { messages } = gemini.fromRequest({ contents: [{ role: "model", parts }] }).value;
  const [answer] = messages;
  if (answer?.role !== "assistant" || !answer.toolCalls) throw new Error("no call was read");
  const id = answer.toolCalls[0]?.id ?? "";
  const result: ChatMessage = { role: "tool", toolCallId: id, name: "now", content: "noon" };
  expect(gemini.toRequest({ messages: [answer, result] }).value.contents).toEqual([
    { role: "model", parts: [{ functionCall: { id, name: "now", args: {} }, thoughtSignature: "c2ln" }] },
    { role: "user", parts: [{ functionResponse: { id, name: "now", response: { output: "noon" } } }] },
  ]);
});

it("signed parts are not sent if the answer was changed or has a part of an unknown kind", () => {
  const { messages } = gemini.fromRequest(geminiRequest).value;
  const changed = messages.map(
    (message): ChatMessage => (message.role === "assistant" ? { ...message, toolCalls: [] } : message),
  );
  expect(JSON.stringify(gemini.toRequest({ messages: changed }).value)).not.toContain("c2ln");
  const parts = [{ text: "Hi", thoughtSignature: "c2ln" }, { executableCode: { code: "1" } }];
  const read = gemini.fromRequest({ contents: [{ role: "model", parts }] });
  expect(read.value.messages).toEqual([{ role: "assistant", content: "Hi" }]);
  expect(read.losses.map(({ what }) => what)).toEqual(["thoughtSignature", "executableCode"]);
});

const items = [
  { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "The clock." }], encrypted_content: "ZW5j" },
  {
    type: "message",
    id: "msg_1",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "Let me see.", annotations: [], logprobs: [] }],
  },
  { type: "function_call", id: "fc_1", call_id: "c1", name: "now", arguments: '{"zone": "UTC"}', status: "completed" },
];
const input = [
  { type: "message", role: "user", content: "What time is it?" },
  ...items,
  { type: "function_call_output", call_id: "c1", output: "noon" },
  { type: "reasoning", id: "rs_2", summary: [], encrypted_content: "ZW5jMg" },
  { type: "message", id: "msg_2", role: "assistant", content: [{ type: "output_text", text: "It is noon." }] },
];

it("thoughts that OpenAI encrypted are sent back to it unchanged", () => {
  const { value, losses } = openaiResponses.fromRequest({ input });
  expect(losses).toEqual([]);
  expect(value.messages).toMatchObject([
    { role: "user" },
    { content: "Let me see.", reasoning: "The clock.", toolCalls: [{ id: "c1", arguments: { zone: "UTC" } }] },
    { role: "tool" },
    { content: "It is noon." },
  ]);
  const kept = conversationFromJson(conversationToJson(value).value).value;
  expect(openaiResponses.toRequest(kept)).toEqual({ value: { input }, losses: [] });
});

it("encrypted thoughts of a changed answer are reported as lost, and so are unencrypted thoughts", () => {
  const { messages } = openaiResponses.fromRequest({ input }).value;
  const changed = messages.map(
    (message): ChatMessage => (message.role === "assistant" ? { ...message, content: "No." } : message),
  );
  const written = openaiResponses.toRequest({ messages: changed });
  expect(JSON.stringify(written.value)).not.toContain("ZW5j");
  expect(written.losses.map(({ what }) => what)).toContain("reasoning");
  const open = { type: "reasoning", id: "rs_1", summary: [] };
  const plain = openaiResponses.fromRequest({ input: [open, ...items.slice(1)] });
  expect(plain.losses.map(({ path }) => path)).toEqual([
    "/input/0/id",
    "/input/1/id",
    "/input/2/id",
    "/input/2/status",
  ]);
});
