import { parseReply } from "@toolingua/core";
import { describe, expect, test } from "vitest";
import { ServerCalls } from "./server-calls.js";

const tools = ["add", "now"].map((name) => ({ name, parameters: { type: "object", properties: { a: {}, b: {} } } }));

/** The calls in the text of these pieces, in any protocol. */
function read(...pieces: readonly unknown[][]) {
  const calls = new ServerCalls();
  for (const piece of pieces) calls.push(piece);
  const text = calls.take();
  expect(calls.take()).toBe("");
  const { toolCalls, invalidToolCalls } = parseReply(text, { tools, protocol: "xml" });
  return [...toolCalls.map((call) => [call.name, call.arguments]), ...invalidToolCalls.map(({ error }) => error.code)];
}

describe("calls that a server parsed", () => {
  test("are text that is read as the same calls", () => {
    const add = { id: "1", type: "function", function: { name: "add", arguments: '{"a": "</tool_call>", "b": [1]}' } };
    const now = { function: { name: "now", arguments: {} } };
    expect(read([add, now])).toEqual([
      ["add", { a: "</tool_call>", b: [1] }],
      ["now", {}],
    ]);
  });

  test("may come in pieces, and without arguments", () => {
    expect(
      read(
        [{ index: 0, function: { name: "add", arguments: "" } }],
        [{ index: 0, function: { name: "add", arguments: '{"a":' } }],
        [
          { index: 0, function: { arguments: " 1}" } },
          { index: 1, function: { name: "now" } },
        ],
      ),
    ).toEqual([
      ["add", { a: 1 }],
      ["now", {}],
    ]);
  });

  test.each<[string, ...unknown[][]]>([
    [
      "the same index",
      [{ index: 0, id: "a", function: { name: "now", arguments: "" } }],
      [{ index: 0, id: "b", function: { name: "add", arguments: '{"a": 1}' } }],
    ],
    [
      "no index",
      [{ id: "a", function: { name: "now", arguments: {} } }],
      [{ id: "b", function: { name: "add", arguments: { a: 1 } } }],
    ],
    [
      "no index and no id",
      [{ function: { name: "now", arguments: "{}" } }],
      [{ function: { name: "add", arguments: '{"a": 1}' } }],
    ],
  ])("are different ones with %s", (_, ...pieces) => {
    expect(read(...pieces)).toEqual([
      ["now", {}],
      ["add", { a: 1 }],
    ]);
  });

  test("are whole beside one that is cut off, and continue under a repeated name", () => {
    const half = { index: 0, id: "a", function: { name: "add", arguments: '{"a":' } };
    expect(read([half], [{ index: 1, id: "b", function: { name: "now", arguments: "{}" } }])).toEqual([
      ["now", {}],
      "truncated",
    ]);
    expect(read([half], [{ index: 0, id: "a", function: { name: "add", arguments: "1}" } }])).toEqual([
      ["add", { a: 1 }],
    ]);
  });

  test("are read in linear time if each piece repeats the name, and end where their object does", () => {
    const piece = (args: string) => [{ index: 0, function: { name: "add", arguments: args } }];
    const text = '{"a": "'.concat('}\\"{['.repeat(50_000), '"}');
    const pieces = text.match(/.{1,7}/gs)?.map(piece) ?? [];
    expect(read(...pieces, piece('{"b": 1}'))).toEqual([
      ["add", { a: '}"{['.repeat(50_000) }],
      ["add", { b: 1 }],
    ]);
  });

  test("do not run if they are cut off, or have two values for a key", () => {
    expect(read([{ function: { name: "add", arguments: '{"a": 1' } }])).toEqual(["truncated"]);
    expect(read([{ function: { name: "add", arguments: '{"a": 1, "a": 2}' } }])).toEqual(["invalid-arguments"]);
  });

  test("are none in anything else", () => expect(read([1, null, {}, { function: "f" }])).toEqual([]));
});
