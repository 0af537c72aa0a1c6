import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editDistance } from "./edit-distance.js";

describe("the edit distance of two words", () => {
  test.each([
    ["", "", 0],
    ["", "abc", 3],
    ["weather", "weather", 0],
    ["wether", "weather", 1],
    ["kitten", "sitting", 3],
    ["ab", "ba", 2],
  ])("%j and %j", (a, b, wanted) => expect(editDistance(a, b)).toBe(wanted));

  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });

  test("is the same in both directions, and 0 only for the same word", () =>
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
      }),
    ));

  test("grows by at most one for each letter that is added, removed or replaced", () =>
    fc.assert(
      fc.property(word, word, fc.nat(6), word, (a, b, at, { length }) => {
        const [before, after] = [b.slice(0, at), b.slice(at + Math.min(1, length))];
        const edited = before + (length > 1 ? "a" : "") + after;
        expect(Math.abs(editDistance(a, edited) - editDistance(a, b))).toBeLessThanOrEqual(1);
      }),
    ));

  test("and no detour is shorter", () =>
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
      }),
    ));
});
