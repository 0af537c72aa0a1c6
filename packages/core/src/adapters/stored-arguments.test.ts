import { expect, it } from "vitest";
import { storedArguments } from "./stored-arguments.js";

it.each<[unknown, object]>([
  [{ a: 1 }, { a: 1 }],
  ['{"a": 1}', { a: 1 }],
  ['{"id": 12345678901234567890}', { id: "12345678901234567890" }],
  [undefined, {}],
  [null, {}],
  [" ", {}],
  ['{"a": ', { input: '{"a": ' }],
  ["[1]", { input: "[1]" }],
  [[1], { input: [1] }],
  [5, { input: 5 }],
])("the stored arguments %j are %j", (input, args) => expect(storedArguments(input)).toEqual(args));
