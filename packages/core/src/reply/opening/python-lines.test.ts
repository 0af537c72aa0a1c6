import { describe, expect, test } from "vitest";
import { createReplyParser } from "../../full/index.js";
import { type ProtocolName, protocols } from "../../protocols/index.js";
import { isBodyOf } from "../../syntax/syntax.js";

const tools = [{ name: "look", parameters: { type: "object", properties: { at: { type: "string" } } } }];

/** The places that the calls of a reply look at, the same in any chunks. */
function read(reply: string, protocol: ProtocolName) {
  const [whole, streamed] = [[reply], [...reply]].map((chunks) => {
    const parser = createReplyParser({ protocol, tools });
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    return events.flatMap((event) => (event.type === "call-end" ? [event.call.arguments.at] : []));
  });
  expect(streamed).toEqual(whole);
  return whole;
}

/** The protocols with a form in Python. */
const python = (Object.keys(protocols) as ProtocolName[]).filter((name) => {
  const { also = [], ...syntax } = protocols[name].syntax;
  return [syntax, ...also].some(({ call }) => call.some((part) => isBodyOf(part, "python-arguments")));
});

describe.each(python)("in %s, calls in a compound statement are text", (protocol) => {
  test.each([
    'if rain:\n    look(at="a")',
    'if rain:\n    look(at="a")\nelse:\n    look(at="b")',
    'for i in range(3):\n    look(at="a")',
    'while True:\n\tlook(at="a")',
    'try:\n    x = 1\nexcept Exception:\n    look(at="a")',
    'with open("f") as f:\n\n    print(f)\n    look(at="a")',
    'class A:\n    def g(self):\n        look(at="a")',
    'async def f():\n    [look(at="a")]',
    'match x:\n    case 1:\n        look(at="a")',
    'if rain:  # maybe\n    look(at="a")',
    'if rain:\n# maybe\n    look(at="a")',
    'if (rain and\n        wind):\n    look(at="a")',
    'def f(\n    a,\n):\n    look(at="a")',
    'if rain: [look(at="a")]',
    `if ${"rain and ".repeat(20)}wind:\n    look(at="a")`,
  ])("%s", (reply) => expect(read(reply, protocol)).toEqual([]));
});

test("a call before or after the statement is a call", () => {
  expect(read('look(at="a")\nif rain:\n    look(at="b")', "pythonic")).toEqual(["a"]);
  expect(read('if rain:\n    print(1)\nlook(at="a")', "pythonic")).toEqual(["a"]);
});

test("an indented call after words is a call, also after those that begin with a keyword if it is JSON", () => {
  expect(read('I look:\n    look(at="a")', "pythonic")).toEqual(["a"]);
  expect(read('If it rains:\n    look(at="a")', "pythonic")).toEqual(["a"]);
  expect(read('format it:\n    look(at="a")', "pythonic")).toEqual(["a"]);
  expect(read('for example:\n    look(at="a")', "pythonic")).toEqual([]);
  expect(read('for example:\n    {"name": "look", "parameters": {"at": "a"}}', "llama3-json")).toEqual(["a"]);
});
