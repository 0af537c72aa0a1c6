import { describe, expect, test } from "vitest";
import { readings } from "../../../test/support/readings.js";
import { Lookahead } from "../lookahead.js";
import { extraQuoteEnd, quotedObject } from "./extra-quotes.js";

const call = (args: string) => `<tool_call>\n{"name": "ship.order", "arguments": ${args}}\n</tool_call>`;
const order = (args: object) => [["ship.order", args]];

describe("an object in quotes, its own quotes unescaped", () => {
  test.each([
    ["one argument", call('"{"depot": "a"}"')],
    ["several arguments", call('"{"depot": "a", "boxes": 3}"')],
    ["on several lines", call('"{\n  "depot": "a",\n  "boxes": 3\n}"')],
    ["space at its ends", call('" { "boxes": 3, "depot": "a" } "')],
    ["no closing quote", call('"{"depot": "a", "boxes": 3}')],
  ])("is read as the object that the arguments must be: %s", (name, reply) =>
    expect(readings(reply, "hermes")).toEqual(
      order(name === "one argument" ? { depot: "a" } : { depot: "a", boxes: 3 }),
    ),
  );

  test.each([
    ["llama3-json", '{"name": "ship.order", "parameters": "{"depot": "a", "boxes": 3}"}'],
    ["auto", '{"name": "ship.order", "arguments": "{"depot": "a", "boxes": 3}"}'],
    ["json-list", '[{"name": "ship.order", "arguments": "{"depot": "a", "boxes": 3}"}]'],
    ["auto", '{"tool_calls": [{"function": {"name": "ship.order", "arguments": "{"depot": "a", "boxes": 3}"}}]}'],
  ] as const)("in %s", (protocol, reply) => expect(readings(reply, protocol)).toEqual(order({ depot: "a", boxes: 3 })));

  test("may be the value of an argument that is an object", () =>
    expect(readings('[open_file(path="p", place="{"city": "Oslo"}")]', "pythonic")).toEqual([
      ["open_file", { path: "p", place: { city: "Oslo" } }],
    ]));

  test("is text where a string is allowed", () =>
    expect(readings(call('{"depot": "{"x": 1}"}'), "hermes")).toEqual(order({ depot: '{"x": 1}' })));

  test("may contain strings with brackets, quotes and encoded objects", () => {
    expect(readings(call('"{"depot": "a}"}"'), "hermes")).toEqual(order({ depot: "a}" }));
    expect(readings(call('"{"depot": "say "hi" now"}"'), "hermes")).toEqual(order({ depot: 'say "hi" now' }));
    expect(readings(call('"{"depot": "{\\"a\\": 1}"}"'), "hermes")).toEqual(order({ depot: '{"a": 1}' }));
  });
});

test("an object, or a comma after a second quote, is not looked for far after a quote", () => {
  const look = new Lookahead({ text: `"${" ".repeat(2000)}`, final: false });
  expect([quotedObject(look, 0), extraQuoteEnd(look, 0, '"'), look.hitEnd]).toEqual([false, false, false]);
});
