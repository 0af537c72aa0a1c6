import { expect, it } from "vitest";
import { describeValue } from "./describe-value.js";

it.each([
  ["text", '"text"'],
  ["x".repeat(81), `"${"x".repeat(79)}…"`],
  ["\u{1f600}".repeat(41), `"${"\u{1f600}".repeat(39)}…"`],
  [5, "5"],
  [10n, "10"],
  [Number.NaN, "NaN"],
  [true, "true"],
  [null, "null"],
  [undefined, "undefined"],
  [Symbol("s"), "Symbol(s)"],
  [[], "a list"],
  [{}, "an object"],
  [Object.create(null), "an object"],
  [Promise.resolve(), "a promise"],
  [() => {}, "a function"],
])("describeValue(%o) is %s", (value, words) => {
  expect(describeValue(value)).toBe(words);
});
