import fc from "fast-check";
import { expect, test } from "vitest";
import { suffixArray } from "./suffix-array.js";

const naive = (text: string) => Array.from(text, (_, i) => i).sort((a, b) => (text.slice(a) < text.slice(b) ? -1 : 1));
const numbered = (text: string) => Uint16Array.from(text, (char) => char.charCodeAt(0));

test("sorts the suffixes", () => {
  const few = fc.array(fc.constantFrom("a", "b", "c", "aba", "abab"), { maxLength: 40 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.oneof(few, fc.string({ maxLength: 60 })), (text) => {
      expect([...suffixArray(numbered(text), 0xffff)]).toEqual(naive(text));
    }),
    { numRuns: 500 },
  );
});

test("takes any number of repetitions in a long text", () => {
  for (const text of ["a".repeat(3000), "ab".repeat(1500), "mississippi".repeat(200)]) {
    expect([...suffixArray(numbered(text), 0xffff)]).toEqual(naive(text));
  }
});
