import { MAX_TIMER } from "@toolingua/core/adapters";
import fc from "fast-check";
import { expect, test } from "vitest";
import { seconds } from "./options.js";

test("seconds with up to three decimals are exactly as many milliseconds", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MAX_TIMER }), (ms) => {
      expect(seconds(String(ms / 1000))).toBe(ms);
    }),
    { examples: [[16_100], [64_100], [MAX_TIMER]] },
  );
});

test.each([
  ["0.0005", 1],
  ["0.2501", 251],
  ["1e-12", 1],
])("a part of a millisecond counts as a whole one: %s", (given, ms) => {
  expect(seconds(given)).toBe(ms);
});

test.each(["0", "-1", "", " ", "soon", "NaN", "Infinity", "2147483.648"])("are no seconds of a timer: %j", (given) => {
  expect(() => seconds(given)).toThrow("A number of seconds above 0 is needed, at most 2147483.647.");
});
