import fc from "fast-check";
import { expect, test } from "vitest";
import { Input, isAt } from "./input.js";

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

test("rewind() returns to the mark, whatever was pushed and read since", () => {
  const steps = fc.array(fc.record({ chunk: fc.string({ maxLength: 5 }), reads: fc.nat(5) }), { maxLength: 20 });
  fc.assert(
    fc.property(fc.string(), fc.nat(9), steps, fc.boolean(), (begin, before, steps, rewinds) => {
      const input = new Input();
      const read = (count: number) => {
        input.pos = Math.min(input.text.length, input.pos + count);
      };
      input.push(begin);
      read(before);
      const place = input.place(input.pos);
      input.mark();
      for (const { chunk, reads } of steps) {
        input.push(chunk);
        read(reads);
      }
      const all = begin + steps.map(({ chunk }) => chunk).join("");
      const at = input.place(input.pos);
      expect(input.sinceMark).toBe(all.slice(place, at));
      if (rewinds) input.rewind();
      else input.unmark();
      expect(input.place(input.pos)).toBe(rewinds ? place : at);
      expect(input.text.slice(input.pos)).toBe(all.slice(rewinds ? place : at));
    }),
  );
});

test("isAt() compares, in short and in long texts", () => {
  const short = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
  fc.assert(
    fc.property(short, short, fc.nat(14), fc.constantFrom(0, 600), (text, wanted, index, more) => {
      const whole = text + " ".repeat(more);
      expect(isAt(whole, index, wanted)).toBe(whole.startsWith(wanted, index));
    }),
  );
});
