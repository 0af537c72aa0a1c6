import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { json, schemaAndValue } from "../../test/support/arbitrary-schema.js";
import { matcher } from "../../test/support/gbnf-oracle.js";
import { probe } from "../../test/support/gbnf-probe.js";
import { validateJson } from "../schema/validate.js";
import { renderJson } from "../tool-text/render-json.js";
import type { JsonSchema } from "../types.js";
import { jsonSchemaToGbnf } from "./index.js";

const cases: [name: string, schema: JsonSchema, accepted: string[], rejected: string[]][] = [
  ["a string", { type: "string" }, ['""', '"a\\n\\u00e9é😀\u007f"'], ["a", '"', '"a"b"', '"\n"', '"\\x"', "1"]],
  // A call with an integer that JavaScript would round is refused, so no grammar admits one.
  [
    "an integer",
    { type: "integer" },
    ["0", "-12", "8999999999999999", "100000000000000000000"],
    ["01", "1.5", "+1", "-", '"1"', "1e2", "1234567890123456789", "9007199254740993"],
  ],
  [
    "an integer of 64 bits",
    { type: "integer", minimum: 0, maximum: 2 ** 63 },
    ["0", "9007199254740991"],
    ["1234567890123456789", "9007199254740993", "-1"],
  ],
  ["an integer from a bound on", { type: "integer", minimum: 5 }, ["5", "8999999999999999"], ["4", "9007199254740993"]],
  ["a number", { type: "number" }, ["0", "-1.5", "1e-7", "1.5E+21"], ["1.", ".5", "01", "NaN"]],
  ["a boolean or null", { type: ["boolean", "null"] }, ["true", "false", "null"], ["True", "0", ""]],
  [
    "an enum",
    { enum: ["a", 1, null, { b: [1, 2] }] },
    ['"a"', "1", "null", '{"b": [1, 2]}', '{"b":[1,2]}'],
    ['"b"', "2", "{}"],
  ],
  ["an enum whose values the type forbids", { type: "string", enum: ["a", 1] }, ['"a"'], ["1"]],
  ["a const", { const: 'say "hi"\n' }, ['"say \\"hi\\"\\n"'], ['"say"']],
  [
    "string lengths, by character",
    { type: "string", minLength: 2, maxLength: 3 },
    ['"ab"', '"😀é\\n"', '"\\ud83d\\ude00a"'],
    ['"a"', '"abcd"', '"\\ud83d\\ude00"'],
  ],
  [
    "required and optional keys, in any order",
    {
      type: "object",
      properties: { a: { type: "integer" }, b: { type: "integer" }, c: { type: "integer" } },
      required: ["b"],
      additionalProperties: false,
    },
    ['{"b": 1}', '{"a": 1, "b": 2}', '{"b":1,"c":2}', '{"c": 1, "b": 2, "a": 3}', '{ "b": 1, "a": 2 }'],
    ["{}", '{"a": 1}', '{"b": 1,}', '{"b": 1, "d": 2}', '{"b":  1}', '{, "b": 1}', '{"b": 1, "b": 2}'],
  ],
  [
    "only optional keys",
    { type: "object", properties: { a: { type: "null" }, b: { type: "null" } }, additionalProperties: false },
    ["{}", '{"a": null}', '{"b": null}', '{"a": null, "b": null}', '{"b": null, "a": null}', "{ }"],
    ["{,}", '{"a": null,}', '{"a": null, "a": null}'],
  ],
  ["an object without keys", { type: "object", additionalProperties: false }, ["{}"], ['{"a": 1}', "[]"]],
  ["a map", { type: "object", additionalProperties: { type: "integer" } }, ["{}", '{"a": 1, "b": 2}'], ['{"a": "x"}']],
  [
    "other keys, which never stand in for a declared one",
    {
      type: "object",
      properties: { ab: { type: "integer" }, "a]^-": {} },
      required: ["ab"],
      additionalProperties: { type: "string" },
    },
    ['{"ab": 1}', '{"ab": 1, "a": "x", "abc": "y", "": "z"}', '{"ab": 1, "a]^-": 5, "b": "x"}'],
    ['{"a": "x"}', '{"ab": 1, "ab": "x"}', '{"ab": 1, "\\u0061b": "x"}', '{"ab": 1, "c": 2}'],
  ],
  [
    "required keys that are not declared",
    { type: "object", required: ["x"], properties: {} },
    ['{"x": 1}', '{"x": [{}]}'],
    ["{}", '{"y": 1}'],
  ],
  [
    "a record with listed keys",
    { type: "object", propertyNames: { enum: ["a", "b"] }, additionalProperties: { type: "integer" }, required: ["a"] },
    ['{"a": 1}', '{"a": 1, "b": 2}'],
    ["{}", '{"a": 1, "c": 2}'],
  ],
  ["an array", { type: "array", items: { type: "integer" } }, ["[]", "[1]", "[1, 2,3]"], ["[1,]", '["a"]', "[1 ,2]"]],
  [
    "item counts",
    { type: "array", items: { type: "null" }, minItems: 1, maxItems: 2 },
    ["[null]", "[null, null]"],
    ["[]", "[null, null, null]"],
  ],
  ["exactly no items", { type: "array", maxItems: 0 }, ["[]"], ["[1]"]],
  [
    "a closed tuple",
    { type: "array", prefixItems: [{ type: "null" }, { type: "boolean" }], items: false, minItems: 1 },
    ["[null]", "[null, true]"],
    ["[]", "[true]", "[null, true, 1]"],
  ],
  [
    "an open tuple",
    { type: "array", prefixItems: [{ type: "null" }], items: { type: "integer" } },
    ["[]", "[null]", "[null, 1, 2]"],
    ["[1]", "[null, null]"],
  ],
  [
    "anyOf",
    { anyOf: [{ type: "integer" }, { type: "array", items: { type: "integer" } }] },
    ["1", "[1]"],
    ['"1"', "[[1]]"],
  ],
  [
    "anyOf with keys beside it",
    {
      type: "object",
      properties: { a: { type: "null" }, b: { type: "null" } },
      additionalProperties: false,
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    ['{"a": null}', '{"b": null}', '{"a": null, "b": null}'],
    ["{}"],
  ],
  [
    "oneOf with a tag",
    {
      oneOf: [
        { type: "object", properties: { k: { const: 1 } }, required: ["k"], additionalProperties: false },
        { type: "null" },
      ],
    },
    ['{"k": 1}', "null"],
    ["{}"],
  ],
  [
    "allOf",
    {
      allOf: [
        { type: "object", properties: { a: { type: "integer" } }, required: ["a"] },
        { properties: { b: { type: "null" } }, additionalProperties: { type: "integer" } },
      ],
    },
    ['{"a": 1}', '{"a": 1, "b": null}', '{"a": 1, "c": 3}'],
    ['{"b": null}', '{"a": 1, "c": "x"}'],
  ],
  [
    "allOf of types",
    { allOf: [{ type: ["number", "string"] }, { type: ["integer", "null"] }] },
    ["1"],
    ["1.5", "null", '"a"'],
  ],
  ["a reference", { $ref: "#/definitions/n", definitions: { n: { type: "integer" } } }, ["1"], ["null"]],
  [
    "recursion",
    {
      $defs: {
        node: {
          type: "object",
          properties: { v: { type: "integer" }, next: { $ref: "#/$defs/node" } },
          required: ["v"],
          additionalProperties: false,
        },
      },
      $ref: "#/$defs/node",
    },
    ['{"v": 1}', '{"v": 1, "next": {"v": 2, "next": {"v": 3}}}'],
    ["{}", '{"v": 1, "next": {}}'],
  ],
  ["recursion to the root", { type: "array", items: { $ref: "#" } }, ["[]", "[[], [[]]]"], ["[1]"]],
  ["OpenAPI's nullable", { type: "integer", nullable: true }, ["1", "null"], ['""']],
  ["any value", {}, ["1", '"a"', "null", "[]", "{}", '{"a": [1, {"b": null}]}'], ["", "{a: 1}", "[1 2]"]],
  ["any object", { type: "object" }, ["{}", '{"a\\"": {"b": []}}'], ["[]", "1"]],
  [
    "keys that need escapes",
    { type: "object", properties: { 'q"\\\n': { type: "null" } }, required: ['q"\\\n'], additionalProperties: false },
    ['{"q\\"\\\\\\n": null}'],
    ["{}"],
  ],
];

describe("jsonSchemaToGbnf", () => {
  it.each(cases)("enforces %s in full", async (_, schema, accepted, rejected) => {
    const { unenforced } = await probe(schema, accepted, rejected);
    expect(unenforced).toEqual([]);
  });

  it.each([
    [
      "keys by pattern",
      { type: "object", patternProperties: { "^x_": { type: "integer" } }, additionalProperties: false },
      ['{"x_a": 1}', '{"x_": 1, "x_b": 2}', "{}"],
      ['{"a": 1}', '{"x_a": "b"}'],
    ],
    [
      "names by pattern",
      { type: "object", propertyNames: { pattern: "^[a-z]$" }, additionalProperties: { type: "integer" } },
      ['{"x": 1}'],
      ['{"X": 1}', '{"xx": 1}'],
    ],
    [
      "a pattern that a declared key has as well",
      {
        type: "object",
        properties: { ab: { minimum: 1 } },
        patternProperties: { "^a": { type: "integer" } },
        additionalProperties: false,
      },
      ['{"ab": 1}', "{}"],
      ['{"ab": 0}', '{"ab": "x"}', '{"b": 1}'],
    ],
    [
      "counts of keys",
      { type: "object", additionalProperties: { type: "null" }, minProperties: 1, maxProperties: 2 },
      ['{"a": null}', '{"a": null, "b": null}'],
      ["{}", '{"a": null, "b": null, "c": null}'],
    ],
    [
      "one optional key at least",
      {
        type: "object",
        properties: { a: { type: "null" }, b: { type: "null" } },
        additionalProperties: false,
        minProperties: 1,
      },
      ['{"a": null}', '{"b": null}', '{"a": null, "b": null}'],
      ["{}"],
    ],
    [
      "keys that ask for others",
      {
        type: "object",
        properties: { a: { type: "null" }, b: { type: "null" }, c: { type: "null" } },
        additionalProperties: false,
        dependentRequired: { a: ["b"], b: ["c"] },
      },
      ["{}", '{"c": null}', '{"b": null, "c": null}', '{"a": null, "b": null, "c": null}'],
      ['{"a": null}', '{"a": null, "b": null}', '{"b": null}'],
    ],
    [
      "a condition on the value of a key",
      {
        type: "object",
        properties: { k: { enum: ["a", "b"] }, v: {} },
        required: ["k", "v"],
        additionalProperties: false,
        // As text, for an object with a key "then" looks like a promise.
        ...JSON.parse(`{
          "if": {"properties": {"k": {"const": "a"}}},
          "then": {"properties": {"v": {"type": "integer"}}},
          "else": {"properties": {"v": {"type": "null"}}}
        }`),
      },
      ['{"k": "a", "v": 1}', '{"k": "b", "v": null}'],
      ['{"k": "a", "v": null}', '{"k": "b", "v": 1}'],
    ],
  ] as [string, JsonSchema, string[], string[]][])(
    "constrains objects to %s",
    async (_, schema, accepted, rejected) => {
      expect((await probe(schema, accepted, rejected)).unenforced).toEqual([]);
    },
  );

  it("visits schemas with many references once", () => {
    const $defs: Record<string, JsonSchema> = { d0: { type: "integer" } };
    for (let i = 1; i <= 40; i++)
      $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] };
    expect(jsonSchemaToGbnf({ $ref: "#/$defs/d40", $defs }).grammar).toContain(`[1-9] [0-9]{0,14} "0"{0,6}`);
  });

  it("accepts no markup inside markup", async () => {
    const schema = {
      type: "object",
      properties: { "<k>": { type: "string" }, e: { enum: ["it's <b>&"] } },
      additionalProperties: { type: "string" },
    };
    await probe(
      schema,
      ['{"\\u003ck>": "\\u003cb>"}', '{"e": "it\\u0027s \\u003cb>\\u0026"}', '{"x": ""}'],
      ['{"<k>": "x"}', '{"\\u003ck>": "<b>"}', '{"\\u003ck>": "it\'s"}', '{"a&b": ""}', '{"e": "it\'s <b>&"}'],
      { escape: "markup" },
    );
  });

  it("stays linear in the number of optional keys", () => {
    const size = (n: number) => {
      const keys = Array.from({ length: n }, (_, i) => [`key${i}`, { type: "integer" }]);
      return jsonSchemaToGbnf({ type: "object", properties: Object.fromEntries(keys) }).grammar.length;
    };
    expect(size(200) / size(100)).toBeLessThan(2.2);
  });

  it("accepts matching values as they are rendered, and rejects others", async () => {
    await fc.assert(
      fc.asyncProperty(schemaAndValue, json, async ({ schema, value }, other) => {
        const { grammar, unenforced } = jsonSchemaToGbnf(schema);
        expect(unenforced).toEqual([]);
        const matches = await matcher(grammar);
        expect(matches(renderJson(value))).toBe(true);
        expect(matches(JSON.stringify(value))).toBe(true);
        for (const mutant of [other, ...mutants(value)]) {
          if (validateJson(mutant, schema).length > 0) expect(matches(renderJson(mutant))).toBe(false);
        }
      }),
    );
  });
});

/** Values that differ from this one in one place. */
function mutants(value: unknown): unknown[] {
  const other = [null, "x", 0.5, true, [], {}];
  if (Array.isArray(value)) {
    const changed = value.flatMap((item, i) => mutants(item).map((mutant) => value.with(i, mutant)));
    return [...other, value.slice(1), [...value, null], ...changed];
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    return [
      ...other,
      Object.fromEntries([...entries, ["other", 1]]),
      ...entries.map((_, i) => Object.fromEntries(entries.toSpliced(i, 1))),
      ...entries.flatMap(([key, part], i) =>
        mutants(part).map((mutant) => Object.fromEntries(entries.with(i, [key, mutant]))),
      ),
    ];
  }
  return typeof value === "string" ? [...other, `${value}x`, value.slice(1)] : other;
}
