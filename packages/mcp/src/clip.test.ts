import { expect, test } from "vitest";
import { clip } from "./clip.js";

test("a text that is too long is cut with a note, and never within a character", () => {
  expect(clip("abc", 3)).toBe("abc");
  expect(clip("abcd", 3)).toBe("abc\n[The first 3 of 4 characters.]");
  expect(clip("ab😀d", 3)).toBe("ab\n[The first 2 of 5 characters.]");
});
