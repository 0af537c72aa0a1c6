import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { headerText, pathText, queryPairs, type Serialization, type Style } from "./serialize.js";

// The specification's own table: https://spec.openapis.org/oas/v3.1.1.html#style-examples

const array = ["blue", "black", "brown"];
const object = { R: 100, G: 200, B: 150 };
const as = (style: Style, explode: boolean, name = "color", allowReserved = false): Serialization => ({
  name,
  style,
  explode,
  allowReserved,
});

describe("a parameter is written as in the specification's table", () => {
  test.each([
    ["matrix", false, "blue", ";color=blue"],
    ["matrix", false, "", ";color"],
    ["matrix", false, array, ";color=blue,black,brown"],
    ["matrix", false, object, ";color=R,100,G,200,B,150"],
    ["matrix", true, array, ";color=blue;color=black;color=brown"],
    ["matrix", true, object, ";R=100;G=200;B=150"],
    ["label", false, "blue", ".blue"],
    ["label", false, array, ".blue,black,brown"],
    ["label", false, object, ".R,100,G,200,B,150"],
    ["label", true, array, ".blue.black.brown"],
    ["label", true, object, ".R=100.G=200.B=150"],
    ["simple", false, "blue", "blue"],
    ["simple", false, array, "blue,black,brown"],
    ["simple", false, object, "R,100,G,200,B,150"],
    ["simple", true, array, "blue,black,brown"],
    ["simple", true, object, "R=100,G=200,B=150"],
  ] as [Style, boolean, unknown, string][])("in a path: %s, explode %s, %j: %s", (style, explode, value, text) => {
    expect(pathText(value, as(style, explode))).toBe(text);
    if (style === "simple") expect(headerText(value, as(style, explode))).toBe(text);
  });

  test.each([
    ["form", false, "", "color="],
    ["form", false, "blue", "color=blue"],
    ["form", false, array, "color=blue,black,brown"],
    ["form", false, object, "color=R,100,G,200,B,150"],
    ["form", true, array, "color=blue&color=black&color=brown"],
    ["form", true, object, "R=100&G=200&B=150"],
    ["form", true, [], ""],
    ["spaceDelimited", false, array, "color=blue%20black%20brown"],
    ["spaceDelimited", false, object, "color=R%20100%20G%20200%20B%20150"],
    ["pipeDelimited", false, array, "color=blue%7Cblack%7Cbrown"],
    ["deepObject", true, object, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
    ["deepObject", true, { a: { b: [1, 2] } }, "color%5Ba%5D%5Bb%5D%5B0%5D=1&color%5Ba%5D%5Bb%5D%5B1%5D=2"],
  ] as [Style, boolean, unknown, string][])("in a query: %s, explode %s, %j: %s", (style, explode, value, text) => {
    expect(queryPairs(value, as(style, explode)).join("&")).toBe(text);
  });

  test("reserved characters occur only where they are allowed", () => {
    expect(queryPairs("a/b?c&d=e#f%g h", as("form", true))).toEqual(["color=a%2Fb%3Fc%26d%3De%23f%25g%20h"]);
    expect(queryPairs("a/b?c&d=e#f%g h", as("form", true, "q", true))).toEqual(["q=a/b?c%26d%3De%23f%25g%20h"]);
  });
});

test("an empty array or object has no pair, whether it would be one pair or several", () => {
  for (const style of ["form", "spaceDelimited", "pipeDelimited", "deepObject"] as const)
    for (const explode of [false, true])
      for (const empty of [[], {}]) expect(queryPairs(empty, as(style, explode))).toEqual([]);
});

test("any text is read back unchanged from a query, a path and a form", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.boolean(), (text, allowReserved) => {
      const well = text.replace(/[\ud800-\udfff]/gu, "\ufffd");
      const pairs = queryPairs(text, as("form", true, "a b&c", allowReserved));
      // A plus is literal in a URL, and a space in a form.
      expect([...new URLSearchParams(pairs.join("&"))]).toEqual([["a b&c", well]]);
      expect(decodeURIComponent(pathText(text, as("simple", false)))).toBe(well);
      expect([...new URLSearchParams(queryPairs([text, "x"], as("form", true, "k")).join("&"))]).toEqual([
        ["k", well],
        ["k", "x"],
      ]);
    }),
  );
});

test("a whole number from 1e21 on is no id of many digits, and is written", () => {
  expect(pathText(1e21, as("simple", false))).toBe("1e%2B21");
  expect(() => pathText(1e20, as("simple", false))).toThrow("too large to be exact");
});
