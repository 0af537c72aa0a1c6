import { expect, test } from "vitest";
import { Lookahead } from "../lookahead.js";
import { endsAttribute } from "./attribute-end.js";

const place = { tag: "call", expects: (key: string) => (key === "city" ? true : undefined) };

/** Whether the quote that a text begins with ends its value; `more`: that depends on what comes. */
function ends(text: string, { final = false, dirty = false, inTag = false } = {}) {
  const look = new Lookahead({ text, final });
  const answer = endsAttribute(look, 0, place, { dirty, inTag });
  return look.hitEnd ? "more" : answer;
}

test.each([
  ['"/>', true],
  ['">', true],
  ['" city="Paris"', true],
  ['", city="Paris"', true],
  ['"</call>', true],
  ['"```', true],
  ['" he said', false],
  ['"word goes on', false],
  ['"', "more"],
  ['"  ', "more"],
  ['" cit', "more"],
  ['"</ca', "more"],
])("%j: %j", (text, expected) => {
  expect(ends(text)).toBe(expected);
});

test("the end of the reply ends a value", () => {
  expect(ends('"', { final: true })).toBe(true);
});

test("a quote within a tag of the value does not end it", () => {
  expect(ends('">', { dirty: true, inTag: true })).toBe(false);
});

test("text with unescaped quotes ends only at a quote that is outside it for certain", () => {
  expect(ends('">x', { dirty: true })).toBe(false);
  expect(ends('"> ', { dirty: true })).toBe(true);
  expect(ends('" city="x', { dirty: true })).toBe(true);
});
