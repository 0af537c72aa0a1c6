import fc from "fast-check";
import { expect, test } from "vitest";
import { distance } from "./edit-distance.js";

const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });

test.each([
  ["", "", 0],
  ["", "abc", 3],
  ["kitten", "sitting", 3],
  ["form", "from", 2],
  ["wether", "weather", 1],
])("%j and %j differ by %d", (a, b, wanted) => {
  expect(distance(a, b)).toBe(wanted);
  expect(distance(b, a)).toBe(wanted);
});

test("one change more is one more at most, and equal words do not differ", () => {
  fc.assert(
    fc.property(word, word, fc.nat(8), (a, b, at) => {
      const [before, after] = [b.slice(0, at), b.slice(at)];
      expect(distance(b, b)).toBe(0);
      expect(distance(a, b) === 0).toBe(a === b);
      for (const changed of [`${before}a${after}`, before + after.slice(1), `${before}c${after.slice(1)}`])
        expect(Math.abs(distance(a, changed) - distance(a, b))).toBeLessThanOrEqual(1);
    }),
  );
});

test("words that share no character differ in each of the longer one", () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(distance(a, b.toUpperCase())).toBe(Math.max(a.length, b.length));
    }),
  );
});
