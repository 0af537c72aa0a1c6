import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { json, schemaAndValue } from "../../test/support/arbitrary-schema.js";
import { matcher } from "../../test/support/gbnf-oracle.js";
import { renderJson } from "../render.js";
import { validateValue } from "../schema/validate.js";
import type { JsonSchema } from "../types.js";
import { GrammarError, jsonSchemaToGbnf } from "./index.js";

/** What a schema's grammar accepts of these texts; each side is given in full. */
async function probe(schema: JsonSchema, accepted: string[], rejected: string[], options = {}) {
  const result = jsonSchemaToGbnf(schema, options);
  const matches = await matcher(result.grammar);
  expect({ accepted: accepted.filter(matches), rejected: rejected.filter((text) => !matches(text)) }).toEqual({
    accepted,
    rejected,
  });
  return result;
}

const cases: [name: string, schema: JsonSchema, accepted: string[], rejected: string[]][] = [
  ["a string", { type: "string" }, ['""', '"a\\n\\u00e9é😀\u007f"'], ["a", '"', '"a"b"', '"\n"', '"\\x"', "1"]],
  ["an integer", { type: "integer" }, ["0", "-12", "100000000000000000000"], ["01", "1.5", "+1", "-", '"1"', "1e2"]],
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

  it("names what it does not enforce, by where it stands in the schema", () => {
    const schema = {
      type: "object",
      properties: {
        n: { type: "integer", minimum: 1, maximum: 5 },
        s: { type: "string", pattern: "^a", format: "email", maxLength: 5000 },
        l: { type: "array", items: { multipleOf: 2, type: "number" }, uniqueItems: true },
        p: { allOf: [{ type: "string", pattern: "^a" }, { pattern: "b$" }] },
        u: { oneOf: [{ type: "integer" }, { type: "number" }] },
        x: { $ref: "#/nowhere" },
      },
      not: { propertyNames: { maxLength: 1 } },
    };
    const { unenforced } = jsonSchemaToGbnf(schema);
    expect(unenforced.map(({ path, keyword }) => `${path} ${keyword}`).sort()).toEqual([
      " not",
      "/properties/l uniqueItems",
      "/properties/p pattern",
      "/properties/s format",
      "/properties/s maxLength",
      "/properties/u oneOf",
      "/properties/x $ref",
    ]);
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
  ] as [string, JsonSchema, string[], string[]][])("holds objects to %s", async (_, schema, accepted, rejected) => {
    expect((await probe(schema, accepted, rejected)).unenforced).toEqual([]);
  });

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
    ["values", { allOf: [{ enum: [1] }, { enum: [2] }] }, "", "allOf"],
    ["endless recursion", { properties: { next: { $ref: "#" } }, required: ["next"] }, "/properties/next", "$ref"],
  ] as const)("names the keyword because of which nothing fits: %s", (_, keywords, path, keyword) => {
    const type = "items" in keywords ? "array" : "properties" in keywords ? "object" : "integer";
    expect(() => jsonSchemaToGbnf({ type, ...keywords } as JsonSchema)).toThrow(
      expect.objectContaining({ code: "unsatisfiable", path, keyword }),
    );
  });

  it("leaves out what leads back to itself for ever, and what nothing fits though it is referred to", async () => {
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

  it("names the reference of a union that is one of its own branches", () => {
    const schema = { required: ["id"], anyOf: [{ $ref: "#" }, { type: "object" }] };
    expect(jsonSchemaToGbnf(schema).unenforced).toEqual([{ path: "/anyOf/0", keyword: "$ref" }]);
  });

  it("goes once through schemas that many others lead to", () => {
    const $defs: Record<string, JsonSchema> = { d0: { type: "integer" } };
    for (let i = 1; i <= 40; i++)
      $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] };
    expect(jsonSchemaToGbnf({ $ref: "#/$defs/d40", $defs }).grammar).toContain(`"-"? ("0" | [1-9] [0-9]{0,20})`);
  });

  it("finds that no object has a key where one must be", () => {
    const schema = { type: "object", properties: { a: false }, additionalProperties: false, minProperties: 1 };
    expect(() => jsonSchemaToGbnf(schema)).toThrow(expect.objectContaining({ code: "unsatisfiable" }));
  });

  it("says where it admits less than the schema", () => {
    const schema = {
      type: "object",
      properties: { a: { properties: { b: {} } }, c: {}, d: {}, e: {}, f: { type: "string", minLength: 1 } },
    };
    const options = { closed: true, maxDepth: 2, maxStringLength: 9, whitespace: "none" } as const;
    const gaps = (options: object) =>
      jsonSchemaToGbnf(schema, options).narrowed.map(({ path, keyword }) => `${path} ${keyword}`);
    expect(gaps({})).toEqual(["/properties/a type", " properties"]);
    expect(gaps(options).sort()).toEqual([
      " additionalProperties",
      " properties",
      " whitespace",
      "/properties/a additionalProperties",
      "/properties/a type",
      "/properties/a/properties/b maxDepth",
      "/properties/a/properties/b maxStringLength",
      "/properties/c maxDepth",
      "/properties/c maxStringLength",
      "/properties/d maxDepth",
      "/properties/d maxStringLength",
      "/properties/e maxDepth",
      "/properties/e maxStringLength",
      "/properties/f maxStringLength",
    ]);
  });

  it("makes an error of what it does not follow to the letter, where it is told to", () => {
    const loose = { type: "object", properties: { a: { type: "array", uniqueItems: true } } };
    expect(() => jsonSchemaToGbnf(loose, { onUnenforced: "error" })).toThrow(
      expect.objectContaining({ code: "unenforced", path: "/properties/a", keyword: "uniqueItems" }),
    );
    expect(() => jsonSchemaToGbnf({ minimum: 1 }, { onNarrowed: "error" })).toThrow(
      expect.objectContaining({ code: "narrowed", path: "", keyword: "type" }),
    );
    expect(jsonSchemaToGbnf({ type: "integer" }, { onNarrowed: "error", onUnenforced: "error" }).narrowed).toEqual([]);
  });

  it("refuses a schema that nothing fits, and leaves out optional keys that nothing fits", async () => {
    expect(() => jsonSchemaToGbnf(false)).toThrow(GrammarError);
    expect(() => jsonSchemaToGbnf({ type: "object", properties: { a: false }, required: ["a"] })).toThrow(GrammarError);
    await probe(
      { type: "object", properties: { a: false, b: {} }, additionalProperties: false },
      ["{}", '{"b": 1}'],
      ['{"a": 1}'],
    );
  });

  it("writes no markup inside markup", async () => {
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

  it("bounds strings and nesting where it is told to", async () => {
    await probe({}, ['"abc"', '["a"]', "[1]"], ['"abcd"', "[[1]]"], { maxStringLength: 3, maxDepth: 1 });
    await probe({ type: "string", minLength: 4 }, ['"abcd"'], ['"abcde"'], { maxStringLength: 3 });
  });

  it.each<[what: string, schema: JsonSchema, accepted: string[], rejected: string[], unenforced?: string[]]>([
    ["of a pattern", { type: "string", pattern: "^a+$" }, ['"aaa"'], ['"aaaa"']],
    ["of two repetitions", { type: "string", pattern: "^a+b*$" }, ['"aab"'], ['"aabb"']],
    [
      "but some",
      { type: "string", not: { enum: ["abc", "abd"] } },
      ['"abe"', '"ab"', '"x"'],
      ['"abc"', '"abcd"', '"abee"', '"xxxx"'],
    ],
    ["as keys", { type: "object", properties: { ab: {} } }, ['{"abc": 1}'], ['{"abcd": 1}', '{"xxxx": 1}']],
    ["as keys by pattern", { type: "object", propertyNames: { pattern: "^a*$" } }, ['{"aaa": 1}'], ['{"aaaa": 1}']],
  ])("holds strings %s to the length it is told, and says so", async (_, schema, accepted, rejected) => {
    const { unenforced, narrowed } = await probe(schema, accepted, rejected, { maxStringLength: 3 });
    expect(unenforced).toEqual([]);
    expect(narrowed.map(({ keyword }) => keyword)).toContain("maxStringLength");
  });

  it("says where strings have another length than it is told", async () => {
    const schema = { type: "string", pattern: "^a+b+c+$" };
    const { unenforced } = await probe(schema, ['"abc"', '"aaabbc"'], [], { maxStringLength: 4 });
    expect(unenforced).toEqual([{ path: "", keyword: "maxStringLength" }]);
    const day = await probe({ type: "string", format: "date" }, ['"2024-02-29"'], [], { maxStringLength: 4 });
    expect([day.unenforced, day.narrowed]).toEqual([[], []]);
  });

  it("stays linear in the number of optional keys", () => {
    const size = (n: number) => {
      const keys = Array.from({ length: n }, (_, i) => [`key${i}`, { type: "integer" }]);
      return jsonSchemaToGbnf({ type: "object", properties: Object.fromEntries(keys) }).grammar.length;
    };
    expect(size(200) / size(100)).toBeLessThan(2.2);
  });

  it("accepts what fits, as it is rendered, and rejects what does not", async () => {
    await fc.assert(
      fc.asyncProperty(schemaAndValue, json, async ({ schema, value }, other) => {
        const { grammar, unenforced } = jsonSchemaToGbnf(schema);
        expect(unenforced).toEqual([]);
        const matches = await matcher(grammar);
        expect(matches(renderJson(value))).toBe(true);
        expect(matches(JSON.stringify(value))).toBe(true);
        for (const mutant of [other, ...mutants(value)]) {
          if (validateValue(mutant, schema).length > 0) expect(matches(renderJson(mutant))).toBe(false);
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
