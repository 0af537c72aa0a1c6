import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evidence, normalQuantile, wilson } from "../../src/probe/statistics.js";

describe("Wilson's interval", () => {
  // From R's binom package (binom.confint, method "wilson").
  test.each([
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [5, 10, 0.2366, 0.7634],
    [15, 20, 0.5313, 0.8881],
    [1, 100, 0.0018, 0.0545],
  ])("of %i of %i is from %f to %f", (hits, count, low, high) => {
    expect(wilson(hits, count).low).toBeCloseTo(low, 4);
    expect(wilson(hits, count).high).toBeCloseTo(high, 4);
  });

  test("contains the share itself, lies from 0 to 1, and is wider for more confidence", () => {
    const counts = fc.integer({ min: 1, max: 500 }).chain((count) => fc.tuple(fc.nat(count), fc.constant(count)));
    fc.assert(
      fc.property(counts, fc.double({ min: 0.001, max: 0.04, noNaN: true }), ([hits, count], error) => {
        const { low, high } = wilson(hits, count);
        const wider = wilson(hits, count, error);
        expect(low).toBeLessThanOrEqual(hits / count);
        expect(high).toBeGreaterThanOrEqual(hits / count);
        expect([wider.low >= 0, wider.high <= 1, wider.low <= low, wider.high >= high]).not.toContain(false);
      }),
    );
  });

  test("is the whole range without data", () => {
    expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
  });
});

test.each([
  [0.5, 0],
  [0.8, 0.8416212],
  [0.975, 1.959964],
  [0.995, 2.5758293],
  [0.9999, 3.7190165],
  [0.025, -1.959964],
])("the normal distribution has %f below %f", (share, z) => {
  expect(normalQuantile(share)).toBeCloseTo(z, 6);
});

describe("evidence", () => {
  test("is worth 1 on average if both are right equally often, however many questions there are", () => {
    const fair = fc.double({ min: 0, max: 0.5, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 25 }), fair, (count, each) => {
        expect(average(count, each, each)).toBeCloseTo(1, 6);
      }),
    );
  });

  test("is worth less than 1 on average if the other is right more often", () => {
    expect(average(20, 0.2, 0.3)).toBeLessThan(1);
  });

  test("grows with each question won, and shrinks with each lost", () => {
    expect(evidence(0, 0)).toBe(1);
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), (won, lost) => {
        expect(evidence(won + 1, lost)).toBeGreaterThan(evidence(won, lost));
        expect(evidence(won, lost + 1)).toBeLessThan(evidence(won, lost));
      }),
    );
  });
});

/** The expectation, over all that `count` questions can come to. */
function average(count: number, wins: number, loses: number): number {
  let sum = 0;
  for (let won = 0; won <= count; won++) {
    for (let lost = 0; lost + won <= count; lost++) {
      const ways = choose(count, won) * choose(count - won, lost);
      sum += ways * wins ** won * loses ** lost * (1 - wins - loses) ** (count - won - lost) * evidence(won, lost);
    }
  }
  return sum;
}

function choose(count: number, of: number): number {
  let ways = 1;
  for (let i = 1; i <= of; i++) ways = (ways * (count - of + i)) / i;
  return ways;
}
