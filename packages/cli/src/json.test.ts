import { expect, test } from "vitest";
import { quoted } from "./json.js";

test("a long value is cut on one line, and never within a character", () => {
  expect(quoted("a\n b")).toBe("a b");
  expect(quoted("abcdef", 4)).toBe("abc…");
  expect(quoted("😀😀😀", 4)).toBe("😀…");
});
