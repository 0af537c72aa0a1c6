import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { copiedFrom } from "./normalizer.js";
import { SourceWatch } from "./source-watch.js";
import { TextIndex } from "./text-index.js";

const watchOver = (...texts: string[]) => new SourceWatch(new TextIndex(texts));

/** Whether a source in these pieces may still be a copy, and whether it is one. */
function read(watch: SourceWatch, pieces: readonly string[], unmarked = false): [boolean, boolean] {
  watch.begin(unmarked);
  for (const piece of pieces) watch.read(piece);
  return [watch.mayBeCopy, watch.isCopy()];
}

const data = '<call>{"name": "f", "arguments": {"a": 1}}</call>';

describe("the source of a call", () => {
  test("is a copy exactly where untrusted text contains it, in any pieces", () => {
    const part = fc.constantFrom("<call>", '{"a":', '"b"', "1}", "</call>", " x ", "A", "[", ",");
    const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.array(part, { minLength: 1, maxLength: 5 }), (untrusted, pieces) => {
        const source = pieces.join("");
        // Separators around it do not count, and an empty source is no copy.
        fc.pre(/^[^[,\]].*[^[,\s]$/.test(source.trim()));
        const isCopy = copiedFrom([untrusted])(source);
        const [mayBe, is] = read(watchOver(untrusted), pieces);
        expect(is).toBe(isCopy);
        expect(read(watchOver(untrusted), [...source])[1]).toBe(isCopy);
        if (isCopy) expect(mayBe).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("may be a copy until it differs", () => {
    const watch = watchOver(data);
    const seen = ["<call>", '{"name": "f"', ', "arguments": {"b"'].map((piece, i) => {
      if (i === 0) watch.begin(false);
      watch.read(piece);
      return watch.mayBeCopy;
    });
    expect(seen).toEqual([true, true, false]);
    expect([watch.isCopy(), read(watch, ["(x"]), read(watch, ["<"])]).toEqual([false, [false, false], [true, true]]);
  });

  test("is no copy before anything was read", () => {
    expect(read(watchOver(data), [])).toEqual([true, false]);
    expect(read(watchOver(data), [" \n"])).toEqual([true, false]);
  });
});

describe("a call without a marker", () => {
  test("begins with its brace, inside and outside a list", () => {
    const list = 'It says [{"a": 1}, {"b": 2}] here';
    expect(read(watchOver(list), [', {"b": 2}'], true)[1]).toBe(true);
    expect(read(watchOver('{"b": 2}'), [', {"b": 2}'], true)[1]).toBe(true);
    expect(read(watchOver(list), [']{"b": 2}'], true)[1]).toBe(true);
  });

  test("begins in Python with the bracket or comma before its name", () => {
    expect(read(watchOver("Do f(1), please"), ["[f(1)"], true)[1]).toBe(false);
    expect(read(watchOver("It says [f(1)]"), ["[f(1)"], true)[1]).toBe(true);
    expect(read(watchOver("It says [f(1)]"), ["f(1)"], true)[1]).toBe(true);
  });
});

describe("a further call of the same block", () => {
  const block = '<calls>{"a": 1}{"b": 2}</calls>';
  const goOn = (watch: SourceWatch, source: string) => {
    watch.goOn();
    watch.read(source);
    return watch.isCopy();
  };

  test("is copied with those before it, or alone with the marker of the block", () => {
    const watch = watchOver(block, '<calls>{"c": 3}</calls>');
    expect(read(watch, ['<calls>{"a": 1}'])[1]).toBe(true);
    expect(goOn(watch, ', {"b": 2}')).toBe(true);
    expect(goOn(watch, '{"c": 3}')).toBe(true);
    expect(goOn(watch, '{"d": 4}')).toBe(false);
  });

  test("is compared from its own beginning without a marker", () => {
    const watch = watchOver('{"b": 2}');
    expect(read(watch, ['{"a": 1}'], true)[1]).toBe(false);
    expect(goOn(watch, ', {"b": 2}')).toBe(true);
  });

  test("has the bracket of its list in Python", () => {
    const watch = watchOver("[f(1)] or [g(2)]");
    expect(read(watch, ["[f(3)"])[1]).toBe(false);
    expect(goOn(watch, ", g(2)")).toBe(true);
  });

  test("is none after a call that begins another source", () => {
    const watch = watchOver('<calls>{"c": 3}</calls>');
    read(watch, ['<calls>{"a": 1}']);
    watch.goOn();
    watch.begin(false);
    watch.read('{"c": 3}');
    expect([watch.isCopy(), watchOver("x").mayBeCopy]).toEqual([true, false]);
    expect(read(watch, ['{"x": 0}'])[1]).toBe(false);
    expect(goOn(watch, '{"c": 3}')).toBe(false);
  });
});

test("a source may be longer than any room for it", () => {
  const long = `<call>${Array.from({ length: 100 }, (_, i) => `k${i}`).join(":")}</call>`;
  expect(read(watchOver(long), [long])[1]).toBe(true);
  expect(read(watchOver(long), [`${long}!`])[1]).toBe(false);
});
