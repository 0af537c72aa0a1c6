import fc from "fast-check";
import { expect, test } from "vitest";
import { base64Of } from "./base64.js";

test("bytes become the same base64 as with Buffer", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
      expect(base64Of(bytes)).toBe(Buffer.from(bytes).toString("base64"));
    }),
  );
});
