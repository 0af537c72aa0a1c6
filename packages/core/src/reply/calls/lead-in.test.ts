import { expect, test } from "vitest";
import { createReplyParser, parseReply } from "../../index.js";

const text = { type: "object", properties: { text: { type: "string" } } };
const tools = ["get", "act"].map((name) => ({ name, parameters: text }));
const reply = '<TOOLCALL>action: [{"name": "get", "arguments": {"text": "a"}}]</TOOLCALL>';

test("a label whose beginning is a tool's name is a label in any chunks", () => {
  const parser = createReplyParser({ protocol: "nemotron-v2", tools });
  const events = [...[...reply].flatMap((char) => parser.push(char)), ...parser.end()];
  expect(events.map(({ type }) => type)).toContain("call-end");
  expect(parseReply(reply, { protocol: "nemotron-v2", tools }).toolCalls).toHaveLength(1);
});

test("a second bracket is a part of a marker before JSON or a tag, and not of a run of brackets", () => {
  const call = '<tool_call>>{"name": "get", "arguments": {"text": "a"}}</tool_call>';
  expect(parseReply(call, { protocol: "hermes", tools }).toolCalls).toHaveLength(1);
  expect(createReplyParser({ protocol: "functionary", tools }).push(">".repeat(1000))).not.toEqual([]);
});
