import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GRAM, GramTable, nextHash } from "./gram-table.js";

const numbered = (text: string) => Uint16Array.from(text, (char) => char.charCodeAt(0));

/** The hash of the last characters of a text, as it rolls over all of them. */
function hashOf(text: string): number {
  const codes = numbered(text);
  return codes.reduce((hash, code, i) => nextHash(hash, code, i < GRAM ? 0 : codes[i - GRAM]!), 0);
}

const text = fc.string({ unit: "grapheme-ascii", minLength: GRAM, maxLength: 80 });

describe("the hash of the last characters", () => {
  test("depends on exactly as many as a gram has, whatever is before these", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const gram = after.slice(-GRAM);
        expect(hashOf(before + gram)).toBe(hashOf(gram));
      }),
    );
    expect(hashOf(`a${"x".repeat(GRAM - 1)}`)).not.toBe(hashOf(`b${"x".repeat(GRAM - 1)}`));
    expect(hashOf("ab")).not.toBe(hashOf("ba"));
  });
});

describe("the table of grams", () => {
  test("has every gram of its text", () => {
    fc.assert(
      fc.property(text, (all) => {
        const table = new GramTable(numbered(all));
        for (let at = 0; at + GRAM <= all.length; at++)
          expect(table.mayContainHash(hashOf(all.slice(at, at + GRAM)))).toBe(true);
      }),
    );
  });

  test.each([10, 1000, 50_000])("has at most one in eight others, for a text of %i characters", (length) => {
    const random = (seed: number, size: number) =>
      Array.from({ length: size }, (_, i) => String.fromCharCode(97 + ((Math.imul(i + 1, seed) >>> 20) % 26))).join("");
    const table = new GramTable(numbered(random(0x9e3779b1, length)));
    const others = random(0x85ebca6b, 4000).toUpperCase();
    const found = Array.from({ length: 3000 }, (_, at) => table.mayContainHash(hashOf(others.slice(at, at + GRAM))));
    expect(found.filter(Boolean).length / found.length).toBeLessThan(1 / 8);
  });

  test("of an empty text has none", () => {
    const table = new GramTable(new Uint16Array());
    expect(table.mayContainHash(hashOf("twelve chars"))).toBe(false);
  });
});
