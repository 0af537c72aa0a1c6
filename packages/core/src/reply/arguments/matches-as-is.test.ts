import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scenario } from "../../../test/arbitraries.js";
import { combinations } from "../../../test/support/arbitrary-combination.js";
import { planFor } from "../../schema/plan.js";
import { quicklyMatches, quicklyMatchesAsIs } from "../../schema/quickly-matches.js";
import { matchesAsIs } from "./matches-as-is.js";

describe("a value that certainly matches as it is", () => {
  const holds = (value: unknown, schema: Parameters<typeof planFor>[0]) => {
    const plan = planFor(schema);
    if (quicklyMatchesAsIs(value, plan))
      expect([matchesAsIs(value, plan), quicklyMatches(value, plan)]).toEqual([true, true]);
  };

  test("matches, and stays as it is when coerced, for schemas of any keywords", () => {
    fc.assert(
      fc.property(combinations, ({ schema, values }) => {
        const whole = { type: "object" as const, properties: { x: schema, any_x: {} } };
        for (const value of values) {
          holds(value, schema);
          for (const key of ["x", "X", "anyX", "y"]) holds({ [key]: value }, whole);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("is what calls of common tools have", () => {
    let matching = 0;
    let all = 0;
    fc.assert(
      fc.property(scenario, ({ tools, calls }) => {
        for (const { name, arguments: args } of calls) {
          const plan = planFor(tools.find((tool) => tool.name === name)?.parameters);
          holds(args, plan.schema);
          all++;
          if (quicklyMatchesAsIs(args, plan)) matching++;
        }
      }),
      { numRuns: 300 },
    );
    expect(matching).toBeGreaterThan(all / 4);
  });
});
