import { describe, expect, it } from "vitest";
import { anthropic, openai, openaiFunctions, openaiResponses } from "../index.js";

const id = "1234567890123456789";
const request = (args: string) => ({
  messages: [
    { role: "user", content: "Delete it." },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: args } }],
    },
    { role: "tool", tool_call_id: "c1", content: "done" },
  ],
});
const deprecated = (args: string) => ({
  messages: [
    { role: "user", content: "Delete it." },
    { role: "assistant", content: null, function_call: { name: "f", arguments: args } },
    { role: "function", name: "f", content: "done" },
  ],
});
const input = (args: string) => ({
  input: [
    { role: "user", content: "Delete it." },
    { type: "function_call", call_id: "c1", name: "f", arguments: args },
    { type: "function_call_output", call_id: "c1", output: "done" },
  ],
});

describe.each([
  ["openai", (args: string) => openai.fromRequest(request(args))],
  ["openai-functions", (args: string) => openaiFunctions.fromRequest(deprecated(args))],
  ["openai-responses", (args: string) => openaiResponses.fromRequest(input(args))],
])("the arguments of an earlier call, %s", (_, read) => {
  const argumentsIn = (args: string) => {
    const { value, losses } = read(args);
    const calls = value.messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
    return [calls[0]?.arguments, losses.map(({ what, why }) => `${what} ${why}`)] as const;
  };

  it("keep the digits that a number does not, and report it", () => {
    for (const args of [`{"id": ${id}, "n": 1.5}`, `{id: ${id}, n: 1.5}`]) {
      const [given, losses] = argumentsIn(args);
      expect(given).toEqual({ id, n: 1.5 });
      expect(losses[0]).toBe(`${id} has more digits than a number keeps: it became the string of its digits`);
    }
    expect(argumentsIn(`{"id": "${id}"}`)).toEqual([{ id }, []]);
  });

  it("report a key with two values", () => {
    const [given, losses] = argumentsIn('{"a": 1, "o": {"b": 1, "b": 2}, "a": 1}');
    expect(given).toEqual({ a: 1, o: { b: 2 } });
    expect(losses).toEqual(["b occurs twice, with different values: the last one is kept"]);
    expect(argumentsIn('{"a": 1, "a": 1}')).toEqual([{ a: 1 }, []]);
  });
});

it("an earlier call's object is as it was given", () => {
  const args = { n: 9007199254740994 };
  const messages = [{ role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: args }] }];
  const { value, losses } = anthropic.fromRequest({ messages });
  expect([value.messages[0], losses]).toMatchObject([{ toolCalls: [{ arguments: args }] }, []]);
});
