import fc from "fast-check";
import { expect, it } from "vitest";
import { RecentMap } from "../adapters/index.js";

it("forgets what was not used for the longest time", () => {
  const map = new RecentMap<string, { n: number }>(2);
  map.set("a", { n: 1 });
  map.set("b", { n: 2 });
  expect(map.get("a")).toEqual({ n: 1 });
  map.set("c", { n: 3 });
  expect(map.get("b")).toBeUndefined();
  expect([map.get("a"), map.get("c"), map.entries]).toEqual([{ n: 1 }, { n: 3 }, 2]);
});

it("keeps the latest entry, however large", () => {
  const map = new RecentMap<string, string[]>(3, ({ length }) => length);
  map.set("a", ["x"]);
  map.set("b", ["x", "x", "x", "x"]);
  expect([map.get("a"), map.entries, map.totalSize]).toEqual([undefined, 1, 4]);
  map.clear();
  expect([map.get("b"), map.entries, map.totalSize]).toEqual([undefined, 0, 0]);
});

it("has the sizes of its entries, at most the limit or those of one entry", () => {
  const steps = fc.array(fc.tuple(fc.nat(5), fc.option(fc.nat(7), { nil: undefined })));
  fc.assert(
    fc.property(steps, fc.nat(12), (given, most) => {
      const map = new RecentMap<number, { size: number }>(most, ({ size }) => size);
      const latest = new Map<number, number>();
      for (const [key, size] of given) {
        if (size === undefined) expect([undefined, latest.get(key)]).toContain(map.get(key)?.size);
        else {
          map.set(key, { size });
          latest.set(key, size);
          expect(map.get(key)).toEqual({ size });
        }
        const kept = [...latest.keys()].flatMap((one) => map.get(one) ?? []);
        expect([map.entries, map.totalSize]).toEqual([kept.length, kept.reduce((sum, one) => sum + one.size, 0)]);
        expect(map.totalSize <= most || map.entries === 1).toBe(true);
      }
    }),
  );
});
