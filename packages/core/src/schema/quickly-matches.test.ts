import fc from "fast-check";
import { expect, test } from "vitest";
import { scenario } from "../../test/arbitraries.js";
import { combinations } from "../../test/support/arbitrary-combination.js";
import type { JsonSchema } from "../types.js";
import { planFor } from "./plan.js";
import { quicklyMatches } from "./quickly-matches.js";
import { validateJson } from "./validate.js";

/** Ways to say a schema, and more. */
const wrappings: ((schema: JsonSchema) => JsonSchema)[] = [
  (schema) => schema,
  () => ({ $ref: "#/$defs/it", description: "The same" }),
  () => ({ $ref: "#/$defs/it", type: ["integer", "string"], minLength: 2, minimum: 2 }),
  () => ({ $ref: "#named", enum: ["a", 1] }),
  () => ({ $ref: "#/$defs/none" }),
  () => ({ $ref: "#/$defs/gone", type: "string" }),
  (schema) => ({ allOf: [schema, { minItems: 1, items: { type: "integer" } }] }),
  (schema) => ({ allOf: [{ properties: { a: { type: "integer" } }, additionalProperties: false }, schema] }),
  (schema) => ({ allOf: [schema, true], anyOf: [{ type: "string" }, { minimum: 1 }] }),
];

test("a value that the quick check accepts is accepted by the validator, for matching values and any other", () => {
  fc.assert(
    fc.property(scenario, fc.jsonValue({ maxDepth: 2 }), ({ tools, calls }, noise) => {
      for (const { parameters } of tools) {
        for (const value of [...calls.map((call) => call.arguments), noise, { ...calls[0]?.arguments, x: noise }]) {
          if (quicklyMatches(value, planFor(parameters))) expect(validateJson(value, parameters)).toEqual([]);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test("also for schemas of any keywords, with references and merged parts", () => {
  fc.assert(
    fc.property(combinations, ({ schema, values }) => {
      const $defs = { it: schema, none: false, named: { $anchor: "named", ...(typeof schema === "object" && schema) } };
      for (const wrap of wrappings) {
        const whole = { type: "object", properties: { x: wrap(schema) }, $defs };
        const plan = planFor(whole);
        const wrong = values.filter((x) => quicklyMatches({ x }, plan) && validateJson({ x }, whole).length > 0);
        expect(wrong).toEqual([]);
      }
      const root = planFor(schema);
      expect(values.filter((value) => quicklyMatches(value, root) && validateJson(value, schema).length > 0)).toEqual(
        [],
      );
    }),
    { numRuns: 100 },
  );
});

test("a plain schema needs no validator", () => {
  const schema = {
    type: "object",
    properties: { city: { type: "string", description: "Where" }, unit: { enum: ["c", "f"] } },
    required: ["city"],
    additionalProperties: false,
  };
  expect(quicklyMatches({ city: "Rome", unit: "c" }, planFor(schema))).toBe(true);
  for (const value of [{}, { city: 1 }, { city: "Rome", unit: "k" }, { city: "Rome", more: 1 }]) {
    expect(quicklyMatches(value, planFor(schema))).toBe(false);
  }
  expect(quicklyMatches({ city: "Rome" }, planFor({ ...schema, minProperties: 1 }))).toBe(false);
});

test.each([
  [{ minimum: 1, maximum: 3 }, 2, 4],
  [{ exclusiveMinimum: 1, exclusiveMaximum: 3 }, 2, 3],
  [{ type: "string", minLength: 1, maxLength: 3 }, "a", ""],
  [{ type: "string", minLength: 2 }, "abcd", "👍"],
  [{ type: "array", minItems: 1, maxItems: 2 }, [1], [1, 2, 3]],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, null, 1],
  [{ type: "integer", anyOf: [{ minimum: 5 }, { maximum: 1 }] }, 6, 3],
])("%j accepts %j and leaves %j to the validator", (schema, fitting, other) => {
  const plan = planFor({ type: "object", properties: { x: schema } });
  expect([fitting, other].map((x) => quicklyMatches({ x }, plan))).toEqual([true, false]);
});

test.each([
  ["bounds that are said twice", { allOf: [{ type: "integer", minimum: 5 }, { minimum: 1 }] }, 3],
  ["values that are listed twice", { allOf: [{ enum: ["a", "b"] }, { enum: ["b", "c"] }] }, "c"],
  ["a keyword next to a reference", { $ref: "#/$defs/five", minimum: 1 }, 3],
  ["a keyword next to an unresolved reference", { $ref: "#/$defs/gone", type: "integer" }, "x"],
  ["a reference to an anchor", { $ref: "#five" }, 3],
  ["what nothing matches", { $ref: "#/$defs/none" }, 3],
])("is not fooled by %s", (_, x, value) => {
  const $defs = { five: { $anchor: "five", type: "integer", minimum: 5 }, none: false };
  const plan = planFor({ type: "object", properties: { x }, $defs });
  expect(quicklyMatches({ x: value }, plan)).toBe(false);
});

test("keywords at the root apply even if it has no object type", () => {
  expect(quicklyMatches({}, planFor({ required: ["x"] }))).toBe(false);
  expect(quicklyMatches({ x: "a" }, planFor({ additionalProperties: { type: "integer" } }))).toBe(false);
});

test("a reference and `allOf` need no validator if no keyword occurs twice", () => {
  const $defs = { pet: { type: "object", properties: { name: { type: "string" } } } };
  const described = { allOf: [{ $ref: "#/$defs/pet" }], description: "Mine" };
  const plan = planFor({ type: "object", properties: { a: { $ref: "#/$defs/pet" }, b: described }, $defs });
  expect(quicklyMatches({ a: { name: "Rex" }, b: { name: "Tom" } }, plan)).toBe(true);
});

test("limits that draft 4 writes as booleans are left to the validator", () => {
  const plan = planFor({ type: "object", properties: { x: { minimum: 1, exclusiveMinimum: true } } });
  expect(quicklyMatches({ x: 1 }, plan)).toBe(false);
});
