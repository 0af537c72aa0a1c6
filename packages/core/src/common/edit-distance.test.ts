import { expect, it } from "vitest";
import { editDistance } from "./edit-distance.js";

it.each([
  ["", "", 0],
  ["", "abc", 3],
  ["abc", "", 3],
  ["abc", "abc", 0],
  ["wether", "weather", 1],
  ["kitten", "sitting", 3],
  ["xlm", "xml", 2],
  ["flaw", "lawn", 2],
])("counts the edits from %j to %j", (a, b, edits) => {
  expect(editDistance(a, b)).toBe(edits);
  expect(editDistance(b, a)).toBe(edits);
});
