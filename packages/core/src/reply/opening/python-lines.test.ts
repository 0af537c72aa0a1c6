import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";
import { type ProtocolName, protocols } from "../../protocols/index.js";
import { isBodyOf } from "../../syntax/syntax.js";

/** The rooms whose meters a reply reads, the same in any chunks; the code of a call that does not run. */
const read = (reply: string, protocol: ProtocolName) =>
  readings(reply, protocol)?.map((found) => (Array.isArray(found) ? (found[1] as { room: string }).room : found));

/** The protocols with a form in Python. */
const python = (Object.keys(protocols) as ProtocolName[]).filter((name) => {
  const { also = [], ...syntax } = protocols[name].syntax;
  return [syntax, ...also].some(({ call }) => call.some((part) => isBodyOf(part, "python-arguments")));
});

describe.each(python)("in %s, calls in a compound statement are text", (protocol) => {
  test.each([
    'if rain:\n    read_meter(room="a")',
    'if rain:\n    read_meter(room="a")\nelse:\n    read_meter(room="b")',
    'for i in range(3):\n    read_meter(room="a")',
    'while True:\n\tread_meter(room="a")',
    'try:\n    x = 1\nexcept Exception:\n    read_meter(room="a")',
    'with open("f") as f:\n\n    print(f)\n    read_meter(room="a")',
    'class A:\n    def g(self):\n        read_meter(room="a")',
    'async def f():\n    [read_meter(room="a")]',
    'match x:\n    case 1:\n        read_meter(room="a")',
    'if rain:  # maybe\n    read_meter(room="a")',
    'if rain:\n# maybe\n    read_meter(room="a")',
    'if (rain and\n        wind):\n    read_meter(room="a")',
    'def f(\n    a,\n):\n    read_meter(room="a")',
    'if rain: [read_meter(room="a")]',
    `if ${"rain and ".repeat(20)}wind:\n    read_meter(room="a")`,
  ])("%s", (reply) => expect(read(reply, protocol)).toEqual([]));
});

describe("the statement may come after other text on its line", () => {
  const calls = '\n    read_meter(room="a")';

  test.each([
    ...["Code: ", "- ", "1. ", "**Code:** ", "Step 1: ", "x = 1; ", "I do this - ", "(", "> "],
    ...["\ufeff", "\u200b", "\u00a0", "\u2060", "Code:\u200b"],
    `Code: ${"x".repeat(100)}; `,
  ])("after %j", (before) => {
    expect(read(`${before}if rain:${calls}`, "pythonic")).toEqual([]);
    expect(read(`${before}for r in ["a"]:\n    read_meter(room=r)`, "pythonic")).toEqual([]);
  });

  test.each([
    `Code: if ${"rain and ".repeat(20)}wind:${calls}`,
    `Code: if (rain and\n        wind):${calls}`,
    `Code: if rain:  # maybe${calls}`,
    `Code: if rain:\n\n${calls}`,
    `Code: if rain:\r\n    read_meter(room="a")`,
    `- **if rain:**${calls}`,
    `x = 1\nelse : ${calls}`,
    `Code: try:${calls}`,
    `Code: except OSError as e:${calls}`,
    `Code: async def f():${calls}`,
    `Code: with open("f") as f:${calls}`,
    `IF rain:${calls}`,
    'Code: if rain: [read_meter(room="a")]',
    'Code: if rain:\n}    [read_meter(room="a")]',
    'Code: for i, (a, b) in x:\n    read_meter(room="a")',
    'if rain:\n\u00a0\u00a0read_meter(room="a")',
  ])("%j", (reply) => expect(read(reply, "pythonic")).toEqual([]));
});

test.each([
  ...[
    "I check if it rains:",
    "The weather for Paris in France:",
    "I look, if you like:",
    "- for a:",
    "A what-if analysis:",
  ],
  ...[
    "I try: it for all in a:",
    "Step 1: try the meter:",
    "Step 2: for the room in question:",
    "Next, - with this:",
    "My notes: else",
    "I look; it is if rain",
  ],
])("%j is prose before an indented call", (words) => {
  expect(read(`${words}\n    read_meter(room="a")`, "pythonic")).toEqual(["a"]);
});

test("a call before or after the statement is a call", () => {
  expect(read('read_meter(room="a")\nif rain:\n    read_meter(room="b")', "pythonic")).toEqual(["a"]);
  expect(read('if rain:\n    print(1)\nread_meter(room="a")', "pythonic")).toEqual(["a"]);
});

test("an indented call after words is a call, also after those that begin with a keyword if it is JSON", () => {
  expect(read('I look:\n    read_meter(room="a")', "pythonic")).toEqual(["a"]);
  expect(read('If it rains:\n    read_meter(room="a")', "pythonic")).toEqual(["a"]);
  expect(read('format it:\n    read_meter(room="a")', "pythonic")).toEqual(["a"]);
  expect(read('for example:\n    read_meter(room="a")', "pythonic")).toEqual([]);
  expect(read('for example:\n    {"name": "read_meter", "parameters": {"room": "a"}}', "llama3-json")).toEqual(["a"]);
});
