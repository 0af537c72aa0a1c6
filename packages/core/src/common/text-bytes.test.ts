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
