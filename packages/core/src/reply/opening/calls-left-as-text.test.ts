import { describe, expect, test } from "vitest";
import { createReplyParser } from "../../full/index.js";
import type { ProtocolName } from "../../protocols/index.js";

const tools = [{ name: "look", parameters: { type: "object", properties: { at: { type: "string", maxLength: 3 } } } }];
const calls: Partial<Record<ProtocolName, (at: string) => string>> = {
  "llama3-json": (at) => `{"name": "look", "parameters": {"at": "${at}"}}`,
  hermes: (at) => `{"name": "look", "arguments": {"at": "${at}"}}`,
  "json-list": (at) => `[{"name": "look", "arguments": {"at": "${at}"}}]`,
  pythonic: (at) => `[look(at="${at}")]`,
};

/** The places that the calls of a reply look at, and its text, the same in any chunks. */
function read(reply: string, protocol: ProtocolName, invalid = 0) {
  const results = [[reply], [...reply]].map((chunks) => {
    const parser = createReplyParser({ protocol, tools });
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    expect(events.filter(({ type }) => type === "call-invalid")).toHaveLength(invalid);
    return {
      at: events.flatMap((event) => (event.type === "call-end" ? [event.call.arguments.at] : [])),
      text: events.map((event) => (event.type === "text" ? event.text : "")).join(""),
    };
  });
  expect(results[1]).toEqual(results[0]);
  return results[0]!;
}

describe.each(Object.entries(calls) as [ProtocolName, (at: string) => string][])("in %s", (protocol, call) => {
  const [a, b] = [call("a"), call("b")];

  test.each([
    `First: ${a}\nSecond: ${b}`,
    `For Paris:\n${a}\n\nFor London:\n${b}`,
    `Option A:\n${a}\nOption B:\n${b}`,
    `Either\n${a}\nor, if you prefer,\n${b}`,
    `If it rains:\n${a}\nElse:\n${b}`,
    `${a} is wrong.\n${b}`,
  ])("of several calls with words between them, the last is not chosen: %s", (reply) =>
    expect(read(reply, protocol)).toEqual({ at: [], text: reply }),
  );

  test("a call that repeats the one that was left is a call", () =>
    expect(read(`I could use\n${a}\nand so I do:\n${a}`, protocol).at).toEqual(["a"]));

  test("a call between markers is a call", () =>
    expect(
      read(`${a} is wrong.\n<tool_call>\n{"name": "look", "arguments": {"at": "b"}}\n</tool_call>`, protocol).at,
    ).toEqual(["b"]));

  test("a call after reasoning that the prompt opened is a call", () =>
    expect(read(`I could use\n${a}\nor not.\n</think>\n\n${b}`, protocol).at).toEqual(["b"]));

  test("a call after reasoning is a call", () =>
    expect(read(`<think>\nI could use\n${a}\nor not.\n</think>\n\n${b}`, protocol).at).toEqual(["b"]));

  test("an invalid call is one of them", () => {
    const wrong = call("nowhere");
    for (const reply of [`Option A:\n${wrong}\nOption B:\n${b}`, `Option A:\n${a}\nOption B:\n${wrong}`])
      expect(read(reply, protocol)).toEqual({ at: [], text: reply });
    expect(read(`I do it:\n${wrong}`, protocol, 1)).toEqual({ at: [], text: "I do it:" });
  });
});

test("text that is tried again with other forms leaves no calls", () =>
  expect(read('[look(at="a")] // first\n[look(at="b")] // second', "lfm2").at).toEqual(["a", "b"]));
