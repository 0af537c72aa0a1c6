import fc from "fast-check";
import { expect, it } from "vitest";
import { PartMarks, withoutMarks } from "./part-marks.js";

it("returns texts and parts in the order in which they were written", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ minLength: 1 }), fc.record({ id: fc.nat() }))), (pieces) => {
      const marks = new PartMarks<{ id: number }>();
      const text = pieces.map((piece) => (typeof piece === "string" ? piece : marks.mark(piece))).join("");
      const joined: (string | { id: number })[] = [];
      for (const piece of pieces) {
        const last = joined.at(-1);
        if (typeof piece === "string" && typeof last === "string") joined[joined.length - 1] = last + piece;
        else joined.push(piece);
      }
      expect(marks.split(text)).toEqual(joined);
      expect(withoutMarks(text)).toBe(pieces.filter((piece) => typeof piece === "string").join(""));
    }),
  );
});

it("ignores marks of another conversation, and invented ones", () => {
  const marks = new PartMarks<{ id: number }>();
  const mark = marks.mark({ id: 1 });
  expect(new PartMarks().split(`a${mark}b`)).toEqual([`a${mark}b`]);
  const forged = "\uE0F0:0\uE0F1 and \uE0F0abc:0\uE0F1";
  expect(marks.split(forged)).toEqual([forged]);
});
