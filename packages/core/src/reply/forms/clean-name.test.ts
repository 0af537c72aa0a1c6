import { describe, expect, test } from "vitest";
import { cleanName } from "./clean-name.js";

describe("a name", () => {
  test.each(["function search", "Tool: search", "Tool: function search", "function: search", "Action name: `search`"])(
    "has no kind and no label before it: %s",
    (written) => expect(cleanName(written).replaceAll("`", "")).toBe("search"),
  );

  test("with many kinds before words is read in linear time", () => {
    const written = `${"function a: ".repeat(30)}b c`;
    expect(cleanName(written)).toBe(written);
  });
});
