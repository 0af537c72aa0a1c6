import fc from "fast-check";
import { expect, it } from "vitest";
import { utf8Ranges } from "./utf8-ranges.js";

const encoder = new TextEncoder();
const point = fc.oneof(fc.nat(0x10ffff), fc.nat(0x900), fc.constantFrom(0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000));
const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff;

const ways = (first: number, last: number, code: number) => {
  const bytes = [...encoder.encode(String.fromCodePoint(code))];
  return utf8Ranges(first, last).filter(
    (ranges) =>
      ranges.length === bytes.length &&
      ranges.every(([low, high], i) => low <= (bytes[i] ?? -1) && (bytes[i] ?? -1) <= high),
  ).length;
};

it("a character in the range has its bytes in one of the ranges, and one outside in none", () => {
  fc.assert(
    fc.property(point, point, point, (a, b, code) => {
      fc.pre(!isSurrogate(code));
      const [first, last] = [Math.min(a, b), Math.max(a, b)];
      expect(ways(first, last, code)).toBe(first <= code && code <= last ? 1 : 0);
      for (const edge of [first, last].filter((one) => !isSurrogate(one))) expect(ways(first, last, edge)).toBe(1);
    }),
    { numRuns: 3000 },
  );
});

it("all characters are the nine rows of Unicode's table of well-formed bytes", () => {
  const rows = utf8Ranges(0, 0x10ffff).map((ranges) =>
    ranges.map(([low, high]) => `${low.toString(16)}-${high.toString(16)}`).join(" "),
  );
  expect(rows).toEqual([
    "0-7f",
    "c2-df 80-bf",
    "e0-e0 a0-bf 80-bf",
    "e1-ec 80-bf 80-bf",
    "ed-ed 80-9f 80-bf",
    "ee-ef 80-bf 80-bf",
    "f0-f0 90-bf 80-bf 80-bf",
    "f1-f3 80-bf 80-bf 80-bf",
    "f4-f4 80-8f 80-bf 80-bf",
  ]);
});
