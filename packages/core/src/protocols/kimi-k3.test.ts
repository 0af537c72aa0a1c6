import { expect, test } from "vitest";
import { getProtocol, parseReply } from "../index.js";

const tools = [{ name: "say", parameters: { type: "object", properties: { text: { type: "string" } } } }] as const;

test.each(['<|open|>call tool="say" index="1"<|sep|>', '<|open|>call tool="', "<|open|>tools<|sep|>"])(
  "a value with a call's tag is read as it was written: %s",
  (text) => {
    const calls = [{ name: "say", arguments: { text } }];
    const reply = getProtocol("kimi-k3").renderCalls(calls, { tools });
    for (const given of [reply, `I write it.\n${reply}`])
      expect(parseReply(given, { protocol: "kimi-k3", tools })).toMatchObject({
        toolCalls: calls,
        invalidToolCalls: [],
      });
  },
);

test("a refused call leaves no words of its tags", () => {
  const reply =
    'Hi.\n<|open|>tools<|sep|><|open|>call tool="say" index="1"<|sep|>{"text":<|close|>call<|sep|><|close|>tools<|sep|>';
  expect(parseReply(reply, { protocol: "kimi-k3", tools })).toMatchObject({
    text: "Hi.",
    toolCalls: [],
    invalidToolCalls: [{ name: "say" }],
  });
});
