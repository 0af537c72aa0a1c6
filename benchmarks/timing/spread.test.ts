import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimate, figure, GROUPS, isKnown, isMet, measured, quotient } from "./spread.mjs";

/** A row for the ratio of two times, in rounds that took turns. */
const ratioOf = (own: number[], other: number[], most?: number) => ({
  ...estimate([measured(own), measured(other)], quotient),
  ...{ unit: "× the time", ...(most !== undefined && { most }) },
});

describe("a ratio of times", () => {
  it("is known where every group of rounds agrees who is faster", () => {
    const row = ratioOf([5, 5.5, 5, 6], [10, 10, 11, 10], 0.8);
    expect(row).toMatchObject({ value: 0.5, low: 0.455, high: 0.6 });
    expect(figure(row)).toBe("0.5 × the time (0.455 to 0.6)");
    expect(isMet(row)).toBe(true);
  });

  it("is not known where another moment would reverse it, and neither is its verdict", () => {
    const row = ratioOf([9, 12, 9, 9], [10, 10, 10, 10], 0.95);
    expect(figure(row)).toBe("not known (0.9 to 1.2)");
    expect(isMet(row)).toBeUndefined();
  });

  it("is not known of a quick look, nor of differences that came out negative", () => {
    for (const row of [ratioOf([1], [10], 0.25), ratioOf([-5, 1, 1, 1], [1, 1, 1, 1], 0.5)]) {
      expect(figure(row)).toBe("not known");
      expect(isMet(row)).toBeUndefined();
    }
  });

  it("that is on one side of its limit is known, also about 1", () => {
    const growth = ratioOf([10, 11, 9, 10], [10, 10, 10, 10], 1.5);
    expect(isKnown(growth)).toBe(true);
    expect(isMet(growth)).toBe(true);
    expect(isMet(ratioOf([20, 21, 19, 20], [10, 10, 10, 10], 1.5))).toBe(false);
  });
});

it("a figure that was counted has no spread, and is known", () => {
  expect(isMet({ value: 10, unit: "KB", most: 12 })).toBe(true);
  expect(isMet({ value: 10, unit: "KB", least: 12 })).toBe(false);
  expect(isMet({ value: 10, unit: "KB" })).toBeUndefined();
  expect(figure({ value: 10, unit: "KB" })).toBe("10 KB");
});

it("a verdict is the same for every group of rounds, or there is none", () => {
  const times = fc.array(fc.double({ min: 0.1, max: 100, noNaN: true }), { minLength: GROUPS, maxLength: 40 });
  fc.assert(
    fc.property(times, fc.double({ min: 0.1, max: 100, noNaN: true }), (rounds, most) => {
      const one = measured(rounds);
      const met = isMet({ ...estimate([one], (time: number) => time), unit: "ms", most });
      const groups = new Set(one.groups.map((time: number) => Number(time.toPrecision(3)) <= most));
      if (met !== undefined) expect([...groups]).toEqual([met]);
    }),
  );
});
