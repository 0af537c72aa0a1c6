import { expect, test } from "vitest";
import { parseReply } from "../../full/index.js";
import { Lookahead } from "../lookahead.js";
import { Bracket } from "./brackets.js";
import { endsString } from "./string-end.js";

/** Whether the quote that a text begins with ends a string in an object; `more`: that depends on what comes. */
function ends(text: string, { final = false, dirty = false, stack = [Bracket.Object] } = {}) {
  const look = new Lookahead({ text, final });
  const keys = {
    expects: (key: string) => key === "city",
    declares: (key: string) => key === "city",
    needsTexts: false,
    needsObject: false,
  };
  const answer = endsString(look, 0, { stack, dirty, options: { keys } });
  return look.hitEnd ? "more" : answer;
}

const properties = { a: { type: "string" }, b: { type: "integer" } };

test("an object in a text with unescaped quotes ends no string before words", () => {
  const reply = `<tool_call>{"name": "f", "arguments": {"a": "the map {"k": "v"}, … and more", "b": 1}}</tool_call>`;
  const { toolCalls } = parseReply(reply, {
    protocol: "hermes",
    tools: [{ name: "f", parameters: { type: "object", properties } }],
  });
  expect(toolCalls.map((call) => call.arguments)).toEqual([{ a: 'the map {"k": "v"}, … and more', b: 1 }]);
});

test.each([
  ['", "city": 1', true],
  ['", "other": 1', true],
  ['"}', "more"],
  ['"}\n', "more"],
  ['"} <', true],
  ['" and', false],
  ['"word', false],
  ['", and', "more"],
  ['", and so', false],
  ['"', "more"],
  ['", "ci', "more"],
])("%j: %j", (text, expected) => {
  expect(ends(text)).toBe(expected);
});

test("the end of the reply ends a string", () => {
  expect(ends('"', { final: true })).toBe(true);
});

test("after an unescaped quote only a key that the tool declares ends the string", () => {
  expect(ends('", "city": 1', { dirty: true })).toBe(true);
  expect(ends('", "other": 1', { dirty: true })).toBe(false);
});

test("a string that is the whole value ends at its first quote", () => {
  expect(ends('"', { stack: [] })).toBe(true);
});
