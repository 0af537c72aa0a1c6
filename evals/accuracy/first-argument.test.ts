import { expect, it } from "vitest";
import { firstArguments } from "./first-argument.mjs";

const record = (cell: string, id: string, seconds: number, tokens?: number) => ({
  ...{ model: "m", cell, id, firstArgument: tokens && { seconds, tokens } },
});
const OURS = "hermes/compact/lazy/no-retry/mixed-4";
const NATIVE = "native/auto/mixed-4";

it("is compared on the questions in which both ways called", () => {
  const ids = Array.from({ length: 9 }, (_, i) => `q${i}`);
  const records = [
    ...ids.flatMap((id, i) => [record(OURS, id, i + 1, 10), record(NATIVE, id, 2 * (i + 1), 12)]),
    ...[record(OURS, "only ours", 9, 50), record(NATIVE, "only theirs", 9, 50), record(NATIVE, "only ours", 9)],
  ];
  const [found, ...others] = firstArguments(records);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ model: "m", ours: OURS, theirs: NATIVE, count: 9, tokens: { ours: 10, theirs: 12 } });
  expect(found).toMatchObject({ ratio: 0.5, low: 0.5, high: 0.5, less: 9, more: 0, p: 0.00391 });
});

it("is not told of fewer than six questions; the interval covers all of six, and grows narrower with more", () => {
  const of = (count: number) =>
    firstArguments(
      Array.from({ length: count }, (_, i) => [
        record(OURS, `q${i}`, 1 + i / count, 1),
        record(NATIVE, `q${i}`, 1, 1),
      ]).flat(),
    )[0]!;
  expect(of(5)).toBeUndefined();
  expect(of(6)).toMatchObject({ low: 1, high: 1.83 });
  expect(of(100).low).toBeGreaterThan(1.35);
  expect(of(100).high).toBeLessThan(1.65);
  expect(of(100).ratio).toBeCloseTo(1.5, 1);
});
