import fc from "fast-check";
import { expect, it } from "vitest";
import { TextBytes, textOfBytes } from "./text-bytes.js";

const inUtf16 = (text: string, bigEndian: boolean): number[] =>
  [...`\ufeff${text}`]
    .flatMap((character) => Array.from({ length: character.length }, (_, i) => character.charCodeAt(i)))
    .flatMap((unit) => (bigEndian ? [unit >> 8, unit & 0xff] : [unit & 0xff, unit >> 8]));

const encodings: ((text: string) => number[])[] = [
  (text) => [...new TextEncoder().encode(text)],
  (text) => [...new TextEncoder().encode(`\ufeff${text}`)],
  (text) => inUtf16(text, false),
  (text) => inUtf16(text, true),
];

it("decodes UTF-8 and UTF-16 by the byte order mark, whole and in pieces", () => {
  const text = fc.string({ unit: "binary" }).filter((one) => !one.startsWith("\ufeff"));
  fc.assert(
    fc.property(text, fc.constantFrom(...encodings), fc.integer({ min: 1, max: 7 }), (written, encode, size) => {
      const bytes = Uint8Array.from(encode(written));
      expect(textOfBytes(bytes)).toBe(written);
      const pieces = new TextBytes();
      let read = "";
      for (let at = 0; at < bytes.length; at += size) read += pieces.decode(bytes.subarray(at, at + size));
      expect(read + pieces.decode()).toBe(written);
    }),
  );
});

it("decodes a long text after a first byte that may be half of a mark", () => {
  const bytes = new TextBytes();
  const rest = Uint8Array.from({ length: 400_001 }, (_, i) => (i === 0 ? 0xfe : i % 2 === 1 ? 0x48 : 0));
  const text = bytes.decode(Uint8Array.of(0xff)) + bytes.decode(rest) + bytes.decode();
  expect(text === "H".repeat(200_000)).toBe(true);
});
