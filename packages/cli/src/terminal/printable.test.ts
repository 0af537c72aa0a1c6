import { expect, test } from "vitest";
import { printable, printableJson } from "./printable.js";

test.each([..."\u061c\u200e\u200f\u202a\u202e\u2066\u2067\u2068\u2069\u009b"])(
  "a character that steers the terminal or the direction of writing is replaced: %j",
  (char) => {
    expect(printable(`a${char}b`)).toBe("a\ufffdb");
    expect(printableJson(`"${char}"`)).toMatch(/^"\\u[\da-f]{4}"$/);
  },
);

test("line ends, tabs and all other characters stay", () => {
  expect(printable("a\tb\nc é 日 😀")).toBe("a\tb\nc é 日 😀");
});
