import fc from "fast-check";
import { expect, it } from "vitest";
import { whyNotText } from "./why-not-text.js";

it("takes every text in UTF-8, and in UTF-16 with a byte order mark", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const isOdd = /^(?:\0[^\0]|[^\0]\0)/.test(text);
      expect(whyNotText(new TextEncoder().encode(text)) === undefined).toBe(!isOdd);
      expect(whyNotText(new Uint8Array(Buffer.from(`\ufeff${text}`, "utf16le")))).toBeUndefined();
    }),
  );
});

it("names the first line that is not UTF-8", () => {
  expect(whyNotText(new Uint8Array(Buffer.from("a\nb\ncafé\n", "latin1")))).toBe(
    "is not UTF-8 (line 3): save it as UTF-8.",
  );
  expect(whyNotText(new Uint8Array(Buffer.from("models", "utf16le")))).toContain("UTF-16 without a byte order mark");
});
