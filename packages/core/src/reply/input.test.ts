import fc from "fast-check";
import { expect, test } from "vitest";
import { Input } from "./input.js";

test("find() returns the next position of a marker, in any order of queries", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "<"), minLength: 200, maxLength: 400 });
  const asked = fc.array(fc.record({ marker: fc.constantFrom("<", "ab", "<<<<", "bab"), from: fc.nat(400) }));
  fc.assert(
    fc.property(text, asked, (text, asked) => {
      const input = new Input();
      input.push(text);
      for (const { marker, from } of asked) expect(input.find(marker, from)).toBe(text.indexOf(marker, from));
    }),
  );
});
