import fc from "fast-check";
import { expect, test } from "vitest";
import { distance } from "./edit-distance.js";

const word = fc.string({ unit: fc.constantFrom("a", "b", "é", "😀"), maxLength: 6 });

/** The same by its definition. */
function plainly(from: readonly string[], to: readonly string[]): number {
  const [[first, ...rest], [other, ...others]] = [from, to];
  if (first === undefined || other === undefined) return from.length + to.length;
  if (first === other) return plainly(rest, others);
  return 1 + Math.min(plainly(rest, to), plainly(from, others), plainly(rest, others));
}

test("the edit distance is the fewest insertions, deletions and changes", () => {
  expect([distance("wether", "weather"), distance("", "abc"), distance("kitten", "sitting")]).toEqual([1, 3, 3]);
  fc.assert(fc.property(word, word, (from, to) => distance(from, to) === plainly([...from], [...to])));
});
