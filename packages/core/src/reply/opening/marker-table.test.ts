import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Opening } from "../forms/opening.js";
import { inHex, MarkerTable } from "./marker-table.js";

const opening = (marker: string): Opening => ({ marker, opens: "nothing", where: "anywhere" });
const table = (markers: readonly string[], everyTag = false) => new MarkerTable(markers.map(opening), everyTag);

const marker = fc.string({ unit: fc.constantFrom(..."<>|/ab]".split("")), minLength: 1, maxLength: 7 });
const markers = fc.uniqueArray(marker, { minLength: 1, maxLength: 8 });
const text = fc.oneof(
  markers.map((parts) => parts.join("")),
  fc.string({ unit: fc.constantFrom(..."<>|/ab]x".split("")), maxLength: 20 }),
);

describe("the table of markers", () => {
  test("finds every marker of a text, and the longest ones first", () => {
    fc.assert(
      fc.property(markers, text, fc.boolean(), (all, around, everyTag) => {
        const found = table(all, everyTag);
        const whole = around + all.join("") + around;
        for (let at = 0; at < whole.length; at++) {
          const here = all.filter((each) => whole.startsWith(each, at));
          const candidates = found.candidates(whole, at).map((each) => each.marker);
          expect(candidates).toEqual(expect.arrayContaining(here));
          if (here.length > 0) expect(found.next(whole, at)).toBe(at);
          const same = candidates.filter((each) => each.startsWith(whole.charAt(at)));
          expect(same.map(({ length }) => length)).toEqual(same.map(({ length }) => length).sort((a, b) => b - a));
        }
      }),
    );
  });

  test("has a marker that the end of a text cuts off as a candidate", () => {
    fc.assert(
      fc.property(markers, text, (all, before) => {
        const found = table(all);
        for (const each of all) {
          for (let cut = 1; cut < each.length; cut++) {
            const whole = before + each.slice(0, cut);
            expect(found.candidates(whole, before.length).map((candidate) => candidate.marker)).toContain(each);
            expect(found.next(whole, before.length)).toBe(before.length);
          }
        }
      }),
    );
  });

  test("passes over text that no marker begins like", () => {
    const some = table(["<|end|>", "call:"]);
    expect(some.next("a <b> candle <|end|>", 0)).toBe(6);
    expect(some.next("candles <|end|>", 1)).toBe(8);
    expect(some.next("no marker", 0)).toBe(-1);
    expect(some.next("a <b>", 3)).toBe(-1);
    expect(some.candidates("word", 0)).toEqual([]);
  });

  test("stops at each tag if every tag must be examined", () => {
    expect(table(["<|end|>"], true).next("a <b>", 0)).toBe(2);
    expect(table(["call:"], true).next("a <b>", 0)).toBe(2);
    expect(table(["<|end|>"]).next("a <b>", 0)).toBe(-1);
  });

  test.each(["`", "~", "\n", "[", "{"])("always stops at %j", (char) =>
    expect(table(["<|end|>"]).next(`ab${char}`, 0)).toBe(2),
  );

  test("stops at a marker of one character alone", () => expect(table(["@"]).next("a@b", 0)).toBe(1));

  test("has the short markers for any beginning", () =>
    expect(
      table(["</s>", "</script>"])
        .candidates("</s   >", 0)
        .map((each) => each.marker),
    ).toEqual(["</s>"]));
});

test("a character is spelled in hexadecimal digits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 1 }), (unit) => {
      const char = unit.charAt(0);
      expect(new RegExp(`^${inHex(char)}$`).test(char)).toBe(true);
    }),
  );
  expect(inHex("<")).toBe("\\u003c");
});
