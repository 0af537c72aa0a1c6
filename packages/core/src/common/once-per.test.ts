import { describe, expect, it, vi } from "vitest";
import { oncePer, oncePerPair } from "./once-per.js";

describe("oncePer", () => {
  it("calls `make` once for each object", () => {
    const make = vi.fn((key: { n: number }) => ({ twice: key.n * 2 }));
    const twice = oncePer(make);
    const [one, equal] = [{ n: 1 }, { n: 1 }];
    expect(twice(one)).toEqual({ twice: 2 });
    expect(twice(one)).toBe(twice(one));
    expect(twice(equal)).not.toBe(twice(one));
    expect(make).toHaveBeenCalledTimes(2);
  });

  it.each([undefined, null, false, 0, ""])("caches %j as well", (result) => {
    const make = vi.fn((_: object) => result);
    const of = oncePer(make);
    const key = {};
    expect([of(key), of(key)]).toEqual([result, result]);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it("passes `make` the object alone, also as a callback", () => {
    const make = vi.fn((key: object) => key);
    const keys = [{}, {}];
    expect(keys.map(oncePer(make))).toEqual(keys);
    expect(make.mock.calls).toEqual(keys.map((key) => [key]));
  });

  it("caches nothing when `make` throws", () => {
    const make = vi
      .fn((_: object) => "made")
      .mockImplementationOnce(() => {
        throw new RangeError("too deep");
      });
    const of = oncePer(make);
    const key = {};
    expect(() => of(key)).toThrow("too deep");
    expect(of(key)).toBe("made");
    expect(make).toHaveBeenCalledTimes(2);
  });

  it("may call itself for the parts of an object", () => {
    interface Tree {
      parts: readonly Tree[];
    }
    const visit = vi.fn();
    const size = oncePer((tree: Tree): number => {
      visit(tree);
      return tree.parts.reduce((sum, part) => sum + size(part), 1);
    });
    const shared: Tree = { parts: [{ parts: [] }] };
    expect(size({ parts: [shared, shared] })).toBe(5);
    expect(visit).toHaveBeenCalledTimes(3);
  });
});

describe("oncePerPair", () => {
  it("calls `make` once for each pair, in this order", () => {
    const make = vi.fn((first: { a: string }, second: { b: string }) => ({ text: first.a + second.b }));
    const joined = oncePerPair(make);
    const [one, other, last] = [{ a: "1", b: "1" }, { a: "2", b: "2" }, { b: "3" }];
    expect([joined(one, last), joined(other, last)]).toEqual([{ text: "13" }, { text: "23" }]);
    expect([joined(one, other), joined(other, one)]).toEqual([{ text: "12" }, { text: "21" }]);
    expect(joined(one, last)).toBe(joined(one, last));
    expect(make).toHaveBeenCalledTimes(4);
  });

  it("caches nothing when `make` throws", () => {
    const make = vi
      .fn((_: object, __: object) => "made")
      .mockImplementationOnce(() => {
        throw new RangeError("too deep");
      });
    const of = oncePerPair(make);
    const [one, other] = [{}, {}];
    expect(() => of(one, other)).toThrow("too deep");
    expect([of(one, other), of(one, other)]).toEqual(["made", "made"]);
    expect(make).toHaveBeenCalledTimes(2);
  });
});
