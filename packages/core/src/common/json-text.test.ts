import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonObject, parsedJson } from "./json-text.js";

test("the value of a JSON text is read, and that of another text is undefined", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value);
      expect(parsedJson(json)).toEqual(JSON.parse(json));
      expect(parsedJson(`${json}]`)).toBeUndefined();
    }),
  );
});

test("only an object is the object of a JSON text", () => {
  expect(jsonObject('{"a":1}')).toEqual({ a: 1 });
  expect(['{"a":1', "[1]", "null", '"a"', "1", ""].map(jsonObject)).toEqual(Array(6).fill(undefined));
});
