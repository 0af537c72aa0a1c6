import { describe, expect, it } from "vitest";
import { probe } from "../../../test/support/gbnf-probe.js";
import type { JsonSchema } from "../../types.js";
import { GrammarError, jsonSchemaToGbnf } from "../index.js";

describe("a schema that no value matches", () => {
  it.each([
    ["a required key", { properties: { a: false }, required: ["a"] }, "", "required"],
    [
      "bounds",
      { items: { $ref: "#/$defs/n" }, minItems: 1, $defs: { n: { type: "integer", minimum: 2, maximum: 1 } } },
      "/$defs/n",
      "minimum",
    ],
    [
      "a pattern and a length",
      { items: { type: "string", pattern: "^ab$", minLength: 3 }, minItems: 1 },
      "/items",
      "pattern",
    ],
    ["counts of keys", { properties: {}, minProperties: 3, maxProperties: 2 }, "", "minProperties"],
    ["counts of what is contained", { items: {}, contains: {}, minContains: 3, maxContains: 2 }, "", "minContains"],
    [
      "more to be contained than there are",
      { items: {}, contains: {}, minContains: 3, maxItems: 2 },
      "",
      "minContains",
    ],
    [
      "what a tuple does not admit",
      { items: false, prefixItems: [{ type: "null" }], contains: { type: "string" } },
      "",
      "contains",
    ],
    ["a place that is required and denied", { items: {}, prefixItems: [false], minItems: 1 }, "", "minItems"],
    ["values", { allOf: [{ enum: [1] }, { enum: [2] }] }, "/allOf/1", "enum"],
    [
      "what is required, rather than what may be left out",
      {
        properties: { a: { allOf: [{ maximum: 1 }, false] }, b: { $ref: "#/$defs/n" } },
        required: ["b"],
        $defs: { n: { allOf: [{ type: "string" }, { type: "integer" }] } },
      },
      "/$defs/n/allOf/1",
      "type",
    ],
    ["what must not be", { not: true }, "", "not"],
    ["alternatives within alternatives", { oneOf: [{ oneOf: [{ type: "null" }] }] }, "", "oneOf"],
    [
      "a reference to nothing",
      { properties: { a: { $ref: "#/$defs/n" } }, required: ["a"], $defs: { n: false } },
      "/properties/a",
      "$ref",
    ],
    ["endless recursion", { properties: { next: { $ref: "#" } }, required: ["next"] }, "/properties/next", "$ref"],
  ] as const)("is reported with the keyword that causes it: %s", (_, keywords, path, keyword) => {
    const type = "items" in keywords ? "array" : "properties" in keywords ? "object" : "integer";
    expect(() => jsonSchemaToGbnf({ type, ...keywords } as JsonSchema)).toThrow(
      expect.objectContaining({ code: "unsatisfiable", path, keyword }),
    );
  });

  it("is omitted as a branch, also if it only refers to itself", async () => {
    const endless = { type: "object", properties: { n: { $ref: "#/$defs/e" } }, required: ["n"] };
    await probe({ anyOf: [{ $ref: "#/$defs/e" }, { type: "null" }], $defs: { e: endless } }, ["null"], ["{}"]);
    const wrong = {
      type: "array",
      items: { anyOf: [{ $ref: "#/$defs/w" }, { type: "integer", minimum: 2, maximum: 1 }] },
      minItems: 1,
    };
    await probe({ anyOf: [{ $ref: "#/$defs/w" }, { type: "null" }], $defs: { w: wrong } }, ["null"], ["[]", "[[]]"]);
    const merged = {
      a: { properties: { n: { $ref: "#/$defs/a" } } },
      b: { type: "object", properties: { n: { $ref: "#/$defs/b" } }, maxProperties: 1 },
    };
    await probe(
      { allOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }], $defs: merged },
      ["{}", '{"n": {"n": {}}}'],
      ['{"n": 1}'],
    );
  });

  it("is found if no object can have the keys it needs", () => {
    const schema = { type: "object", properties: { a: false }, additionalProperties: false, minProperties: 1 };
    expect(() => jsonSchemaToGbnf(schema)).toThrow(expect.objectContaining({ code: "unsatisfiable" }));
  });

  it("is refused as a whole, and omitted as an optional key", async () => {
    expect(() => jsonSchemaToGbnf(false)).toThrow(GrammarError);
    expect(() => jsonSchemaToGbnf({ type: "object", properties: { a: false }, required: ["a"] })).toThrow(GrammarError);
    await probe(
      { type: "object", properties: { a: false, b: {} }, additionalProperties: false },
      ["{}", '{"b": 1}'],
      ['{"a": 1}'],
    );
  });
});
