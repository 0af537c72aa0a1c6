import { describe, expect, test } from "vitest";
import { createReplyParser } from "../../full/index.js";
import { getProtocol, type ProtocolName, protocols } from "../../protocols/index.js";
import type { ToolDefinition } from "../../types.js";

const text = { type: "string" };
const tools: ToolDefinition[] = [
  {
    name: "send",
    parameters: {
      type: "object",
      properties: { to: text, body: text, count: { type: "integer" }, tags: { type: "array", items: text }, any: {} },
    },
  },
];

/** A reply of a call of `send`, in each format of Python calls in a list. */
const formats = (Object.keys(protocols) as ProtocolName[])
  .map((name) => ({ name, written: getProtocol(name).renderCalls([{ name: "send", arguments: {} }], { tools }) }))
  .filter(({ written }) => written.includes("[send()]"));

test("variants of Python calls in a list", () => expect(formats.length).toBeGreaterThan(1));

describe.each(formats)("in $name", ({ name, written }) => {
  /** The calls that run, the same in any chunks. */
  const run = (args: string): unknown[] => {
    const reply = written.replace("[send()]", () => `[send(${args})]`);
    const [whole, streamed] = [[reply], [...reply]].map((chunks) => {
      const parser = createReplyParser({ protocol: getProtocol(name), tools });
      const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
      return events.flatMap((event) => (event.type === "call-end" ? [event.call.arguments] : []));
    });
    expect(streamed).toEqual(whole);
    return whole!;
  };

  test.each([
    ["\\033[1mhi\\033[0m", "\u001b[1mhi\u001b[0m"],
    ["\\101\\0112", "A\t2"],
    ["\\8", "\\8"],
    ["D:\\Data\\2024\\101", "D:\\Data\\2024\\101"],
  ])("an octal escape is decoded: %s", (written, to) => {
    for (const quote of ['"', "'", '"""']) expect(run(`to=${quote}${written}${quote}`)).toEqual([{ to }]);
    expect(run(`to=r"${written}"`)).toEqual([{ to: written }]);
  });

  test.each([
    ["\\U0001F600!", "😀!"],
    ["\\U000000e9", "é"],
    ["\\u{1F600}\\u{00e9}", "😀é"],
    ["\\U00110000 \\U0001F60 \\u{12}", "\\U00110000 \\U0001F60 \\u{12}"],
  ])("a character is read by its number: %s", (written, to) => {
    expect(run(`to="${written}"`)).toEqual([{ to }]);
    expect(run(`to=r"${written}"`)).toEqual([{ to: written }]);
  });

  test.each(["(a)\\1", "\\0", "\\12;", "5 \\N{DEGREE SIGN}", "C:\\101"])(
    "an escape that is hardly meant, or names a character, makes no call: %s",
    (written) => {
      expect(run(`to="${written}"`)).toEqual([]);
      expect(run(`to=r"${written}"`)).toEqual([{ to: written }]);
    },
  );

  test.each([
    ['to=("a@b")', { to: "a@b" }],
    ['to=(("a@b"))', { to: "a@b" }],
    ['to=("a" + "b")', { to: "ab" }],
    ["count=(3)", { count: 3 }],
    ['tags=("a")', { tags: ["a"] }],
    ['tags=("a", "b")', { tags: ["a", "b"] }],
    ['any=("a")', { any: "a" }],
    ['any=("a",)', { any: ["a"] }],
    ["any=()", { any: [] }],
    ['any=[("a"), ("b",)]', { any: ["a", ["b"]] }],
    ['any={"k": (1)}, to="x"', { any: { k: 1 }, to: "x" }],
  ])("parentheses are a list if they contain a comma: %s", (args, wanted) => expect(run(args)).toEqual([wanted]));

  test.each([
    'join(x="; ", y=",") now',
    'join(x="; ", body=",") now',
    'say "hi" ok", y="b',
    'a"], y="b',
    'a", , y="b',
    'a", y="b"c',
    'a", body=",") now',
    'a") # b',
    'a");  # b',
    'a" b"c',
  ])("unescaped quotes do not end a string early: %s", (value) => {
    for (const args of [`to="${value}"`, `count=1, to="${value}"`, `to="${value}", tags=[]`])
      for (const call of run(args)) expect(call).toMatchObject({ to: value });
  });

  test.each([
    ['to="say "hi" to me", body="x"', { to: 'say "hi" to me', body: "x" }],
    ['to="a", y="b"', { to: "a", y: "b" }],
    ['to="the 12" pipe"', { to: 'the 12" pipe' }],
  ])("an unambiguous text runs: %s", (args, wanted) => expect(run(args)).toEqual([wanted]));
});

test("parentheses around one value in JSON are a list or that value, and make no call", () => {
  const parser = createReplyParser({ protocol: "hermes", tools });
  const reply = '<tool_call>{"name": "send", "arguments": {"any": ("a")}}</tool_call>';
  expect([...parser.push(reply), ...parser.end()].at(-1)).toMatchObject({ type: "call-invalid" });
});
