import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matcher } from "../../../test/support/gbnf-oracle.js";
import { GbnfSampler } from "../../../test/support/gbnf-sampler.js";
import { runs } from "../../../test/support/runs.js";
import { validateJson } from "../../schema/validate.js";
import type { JsonSchema } from "../../types.js";
import { type GrammarError, jsonSchemaToGbnf } from "../index.js";

const fits = (schema: JsonSchema, value: unknown) =>
  validateJson({ value }, { type: "object", properties: { value: schema } }).length === 0;

/** The grammar accepts the values that match and rejects others, and its samples match. */
async function holds(schema: JsonSchema, values: readonly unknown[], random: () => number) {
  const { grammar, unenforced, narrowed } = jsonSchemaToGbnf(schema);
  expect({ unenforced, narrowed }).toEqual({ unenforced: [], narrowed: [] });
  const matches = await matcher(grammar);
  const judged = values.map((value) => [schema, value, matches(JSON.stringify(value))]);
  expect(judged).toEqual(values.map((value) => [schema, value, fits(schema, value)]));
  const sampler = new GbnfSampler(grammar);
  for (let i = 0; i < 5; i++) {
    const text = sampler.sample(random);
    // JavaScript cannot decide divisibility for numbers with more digits.
    if ("multipleOf" in (schema as object) && text.replace(/\D/g, "").length > 15) continue;
    expect([schema, text, fits(schema, JSON.parse(text))]).toEqual([schema, text, true]);
  }
}

/** The keywords that the grammar does not enforce, or the code of the error if there is no grammar. */
function gapsOf(schema: JsonSchema): string {
  try {
    return jsonSchemaToGbnf(schema)
      .unenforced.map(({ keyword }) => keyword)
      .join();
  } catch (error) {
    return (error as GrammarError).code;
  }
}

const chance = fc
  .infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }))
  .map((stream) => () => stream.next().value);
const bound = fc.oneof(fc.integer({ min: -150, max: 150 }), fc.integer({ min: -100000, max: 100000 }));
const near = (bounds: readonly number[]) =>
  fc.array(fc.tuple(fc.constantFrom(0, ...bounds), fc.integer({ min: -12, max: 12 })).map(([at, by]) => at + by));

describe("numbers in a grammar", () => {
  it("are any that a double can represent", async () => {
    const matches = await matcher(jsonSchemaToGbnf({ type: "number" }).grammar);
    const numbers = [0, -1.5, 1e21, 1e-7, 5e-324, 1e100, -9.9e307, 1.79e308, Number.MAX_VALUE, -Number.MAX_VALUE];
    expect(numbers.filter((number) => !matches(JSON.stringify(number)))).toEqual([]);
    expect(["1e309", "1.8e308", "-58E669", "1.7976931348623159e308", "12e307"].filter(matches)).toEqual([]);
  });

  it("are integers within their bounds", async () => {
    const given = fc
      .record(
        { minimum: bound, maximum: bound, exclusiveMinimum: bound, exclusiveMaximum: bound },
        { requiredKeys: [] },
      )
      .chain((bounds) => fc.tuple(fc.constant(bounds), near(Object.values(bounds)), chance));
    await fc.assert(
      fc.asyncProperty(given, async ([bounds, values, random]) => {
        const schema = { type: "integer", ...bounds };
        fc.pre(
          Math.max(bounds.minimum ?? -1e9, (bounds.exclusiveMinimum ?? -1e9) + 1) <=
            Math.min(bounds.maximum ?? 1e9, (bounds.exclusiveMaximum ?? 1e9) - 1),
        );
        await holds(schema, values, random);
      }),
      { numRuns: 150 },
    );
  });

  it("are decimals within their bounds", async () => {
    const decimal = fc
      .tuple(fc.integer({ min: -2500, max: 2500 }), fc.constantFrom(1, 10, 100))
      .map(([n, by]) => n / by + 0);
    const given = fc.tuple(decimal, decimal, fc.boolean(), fc.boolean()).chain(([a, b, ...open]) => {
      const [min, max] = [Math.min(a, b), Math.max(a, b)];
      const values = fc.array(
        fc.oneof(
          decimal,
          fc.constantFrom(min, max),
          fc.integer({ min: -9, max: 9 }).map((n) => Math.round(min * 1000 + n) / 1000 + 0),
        ),
      );
      return fc.tuple(fc.constant({ min, max, open }), values, chance);
    });
    await fc.assert(
      fc.asyncProperty(
        given,
        fc.constantFrom("min", "max", "both"),
        async ([{ min, max, open }, values, random], sides) => {
          fc.pre(min < max);
          const lower = sides === "max" ? {} : { [open[0] ? "exclusiveMinimum" : "minimum"]: min };
          const upper = sides === "min" ? {} : { [open[1] ? "exclusiveMaximum" : "maximum"]: max };
          await holds({ type: "number", ...lower, ...upper }, values, random);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("are multiples", async () => {
    const factor = fc.oneof(
      fc.integer({ min: 1, max: 70 }),
      fc.tuple(fc.integer({ min: 1, max: 60 }), fc.constantFrom(10, 100, 1000)).map(([n, by]) => n / by),
      fc.constantFrom(0.01, 0.05, 0.1, 0.25, 0.5, 1.5, 2.5, 7.5, 0.125, 50, 100, 250),
    );
    const bound = fc.option(
      fc.oneof(
        fc.integer({ min: -400, max: 4000 }),
        fc.integer({ min: -4000, max: 4000 }).map((n) => n / 100),
      ),
      { nil: undefined },
    );
    const given = fc.tuple(factor, bound, bound).chain(([multipleOf, a, b]) => {
      const [min, max] = a !== undefined && b !== undefined ? [Math.min(a, b), Math.max(a, b)] : [a, b];
      const decimals = (n: number) => Number(n.toFixed(6)) + 0;
      const near = fc.integer({ min: -30, max: 300 }).map((n) => decimals(n * multipleOf));
      const beside = fc.constantFrom(min ?? 0, max ?? 0, 0).chain((from) => near.map((n) => decimals(from + n)));
      const values = fc.array(fc.oneof(near, beside, fc.integer({ min: -500, max: 5000 })), { maxLength: 12 });
      return fc.tuple(fc.constant({ multipleOf, min, max }), values, fc.boolean(), fc.boolean(), chance);
    });
    const seen = { all: 0, tooMany: 0 };
    await fc.assert(
      fc.asyncProperty(given, async ([{ multipleOf, min, max }, values, isInteger, isOpen, random]) => {
        const lower = min === undefined ? {} : { [isOpen ? "exclusiveMinimum" : "minimum"]: min };
        const upper = max === undefined ? {} : { maximum: max };
        const schema = { type: isInteger ? "integer" : "number", multipleOf, ...lower, ...upper };
        const told = gapsOf(schema);
        seen.all++;
        // What takes too many rules is named.
        if (told === "multipleOf") {
          seen.tooMany++;
          return;
        }
        if (told === "unsatisfiable") expect(values.filter((value) => fits(schema, value))).toEqual([]);
        else await holds(schema, values, random);
      }),
      runs(100),
    );
    expect(seen.tooMany / seen.all).toBeLessThan(0.5);
  });

  it.each([
    ["two decimal places, of any amount", { type: "number", exclusiveMinimum: 0, multipleOf: 0.01 }],
    ["halves of a percentage", { type: "number", minimum: 0, maximum: 100, multipleOf: 0.5 }],
    ["quarters of an hour", { type: "integer", minimum: 15, multipleOf: 15 }],
    ["fifties of a large amount", { type: "integer", minimum: 0, maximum: 1_000_000, multipleOf: 50 }],
    ["steps of two and a half", { type: "number", multipleOf: 2.5 }],
  ])("are exact multiples: %s", (_, schema) => {
    expect(jsonSchemaToGbnf(schema)).toMatchObject({ unenforced: [], narrowed: [] });
  });

  it.each<[JsonSchema, string, string[], string[]]>([
    [{ type: "number", exclusiveMinimum: 0, multipleOf: 0.0000001 }, "multipleOf", ["0.0000001", "3"], ["0"]],
    [{ type: "integer", minimum: 9007199254740985, multipleOf: 10 }, "", ["9007199254740990"], ["9007199254740980"]],
    [
      { type: "integer", minimum: 9007199254740991, multipleOf: 10 },
      "multipleOf",
      ["9007199254741000"],
      ["9007199254740990"],
    ],
    [{ type: "number", minimum: -0.3, maximum: 0.3, multipleOf: 0.1 }, "", ["-0.3", "0.3", "0"], ["-0.4", "0.4"]],
  ])("multiples near bounds are exact, or reported: %j, not enforced %s", async (schema, gaps, fit, rest) => {
    expect(gapsOf(schema)).toBe(gaps);
    const matches = await matcher(jsonSchemaToGbnf(schema).grammar);
    expect(fit.filter((text) => !matches(text))).toEqual([]);
    expect(rest.filter(matches)).toEqual([]);
  });

  it("names only bounds of the schema if it omits numbers next to one that is too large", () => {
    const { unenforced } = jsonSchemaToGbnf({ type: "number", exclusiveMaximum: 1e300, not: { const: -0.5 } });
    expect(unenforced.map(({ keyword }) => keyword).sort()).toEqual(["exclusiveMaximum", "not"]);
  });

  it("have a gap for bounds that are too large to write", () => {
    expect(jsonSchemaToGbnf({ type: "number", maximum: 1e300 }).unenforced).toEqual([{ path: "", keyword: "maximum" }]);
    expect(jsonSchemaToGbnf({ type: "integer", minimum: 30, multipleOf: 7 }).unenforced).toEqual([
      { path: "", keyword: "multipleOf" },
    ]);
  });
});

const patterns = [
  "^[a-z]{2}-\\d+$",
  "[0-9]{3}",
  "^(?:foo|ba[rz])$",
  "^a|b$",
  "^\\w+\\s.$",
  '^[^"\\\\]*$',
  "^(a|(b|c)+)?d{2,}$",
  "^[\\w.+-]+@[\\w-]+\\.[a-z]{2,}?$",
  "^\\u00e9\\x41\\/\\.[\\]^-]$",
  "^$",
  "^(?<first>[^\\d\\s-])[\\n\\u{1f600}-\\u{1f64f}-]?$",
  "(?:^a|b$)",
];

describe("strings in a grammar", () => {
  it.each(patterns)("are those in which %s is found", async (pattern) => {
    const words = fc.array(
      fc.oneof(fc.stringMatching(new RegExp(pattern, "u")), fc.string({ unit: "grapheme", maxLength: 6 })),
    );
    await fc.assert(
      fc.asyncProperty(words, chance, (values, random) => holds({ type: "string", pattern }, values, random)),
      { numRuns: 30 },
    );
  });

  it("match a pattern and a length if one or two repetitions determine the length", async () => {
    const schema = { type: "string", pattern: "^x[a-z]+$", minLength: 3, maxLength: 4 };
    await holds(schema, ["xa", "xab", "xabc", "xabcd", "xA1"], () => 0.5);
    const two = { type: "string", pattern: "^a+b+$", minLength: 3, maxLength: 4 };
    await holds(two, ["ab", "aab", "abb", "abbb", "aaab", "aabbb", "aaabb"], () => 0.5);
    const three = { type: "string", pattern: "^a+b+c+$", maxLength: 3 };
    expect(jsonSchemaToGbnf(three).unenforced).toEqual([{ path: "", keyword: "maxLength" }]);
  });

  it.each(["^(?=a)", "(a)\\1", "\\bword", "\\p{L}", "a{600}"])(
    "cannot match the pattern %s, which is reported",
    (pattern) => {
      expect(jsonSchemaToGbnf({ type: "string", pattern }).unenforced).toEqual([{ path: "", keyword: "pattern" }]);
    },
  );

  it.each([
    ["date", ["2024-02-29", "2023-12-31", "2000-02-29"], ["2023-02-29", "2024-04-31", "1900-02-29", "2024-1-1"]],
    ["time", ["23:59:59Z", "00:00:00.5+02:00"], ["24:00:00Z", "12:00", "12:00:00"]],
    ["date-time", ["2024-02-29T12:00:00Z"], ["2024-02-29", "2024-02-29 12:00:00"]],
    ["duration", ["P1Y2M3D", "PT5M", "P2W", "P1DT1H"], ["P", "PT", "1Y", "P1S"]],
    ["uuid", ["123e4567-e89b-12d3-a456-426614174000"], ["123e4567", "g23e4567-e89b-12d3-a456-426614174000"]],
    [
      "email",
      ["a.b+c@example.co.uk"],
      ["a@b", "a b@example.com", "@example.com", "a@-x.com", `${"a".repeat(65)}@b.com`],
    ],
    ["hostname", ["example.com", "a-b"], ["-a.com", "a..b", "", `${"a".repeat(60)}.`.repeat(5)]],
    ["ipv4", ["0.0.0.0", "255.249.99.1"], ["256.1.1.1", "1.2.3", "01.2.3.4"]],
    [
      "ipv6",
      ["::", "::1", "1::", "1:2:3:4:5:6:7:8", "fe80::1:2"],
      ["1:2", "1::2::3", ":::", "1:2:3:4:5:6:7:8:9", "12345::"],
    ],
    ["uri", ["https://example.com:80/a/b?c=d#e", "mailto:a@b.c", "urn:isbn:0"], ["example.com", "http://a b", "x:"]],
    ["iri", ["https://example.com/"], ["example.com", "http://a b"]],
    ["idn-email", ["a.b@example.com"], ["a@", "@example.com"]],
    ["idn-hostname", ["example.com"], ["-a.com", "a_b"]],
    ["uri-reference", ["", "/a/b?c#d", "a/b:c", "?q", "#f", "mailto:a@b.c"], ["a b", "1:2", "\\\\WIN", "#a#b"]],
    ["iri-reference", ["../a"], ["a b"]],
    ["json-pointer", ["", "/a~0~1/0/", "/é", "//"], ["a", "/a~", "/~2"]],
    ["relative-json-pointer", ["0", "1/a", "0#", "10/"], ["", "01", "-1/a", "1a", "0##"]],
  ])("are of the format %s", async (format, accepted, rejected) => {
    const { grammar, unenforced } = jsonSchemaToGbnf({ type: "string", format });
    const matches = await matcher(grammar);
    expect(unenforced).toEqual([]);
    expect([accepted, rejected].map((list) => list.filter((text) => matches(JSON.stringify(text))))).toEqual([
      accepted,
      [],
    ]);
  });

  it.each([
    ["email", `${"a".repeat(64)}@example.com`],
    ["hostname", `a.${"b".repeat(63)}`],
    ["time", "23:59:60Z"],
    ["ipv6", "::ffff:1.2.3.4"],
    ["uri", "http://[::1]/"],
  ])("of the format %s are rarely refused, which is reported", async (format, valid) => {
    const { grammar, narrowed } = jsonSchemaToGbnf({ type: "string", format });
    expect((await matcher(grammar))(JSON.stringify(valid))).toBe(false);
    expect(narrowed).toEqual([{ path: "", keyword: "format" }]);
  });

  it.each(["date", "duration", "uuid", "ipv4", "json-pointer", "relative-json-pointer"])(
    "of the format %s are all accepted",
    (format) => {
      expect(jsonSchemaToGbnf({ type: "string", format }).narrowed).toEqual([]);
    },
  );
});
