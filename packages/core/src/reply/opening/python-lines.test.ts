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
