import { describe, expect, test } from "vitest";
import { hermes } from "../protocols/hermes.js";
import { protocols } from "../protocols/index.js";
import { jsonAction } from "../protocols/json-action.js";
import type { ReplyEvent } from "../types.js";
import { addEvent, collectReply, parseReply, readWhole } from "./parse-reply.js";

const tools = [{ name: "add", parameters: { type: "object", properties: { a: { type: "integer" } } } }];
const call = '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>';

describe("a whole reply", () => {
  test("is its text, its reasoning and its calls", () => {
    const reply = `<think>Well.</think>Yes.\n${call}\n${call.replace("1", "[]")}\nNo.`;
    expect(parseReply(reply, { tools, protocol: hermes })).toMatchObject({
      text: "Yes.\nNo.",
      reasoning: "Well.",
      toolCalls: [{ name: "add", arguments: { a: 1 } }],
      invalidToolCalls: [{ name: "add", error: { code: "invalid-arguments" } }],
    });
  });

  test("is read with the reason of its end", () => {
    const open = call.slice(0, -20);
    const code = (finish: "stop" | "length") =>
      parseReply(open, { tools, protocol: hermes, finish }).invalidToolCalls[0]?.error.code;
    expect([code("length"), parseReply("", { protocol: hermes })]).toEqual([
      "truncated",
      { text: "", reasoning: "", toolCalls: [], invalidToolCalls: [] },
    ]);
  });

  test("is read by the registry's protocols and untrusted texts of its settings", () => {
    const other = '<invoke name="add"><parameter name="a">1</parameter></invoke>';
    expect(readWhole(other, { tools, protocol: "hermes" }, { registry: protocols }).toolCalls).toHaveLength(1);
    expect(readWhole(other, { tools, protocol: hermes }, {}).toolCalls).toHaveLength(0);
  });

  test("is checked as a whole where its protocol asks for that", () => {
    const protocol = jsonAction({ mode: "strict" });
    const read = (reply: string) => parseReply(reply, { tools, protocol });
    expect(read('{"action": {"tool": "add", "args": {"a": 1}}}').toolCalls).toHaveLength(1);
    expect(read('So: {"action": {"tool": "add", "args": {"a": 1}}}').invalidToolCalls).toHaveLength(1);
  });
});

describe("the reply of some events", () => {
  const events: ReplyEvent[] = [
    { type: "reasoning", text: "a" },
    { type: "text", text: "b" },
    { type: "dropped", text: "c", reason: "no call" },
    { type: "call-start", index: 0, id: "1", name: "add" },
    { type: "call-delta", index: 0, argumentsDelta: "{}" },
    { type: "call-end", index: 0, call: { id: "1", name: "add", arguments: {} } },
    { type: "reasoning", text: "d" },
    { type: "text", text: "e", value: 3 },
  ];

  test("joins their texts, and has their calls and value", () =>
    expect(collectReply(events)).toEqual({
      text: "be",
      reasoning: "ad",
      toolCalls: [{ id: "1", name: "add", arguments: {} }],
      invalidToolCalls: [],
      value: 3,
    }));

  test.each([
    [Object.assign([events[0]], { 2: events[1] }), "undefined"],
    [[events[0], "text"], '"text"'],
  ])("are objects: %j", (given, what) =>
    expect(() => collectReply(given as ReplyEvent[])).toThrow(
      `\`events[1]\` is an event of a reply parser, not ${what}`,
    ),
  );

  test("grows with each, and has no value without one", () => {
    const reply = collectReply([]);
    addEvent(reply, { type: "text", text: "a" });
    expect(reply).not.toHaveProperty("value");
    addEvent(reply, { type: "text", text: "b", value: undefined });
    expect(reply).toHaveProperty("value", undefined);
    expect(collectReply([])).not.toBe(collectReply([]));
  });
});
