import fc from "fast-check";
import { expect, test } from "vitest";
import { isTooDeep, jsonObject, jsonOrText, MAX_JSON_LEVELS, parsedJson, shallowJson } from "./json-text.js";

test("the value of a JSON text is read, and that of another text is undefined", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value);
      expect(parsedJson(json)).toEqual(JSON.parse(json));
      expect(jsonOrText(json)).toEqual(JSON.parse(json));
      expect(parsedJson(`${json}]`)).toBeUndefined();
      expect(jsonOrText(`${json}]`)).toBe(`${json}]`);
    }),
  );
});

test("only an object is the object of a JSON text", () => {
  expect(jsonObject('{"a":1}')).toEqual({ a: 1 });
  expect(['{"a":1', "[1]", "null", '"a"', "1", ""].map(jsonObject)).toEqual(Array(6).fill(undefined));
});

test("JSON that is nested too deeply is no JSON", () => {
  for (const [open, close] of [
    ["[", "]"],
    ['{"a":', "}"],
  ] as const) {
    const nested = (levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;
    expect(shallowJson(nested(MAX_JSON_LEVELS))).toEqual(parsedJson(nested(MAX_JSON_LEVELS)));
    expect(shallowJson(nested(MAX_JSON_LEVELS + 1))).toBeUndefined();
    expect(shallowJson(nested(50_000))).toBeUndefined();
  }
  expect(shallowJson("[1")).toBeUndefined();
  const circle: unknown[] = [];
  circle.push(circle);
  expect([isTooDeep(circle), isTooDeep([[]]), isTooDeep(null)]).toEqual([true, false, false]);
});
