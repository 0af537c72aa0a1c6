import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CopySearch } from "./copy-search.js";
import { TextIndex } from "./text-index.js";

const numbered = (text: string) => Uint16Array.from(text, (char) => char.charCodeAt(0));

/** Few characters, so that sources occur often. None of them is changed by normalising. */
const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 40 });
const source = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 10 });

/** The prefixes of a source that a search finds, one after the other, up to the first that it does not. */
function prefixesIn(search: CopySearch, word: string, step: number): string[] {
  search.begin();
  const found: string[] = [];
  for (let end = Math.min(step, word.length); ; end = Math.min(end + step, word.length)) {
    if (!search.finds(numbered(word), end)) return found;
    found.push(word.slice(0, end));
    if (end === word.length) return found;
  }
}

describe("the search for sources in untrusted text", () => {
  const sources = fc.array(fc.tuple(source, fc.integer({ min: 1, max: 4 })), { maxLength: 30 });

  test("finds exactly those that occur in it, in any order and with any steps", () => {
    fc.assert(
      fc.property(text, sources, (all, words) => {
        const search = new CopySearch(new TextIndex([all]));
        for (const [word, step] of words) {
          const ends = Array.from({ length: word.length }, (_, i) => i + 1).filter(
            (end) => end % step === 0 || end === word.length,
          );
          const wanted = ends.map((end) => word.slice(0, end)).filter((prefix) => all.includes(prefix));
          expect(prefixesIn(search, word, step)).toEqual(wanted);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("reads the text at most once for each source, and not more often than is useful", () => {
    const index = new TextIndex([`${"ab".repeat(2 ** 18)}c`]);
    const search = new CopySearch(index);
    search.begin();
    const long = `${"ab".repeat(300)}c`;
    for (let end = 1; end <= long.length; end++) search.finds(numbered(long), end);
    expect(index.steps).toBeLessThanOrEqual(index.text.length + long.length);
    for (let i = 0; i < 200; i++) prefixesIn(search, "abac", 4);
    expect(index.steps).toBeLessThanOrEqual(70 * index.text.length);
    // What is searched for consists of stretches of the text, so it is refused then.
    expect(prefixesIn(search, "abac", 4)).toEqual(["abac"]);
  });

  test("continues around the end of the text", () => {
    const search = new CopySearch(new TextIndex(["abcdef"]));
    expect(prefixesIn(search, "def", 3)).toEqual(["def"]);
    expect(prefixesIn(search, "abc", 3)).toEqual(["abc"]);
    expect(prefixesIn(search, "efab", 4)).toEqual([]);
  });

  test("takes sources of any length", () => {
    const long = Array.from({ length: 200 }, (_, i) => String.fromCharCode(97 + (i % 26))).join("");
    const search = new CopySearch(new TextIndex([`${long}X`]));
    expect(prefixesIn(search, long, 50)).toHaveLength(4);
    expect(prefixesIn(search, `${long}y`, 201)).toEqual([]);
  });
});
