import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matcherFor, TooCostly, whyUnmatchable } from "./pattern.js";

const one = fc.constantFrom(
  ...["a", "b", "c", "-", " ", "é", "😀", ".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\n", "\\.", "\\-".slice(1)],
  ...["[ab]", "[^a]", "[a-c\\]]", "[\\w-]", "[^\\d😀-😂]", "[]", "[^]", "\\p{L}", "\\P{Lu}", "\\p{Script=Greek}"],
  ...["\\u{1F600}", "\\uD83D\\uDE00", "\\uD83D", "\\x61", "\\u0062", "\\cJ", "\\0", "\\/"],
);
const edge = fc.constantFrom("^", "$", "\\b", "\\B");
const times = fc.constantFrom("*", "+", "?", "*?", "+?", "??", "{2}", "{1,}", "{0,2}", "{1,3}?", "{0}");
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 4 },
    one,
    one,
    edge,
    fc.tuple(one, times).map(([part, often]) => part + often),
    fc
      .tuple(fc.constantFrom("(", "(?:"), tie("pattern"), times)
      .map(([open, inner, often]) => `${open}${inner})${often}`),
    fc.tuple(fc.constantFrom("(?=", "(?!", "(?<=", "(?<!"), tie("pattern")).map(([open, inner]) => `${open}${inner})`),
  ),
  pattern: fc
    .array(
      fc.array(tie("part"), { maxLength: 4 }).map((parts) => parts.join("")),
      { minLength: 1, maxLength: 3 },
    )
    .map((options) => options.join("|")),
}));
const text = fc.array(
  fc.constantFrom("a", "b", "c", "A", "1", "_", "-", " ", "\n", "é", "α", "😀", "\ud83d", "\ude00", ".", "/", "\0"),
  { maxLength: 8 },
);

describe("matcherFor", () => {
  it("finds the matches that RegExp finds", () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 6 }), (source, texts) => {
        const expected = new RegExp(source, "u");
        const matches = matcherFor(source);
        for (const signs of texts) {
          const whole = signs.join("");
          // V8 looks for an empty match of \\B between the halves of a pair too, which ECMAScript does not.
          if (source.includes("\\B") && /[\u{10000}-\u{10ffff}]/u.test(whole)) continue;
          expect([source, whole, matches(whole)]).toEqual([source, whole, expected.test(whole)]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes linear steps where RegExp takes exponentially many", () => {
    for (const source of ["^(a+)+$", "^(a|a)*$", "(a*)*b", "(.*)*=", "^(?=(a+)+$).*", "(?<=(a+)+)b", "^([a-z]+a?)+$"]) {
      expect(matcherFor(source)(`${"a".repeat(50_000)}!`)).toBe(false);
      expect(matcherFor(source)("aab=")).toBe(new RegExp(source, "u").test("aab="));
    }
  });

  it("gives up on a match that takes too many steps", () => {
    const costly = matcherFor("(?:a.{0,1000}|b.{0,1000})x");
    expect(costly("aaaax")).toBe(true);
    expect(() => costly("ab".repeat(50_000))).toThrow(TooCostly);
  });

  it("reports why it cannot match", () => {
    expect(whyUnmatchable("^(?<y>\\d{4})-\\p{L}(?=a)(?<!b)$")).toBeUndefined();
    expect(whyUnmatchable("(a)\\1")).toBe("has a back-reference");
    expect(whyUnmatchable("(?<x>a)\\k<x>")).toBe("has a back-reference");
    expect(whyUnmatchable("(a{1,1000}){1,1000}")).toMatch(/^repeats too much/);
    expect(whyUnmatchable("(?:){1000000000}(?:(?:)*){999999999}")).toMatch(/^repeats too much/);
    expect(whyUnmatchable(`${"(".repeat(5_000)}${")".repeat(5_000)}`)).toBeDefined();
    expect(whyUnmatchable("(")).toBe("is not a valid ECMAScript regular expression");
  });
});
