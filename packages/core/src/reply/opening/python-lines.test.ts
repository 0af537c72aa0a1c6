import { describe, expect, test } from "vitest";
import { createReplyParser } from "../../full/index.js";

const tools = [{ name: "look", parameters: { type: "object", properties: { at: { type: "string" } } } }];

/** The places that the calls of a reply look at, the same in any chunks. */
function read(reply: string, protocol: "pythonic" | "olmo3" = "pythonic") {
  const [whole, streamed] = [[reply], [...reply]].map((chunks) => {
    const parser = createReplyParser({ protocol, tools });
    const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
    return events.flatMap((event) => (event.type === "call-end" ? [event.call.arguments.at] : []));
  });
  expect(streamed).toEqual(whole);
  return whole;
}

describe("calls in the block of a compound statement are text", () => {
  test.each([
    'if rain:\n    look(at="a")',
    'if rain:\n    look(at="a")\nelse:\n    look(at="b")',
    'for i in range(3):\n    look(at="a")',
    'while True:\n\tlook(at="a")',
    'try:\n    x = 1\nexcept Exception:\n    look(at="a")',
    'with open("f") as f:\n\n    print(f)\n    look(at="a")',
    'class A:\n    def g(self):\n        look(at="a")',
    'async def f():\n    [look(at="a")]',
    `if ${"rain and ".repeat(20)}wind:\n    look(at="a")`,
  ])("%s", (reply) => expect(read(reply)).toEqual([]));
});

test("a call before or after the block is a call", () => {
  expect(read('look(at="a")\nif rain:\n    look(at="b")')).toEqual(["a"]);
  expect(read('if rain:\n    print(1)\nlook(at="a")')).toEqual(["a"]);
});

test("an indented call after words is a call", () => {
  expect(read('I look:\n    look(at="a")')).toEqual(["a"]);
  expect(read('If it rains:\n    look(at="a")')).toEqual(["a"]);
  expect(read('format it:\n    look(at="a")')).toEqual(["a"]);
});
