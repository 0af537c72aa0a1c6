import { describe, expect, it } from "vitest";
import { placeAt, placeOf } from "../src/place.js";

describe("the place of a value", () => {
  it.each([
    [["messages", 0, "role"], "messages[0].role"],
    [[], ""],
    [["$defs", "größe", "_a1"], "$defs.größe._a1"],
    // A key that is no identifier is quoted, as in JavaScript.
    [["metadata", "0"], 'metadata["0"]'],
    [["a", "b.c"], 'a["b.c"]'],
    [["a", "b", "c"], "a.b.c"],
    [["a", ""], 'a[""]'],
    [["a", 'x"]'], 'a["x\\"]"]'],
    [["content-type", "a b"], '["content-type"]["a b"]'],
    [[2, "x"], "[2].x"],
  ])("%j is %s", (steps, place) => {
    expect(placeOf(steps)).toBe(place);
  });
});

describe("the place of a JSON pointer", () => {
  it.each([
    ["/messages/0/role", "messages[0].role"],
    ["", ""],
    ["/a~1b/c~0d", '["a/b"]["c~d"]'],
    // "~01" is "~1" and no slash.
    ["/a~01b", '["a~1b"]'],
    ["/a/", 'a[""]'],
    ["/a/10", "a[10]"],
    // No index begins with a zero, or has 20 digits.
    ["/a/01", 'a["01"]'],
    ["/a/12345678901234567890", 'a["12345678901234567890"]'],
  ])("%j is %s", (pointer, place) => {
    expect(placeAt(pointer)).toBe(place);
  });
});
