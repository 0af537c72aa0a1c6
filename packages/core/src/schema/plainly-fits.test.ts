import fc from "fast-check";
import { expect, test } from "vitest";
import { scenario } from "../../test/arbitraries.js";
import { plainlyFits } from "./plainly-fits.js";
import { planFor } from "./plan.js";
import { validateValue } from "./validate.js";

test("what plainly fits is what the validator takes too, for fitting values and any other", () => {
  fc.assert(
    fc.property(scenario, fc.jsonValue({ maxDepth: 2 }), ({ tools, calls }, noise) => {
      for (const { parameters } of tools) {
        for (const value of [...calls.map((call) => call.arguments), noise, { ...calls[0]?.arguments, x: noise }]) {
          if (plainlyFits(value, planFor(parameters))) expect(validateValue(value, parameters)).toEqual([]);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test("a plain schema needs no validator", () => {
  const schema = {
    type: "object",
    properties: { city: { type: "string", description: "Where" }, unit: { enum: ["c", "f"] } },
    required: ["city"],
    additionalProperties: false,
  };
  expect(plainlyFits({ city: "Rome", unit: "c" }, planFor(schema))).toBe(true);
  for (const value of [{}, { city: 1 }, { city: "Rome", unit: "k" }, { city: "Rome", more: 1 }]) {
    expect(plainlyFits(value, planFor(schema))).toBe(false);
  }
  expect(plainlyFits({ city: "Rome" }, planFor({ ...schema, minProperties: 1 }))).toBe(false);
});

test.each([
  [{ minimum: 1, maximum: 3 }, 2, 4],
  [{ exclusiveMinimum: 1, exclusiveMaximum: 3 }, 2, 3],
  [{ type: "string", minLength: 1, maxLength: 3 }, "a", ""],
  [{ type: "string", minLength: 2 }, "abcd", "👍"],
  [{ type: "array", minItems: 1, maxItems: 2 }, [1], [1, 2, 3]],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, null, 1],
  [{ type: "integer", anyOf: [{ minimum: 5 }, { maximum: 1 }] }, 6, 3],
])("%j takes %j and leaves %j to the validator", (schema, fitting, other) => {
  const plan = planFor({ type: "object", properties: { x: schema } });
  expect([fitting, other].map((x) => plainlyFits({ x }, plan))).toEqual([true, false]);
});

test("limits that draft 4 writes as booleans are left to the validator", () => {
  const plan = planFor({ type: "object", properties: { x: { minimum: 1, exclusiveMinimum: true } } });
  expect(plainlyFits({ x: 1 }, plan)).toBe(false);
});
