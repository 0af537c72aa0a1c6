import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cacheKey } from "./index.js";

const turned = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(turned)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, item]) => [key, turned(item)]),
        )
      : value;

describe("the key of a call", () => {
  it("is the same for any order of the keys", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (args) => {
        expect(cacheKey("t", "s", turned(args))).toBe(cacheKey("t", "s", args));
      }),
    );
  });

  it("contains the tool and all arguments", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (args) => {
        const key = cacheKey("t", "s", args);
        expect(key).toMatch(/^\["t","s"\]-/);
        expect(JSON.parse(key?.slice(10) ?? "")).toEqual(JSON.parse(JSON.stringify(args)));
      }),
    );
  });

  const circle: Record<string, unknown> = {};
  circle.again = circle;
  it.each([
    ["a map", new Map([[1, 2]])],
    ["a date", new Date(0)],
    ["no number", Number.NaN],
    ["a bigint", 1n],
    ["a function", () => 1],
    ["an item that is not there", [undefined]],
    ["a circle", circle],
  ])("does not exist if arguments are ambiguous: %s", (_, value) => {
    expect(cacheKey("t", "s", { value })).toBeUndefined();
  });

  it("is the same for an undefined and an absent key", () => {
    expect(cacheKey("t", "s", { a: undefined })).toBe(cacheKey("t", "s", {}));
  });
});
