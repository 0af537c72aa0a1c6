import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GrammarError, jsonSchemaToGbnf } from "../src/grammar/index.js";
import type { JsonSchema } from "../src/types.js";
import { json } from "./support/arbitrary-schema.js";
import { matcher } from "./support/gbnf-oracle.js";
import { GbnfSampler } from "./support/gbnf-sampler.js";
import { definitions, wideCases } from "./support/wide-schema.js";

// What a schema means is Ajv's to say, what a grammar admits is llama.cpp's.

function validator(schema: JsonSchema): (value: unknown) => boolean {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    ownProperties: true,
    multipleOfPrecision: 9,
    logger: false,
  });
  (addFormats as unknown as (to: typeof ajv) => void)(ajv);
  return ajv.compile(schema as object);
}

const cases = fc
  .tuple(wideCases, fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })))
  .chain(([{ schema, values }, chance]) =>
    fc.record({
      schema: fc.constant(typeof schema === "object" ? { ...schema, $defs: definitions } : schema),
      values: fc.array(values, { minLength: 6, maxLength: 6 }),
      others: fc.array(json, { maxLength: 3 }),
      chance: fc.constant(chance),
    }),
  );

/** Numbers that JavaScript writes with an exponent are beyond what grammars spell for integers and multiples. */
const isPlain = (value: unknown) => !/\d[eE][-+]?\d/.test(JSON.stringify(value));

describe("a grammar from a schema, by Ajv and llama.cpp", () => {
  test("admits no value that breaks a keyword it does not name, and rejects none that fits unless it says so", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ schema, values, others, chance }) => {
        const fits = validator(schema);
        const tried = [...values, ...others, ...values.flatMap(mutants)].filter(isPlain);
        let made: ReturnType<typeof jsonSchemaToGbnf>;
        try {
          made = jsonSchemaToGbnf(schema);
        } catch (error) {
          // Where it says that nothing fits, nothing does.
          expect(error).toBeInstanceOf(GrammarError);
          expect((error as GrammarError).code).toBe("unsatisfiable");
          expect(tried.filter(fits).map((value) => ({ schema, value }))).toEqual([]);
          return;
        }
        const { grammar, unenforced, narrowed } = made;
        const matches = await matcher(grammar);
        const wrong = tried.flatMap((value) => {
          const [valid, text, pretty] = [fits(value), JSON.stringify(value), JSON.stringify(value, null, 2)];
          const admitted = matches(text) && matches(pretty);
          const loose = !valid && (matches(text) || matches(pretty)) && unenforced.length === 0;
          const tight = valid && !admitted && narrowed.length === 0;
          return loose || tight ? [{ schema, text, loose, tight }] : [];
        });
        expect(wrong.map((one) => JSON.stringify(one))).toEqual([]);
        if (unenforced.length > 0) return;
        const sampler = new GbnfSampler(grammar);
        for (let i = 0; i < 3; i++) {
          const text = sampler.sample(() => chance.next().value, 120);
          expect({ schema, text, valid: fits(JSON.parse(text)) }).toEqual({ schema, text, valid: true });
        }
      }),
      { numRuns: 250 },
    );
  });
});

/** Values that differ in one place. */
function mutants(value: unknown): unknown[] {
  if (typeof value === "number") return [value + 1, value - 1, value + 0.5, -value + 0, String(value)];
  if (typeof value === "string") return [`${value}x`, [...value].slice(1).join(""), value.toUpperCase(), 0];
  if (Array.isArray(value)) return [value.slice(1), [...value, ...value.slice(0, 1)], [...value, null]];
  if (typeof value !== "object" || value === null) return [!value];
  const entries = Object.entries(value);
  return [
    Object.fromEntries([...entries, ["x_a", 1]]),
    Object.fromEntries([...entries, ["zz", "q"]]),
    ...entries.map((_, i) => Object.fromEntries(entries.toSpliced(i, 1))),
    ...entries.flatMap(([name, part], i) =>
      mutants(part)
        .slice(0, 3)
        .map((mutant) => Object.fromEntries(entries.with(i, [name, mutant]))),
    ),
  ];
}
