import fc from "fast-check";
import { expect, test } from "vitest";
import { scenario } from "../../test/arbitraries.js";
import { plainlyFits } from "./plainly-fits.js";
import { planFor } from "./plan.js";
import { validateArguments } from "./validate.js";

test("what plainly fits is what the validator takes too, for fitting values and any other", () => {
  fc.assert(
    fc.property(scenario, fc.jsonValue({ maxDepth: 2 }), ({ tools, calls }, noise) => {
      for (const { parameters } of tools) {
        for (const value of [...calls.map((call) => call.arguments), noise, { ...calls[0]?.arguments, x: noise }]) {
          if (plainlyFits(value, planFor(parameters))) expect(validateArguments(value, parameters)).toEqual([]);
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
