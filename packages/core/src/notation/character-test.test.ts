import fc from "fast-check";
import { expect, test } from "vitest";
import { characterTest } from "./character-test.js";

test("the answer is that of the expression for every character, also when it is asked again, and no after the end", () => {
  for (const pattern of [/[\p{L}\p{N}_-]/u, /["'`]/, /\s/, /[^a]/]) {
    const passes = characterTest(pattern);
    fc.assert(
      fc.property(
        fc.string({ unit: fc.oneof(fc.constantFrom("a", "_", '"', " ", "é", "\u00a0"), fc.string()) }),
        (text) => {
          for (const i of [...Array(text.length).keys(), ...Array(text.length).keys()])
            expect(passes(text, i)).toBe(pattern.test(text.charAt(i)));
          expect(passes(text, text.length)).toBe(false);
        },
      ),
    );
  }
});
