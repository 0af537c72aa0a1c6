import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SuffixSearch } from "./suffix-search.js";

const numbered = (text: string) => Uint16Array.from(text, (char) => char.charCodeAt(0));
const searchIn = (text: string) => new SuffixSearch(numbered(`${text}\0`));

/** Few characters, so that words occur often. */
const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 12 });
const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 60 });

const occurrences = (all: string, part: string) =>
  Array.from(all, (_, at) => at).filter((at) => all.startsWith(part, at)).length;

describe("the suffixes of a text that begin with a word", () => {
  test("are as many as its occurrences, and none if it does not occur", () => {
    fc.assert(
      fc.property(text, word, (all, part) => {
        fc.pre(part !== "");
        const found = searchIn(all).narrow(numbered(part), part.length);
        expect(found ? found.high - found.low : 0).toBe(occurrences(all, part));
      }),
      { numRuns: 500 },
    );
  });

  test("are the same where the word grows, with any steps", () => {
    fc.assert(
      fc.property(text, word, fc.array(fc.nat(12)), (all, part, steps) => {
        const search = searchIn(all);
        const ends = [...new Set([...steps, part.length].map((end) => Math.min(end, part.length)))].sort(
          (a, b) => a - b,
        );
        let range: ReturnType<SuffixSearch["narrow"]>;
        for (const end of ends.filter((each) => each > 0)) {
          range = search.narrow(numbered(part), end, range);
          expect(range).toEqual(search.narrow(numbered(part), end));
          if (!range) return;
        }
      }),
      { numRuns: 500 },
    );
  });

  test("compare characters by their codes, and a word may be longer than the text", () => {
    expect(searchIn("zé😀").narrow(numbered("é😀"), 2)).toMatchObject({ length: 2 });
    expect(searchIn("ab").narrow(numbered("abc"), 3)).toBeUndefined();
    expect(searchIn("").narrow(numbered("a"), 1)).toBeUndefined();
  });
});
