import { describe, expect, test } from "vitest";
import { jsonAction, parseReply } from "../index.js";

const string = { type: "string" };
const tools = [
  { name: "search", parameters: { type: "object", properties: { q: string } } },
  { name: "add", parameters: { type: "object", properties: { a: { type: "number" } } } },
];
const read = (text: string) => parseReply(text, { protocol: jsonAction({ mode: "strict" }), tools });
const call = (tool: string, args: object) => JSON.stringify({ action: { tool, args } });

describe("a reply that must be one JSON message", () => {
  test.each([
    ["in another format", `${call("nope", {})}\n<tool_call>{"name":"search","arguments":{"q":"x"}}</tool_call>`],
    ["after words and an invalid call", `Sure! ${call("add", { a: "one" })} ${call("search", { q: "x" })}`],
  ])("does not run a second call %s", (_, text) => {
    const { toolCalls, invalidToolCalls } = read(text);
    expect(toolCalls).toEqual([]);
    expect(invalidToolCalls).not.toEqual([]);
  });

  test("begins with the prefill", () => {
    const message = call("add", { a: 1 });
    for (const at of [1, 10, message.length - 2]) {
      const options = { protocol: jsonAction({ mode: "strict" }), tools, prefill: message.slice(0, at) };
      expect(parseReply(message.slice(at), options).toolCalls).toMatchObject([{ name: "add", arguments: { a: 1 } }]);
      expect(parseReply(`${message.slice(at)} And more.`, options).toolCalls).toEqual([]);
    }
  });

  test("keeps the error of its only call", () => {
    expect(read(call("nope", {})).invalidToolCalls).toMatchObject([{ error: { code: "unknown-tool" } }]);
  });

  test("may consist of 50,000 calls without an exception", () => {
    expect(read(`${call("add", { a: 1 })},`.repeat(50_000)).toolCalls).toEqual([]);
  });
});
