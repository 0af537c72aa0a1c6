import { describe, expect, test } from "vitest";
import { planFor } from "../../schema/plan.js";
import type { JsonSchema } from "../../types.js";
import { ArgumentNames } from "./argument-names.js";

/** The names of the arguments without one, `undefined`, among others; and the errors. */
function named(schema: JsonSchema | undefined, ...written: (string | undefined)[]) {
  const rejected: string[] = [];
  const names = new ArgumentNames(planFor(schema), (reason) => rejected.push(reason));
  const found: string[] = [];
  for (const name of written) {
    if (name === undefined) found.push(names.unnamed());
    else names.name(name);
  }
  return { names: found, rejected };
}

const two = { properties: { a: {}, b: {} } };

describe("the arguments of a Python call", () => {
  test("have the names of the parameters by their position", () => {
    expect(named(two, undefined, undefined)).toEqual({ names: ["a", "b"], rejected: [] });
    expect(named(two, undefined, "b")).toEqual({ names: ["a"], rejected: [] });
  });

  test("have the names of no parameters if these are unknown", () =>
    expect(named({}, undefined, undefined)).toEqual({ names: ["argument1", "argument2"], rejected: [] }));

  test.each<[string, JsonSchema, (string | undefined)[], string]>([
    ["more than the tool has", two, [undefined, undefined, undefined], "it takes at most 2 arguments"],
    ["more than one", { properties: { a: {} } }, [undefined, undefined], "it takes at most 1 argument"],
    ["any where there are none", { properties: {} }, [undefined], "it takes no arguments"],
    ["one twice", two, [undefined, "a"], 'the argument "a" is given twice'],
    [
      "one without a name after one with a name",
      two,
      ["a", undefined],
      "an argument without a name follows one with a name",
    ],
  ])("are not %s", (_, schema, written, error) => expect(named(schema, ...written).rejected).toEqual([error]));

  test("follow no unpacked object without a name", () => {
    const rejected: string[] = [];
    const names = new ArgumentNames(planFor(two), (reason) => rejected.push(reason));
    names.unpacked();
    expect(names.unnamed()).toBe("a");
    expect(rejected).toEqual(["an argument without a name follows one with a name"]);
  });
});
