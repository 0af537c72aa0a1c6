import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { combinations, mutants } from "./support/arbitrary-combination.js";
import { json } from "./support/arbitrary-schema.js";
import { runs } from "./support/runs.js";
import { silentGaps } from "./support/silent-gaps.js";
import { definitions, wideCases } from "./support/wide-schema.js";

// Ajv defines the meaning of a schema, llama.cpp the texts that a grammar accepts.

const cases = wideCases.chain(({ schema, values }) =>
  fc.record({
    schema: fc.constant(typeof schema === "object" ? { ...schema, $defs: definitions } : schema),
    values: fc.array(values, { minLength: 6, maxLength: 6 }),
    others: fc.array(json, { maxLength: 3 }),
  }),
);

describe("a grammar from a schema, by Ajv and llama.cpp", () => {
  const chances = fc
    .infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }))
    .map((stream) => () => stream.next().value);

  test("accepts no value that violates a keyword it does not report, and rejects no matching value without a report", async () => {
    await fc.assert(
      fc.asyncProperty(cases, chances, async ({ schema, values, others }, random) => {
        const tried = [...values, ...others, ...values.flatMap(mutants)];
        expect({ schema, gaps: await silentGaps(schema, tried, random) }).toEqual({ schema, gaps: [] });
      }),
      runs(125),
    );
  });

  test("reports this for any combination of keywords, in branches and under references", async () => {
    await fc.assert(
      fc.asyncProperty(combinations, chances, async ({ schema, values }, random) => {
        expect({ schema, gaps: await silentGaps(schema, values, random) }).toEqual({ schema, gaps: [] });
      }),
      runs(100),
    );
  });

  test("reports it if options bound what the schema leaves open", async () => {
    const options = fc.record(
      {
        maxStringLength: fc.constantFrom(0, 1, 3),
        maxItems: fc.constantFrom(1, 2),
        maxDepth: fc.constantFrom(0, 1),
        maxUnordered: fc.constantFrom(0, 1, 2, 6),
        whitespace: fc.constantFrom("none" as const, "spaced" as const, "any" as const),
        closed: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(combinations, options, chances, async ({ schema, values }, options, random) => {
        const gaps = await silentGaps(schema, values, random, options);
        expect({ schema, options, gaps }).toEqual({ schema, options, gaps: [] });
      }),
      runs(50),
    );
  });
});
