import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { json, schemaAndValue } from "../../test/support/arbitrary-schema.js";
import type { JsonSchema } from "../types.js";
import { compileSchema } from "./compile.js";
import { validateJson } from "./validate.js";

const issues = (value: unknown, schema: JsonSchema) =>
  validateJson(value, schema).map(({ path, keyword, message }) => `${path} ${keyword}: ${message}`);

describe("validateJson", () => {
  it("accepts matching values, and any value without a schema", () => {
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    expect(validateJson({ n: 1 }, schema)).toEqual([]);
    expect(validateJson({ n: 1 }, undefined)).toEqual([]);
    expect(validateJson({ n: 1 }, true)).toEqual([]);
    expect(validateJson({ n: 1 }, {})).toEqual([]);
  });

  it("reports the path, the expected form, the value and the violated part of the schema", () => {
    const n = { type: "integer", description: "How many" };
    expect(validateJson({ n: "abc" }, { type: "object", properties: { n } })).toEqual([
      { path: "/n", keyword: "type", message: 'expected integer, got string "abc"', expected: "integer", schema: n },
    ]);
  });

  it("reports a missing key at the path it should have", () => {
    const schema = { properties: { at: { properties: { city: { type: "string" } }, required: ["city"] } } };
    expect(issues({ at: {} }, schema)).toEqual(["/at/city required: is missing; expected string"]);
  });

  it("reports undefined as missing", () => {
    expect(issues(undefined, { type: "object" })).toEqual([" required: is missing; expected object"]);
    expect(issues(undefined, {})).toHaveLength(1);
    expect(validateJson(undefined, true)).toEqual([]);
  });

  it("reports every issue, and only the innermost", () => {
    const schema = {
      type: "object",
      properties: {
        list: { type: "array", items: { type: "object", properties: { id: { type: "string", minLength: 2 } } } },
      },
      additionalProperties: false,
    };
    expect(issues({ list: [{ id: "a" }, { id: 5 }], "x/y": 1 }, schema)).toEqual([
      '/list/0/id minLength: expected string of at least 2 characters, got string "a"',
      "/list/1/id type: expected string of at least 2 characters, got number 5",
      '/x~1y additionalProperties: is not a known key; known are "list"',
    ]);
  });

  it("joins what a value must be", () => {
    expect(issues(8, { type: "integer", minimum: 1, maximum: 7, multipleOf: 2 })[0]).toBe(
      " maximum: expected integer of at least 1 and of at most 7 and divisible by 2, got number 8",
    );
  });

  it("lists the values of an enum", () => {
    expect(issues("kelvin", { enum: ["celsius", "fahrenheit"] })).toEqual([
      ' enum: expected "celsius" or "fahrenheit", got string "kelvin"',
    ]);
  });

  it("reports the branch of a union that the value was meant for", () => {
    const schema = {
      anyOf: [
        {
          type: "object",
          properties: { kind: { const: "circle" }, radius: { type: "number" } },
          required: ["kind", "radius"],
        },
        {
          type: "object",
          properties: { kind: { const: "square" }, side: { type: "number" } },
          required: ["kind", "side"],
        },
        { type: "null" },
      ],
    };
    expect(issues({ kind: "square", side: "2" }, schema)).toEqual(['/side type: expected number, got string "2"']);
    expect(issues({ kind: "star" }, schema)).toEqual(['/kind enum: expected "circle" or "square", got string "star"']);
    expect(issues(5, schema)).toEqual([" anyOf: expected object or null, got number 5"]);
  });

  it("reports what each of the branches expects that are equally near", () => {
    const branch = (action: unknown, ...required: string[]) => ({
      type: "object",
      properties: { action: { const: action }, id: { type: "integer" }, a: { type: "string" }, b: { type: "string" } },
      required,
    });
    const two = { anyOf: [branch("delete", "action", "id"), branch("archive", "action", "id")] };
    expect(issues({ id: 7 }, two)).toEqual(['/action required: is missing; expected "delete" or "archive"']);
    const [issue] = validateJson({ action: "remove", id: 7 }, two);
    expect(issue?.message).toBe('expected "delete" or "archive", got string "remove"');
    expect(issue?.schema).toEqual({ anyOf: [{ const: "delete" }, { const: "archive" }] });
    expect(validateJson({ id: 7 }, two)[0]?.schema).toEqual(issue?.schema);
    expect(
      issues({}, { anyOf: [branch("x", "a"), branch("y", "b", "id"), branch("z", "b"), branch("v", "b")] }),
    ).toEqual([" schema: matches no alternative: /a: is missing; expected string or /b: is missing; expected string"]);
    const values = { anyOf: [{ properties: { n: { type: "integer" } } }, { properties: { n: false } }] };
    expect(issues({ n: "x" }, values)).toEqual(['/n type: expected integer, got string "x" or is not allowed here']);
  });

  it("reports values that match several branches of oneOf", () => {
    expect(issues(4, { oneOf: [{ minimum: 1 }, { multipleOf: 2 }] })).toEqual([
      " oneOf: matches 2 of the alternatives; exactly one is allowed",
    ]);
  });

  it("names the keys that the parts of a schema declare, where others are not allowed", () => {
    const schema = {
      $defs: { b: { properties: { b: {} } } },
      allOf: [{ properties: { a: {} } }, { $ref: "#/$defs/b" }],
      properties: { c: {} },
      unevaluatedProperties: false,
    };
    expect(issues({ a: 1, d: 1 }, schema)).toEqual([
      '/d additionalProperties: is not a known key; known are "c", "a", "b"',
    ]);
  });

  it("has a message for keywords that only the validator understands", () => {
    for (const schema of [
      { not: { type: "object" } },
      { if: { type: "string" }, else: { required: ["b"] } },
      { properties: { a: { contains: { type: "string" } } } },
      { properties: {}, unevaluatedProperties: false },
      { dependentSchemas: { a: { required: ["b"] } } },
    ]) {
      expect(validateJson({ a: [] }, schema)).toHaveLength(1);
    }
  });

  it("accepts older drafts, OpenAPI and the type names of other languages", () => {
    expect(issues({ a: null }, { properties: { a: { type: "string", nullable: true } } })).toEqual([]);
    expect(issues({ a: null }, { properties: { a: { enum: ["x"], type: "string", nullable: true } } })).toEqual([]);
    expect(issues({ a: null }, { properties: { a: { allOf: [{ type: "string" }], nullable: true } } })).toEqual([]);
    expect(issues(5, { minimum: 5, exclusiveMinimum: true })).toEqual([
      " exclusiveMinimum: expected value greater than 5, got number 5",
    ]);
    expect(issues(["a", 1, 2], { items: [{ type: "string" }, { type: "integer" }], additionalItems: false })).toEqual([
      "/2 items: is one item too many; expected at most 2",
    ]);
    expect(issues({ a: 1 }, { type: "dict", properties: { a: { type: "STRING" } } })).toEqual([
      "/a type: expected string, got number 1",
    ]);
    expect(issues({ a: 1 }, { dependencies: { a: ["b"] } })).toEqual([
      "/b dependentRequired: is missing; expected any value",
    ]);
    expect(issues("a-b", { pattern: "^[a-z]\\-[a-z]$" })).toEqual([]);
  });

  it("resolves references: definitions, recursion, anchors and ids", () => {
    const tree = {
      $defs: { node: { properties: { next: { $ref: "#/$defs/node" }, n: { type: "integer" } } } },
      $ref: "#/$defs/node",
    };
    expect(issues({ next: { next: { n: "x" } } }, tree)).toEqual([
      '/next/next/n type: expected integer, got string "x"',
    ]);
    expect(issues({ a: { a: 1 } }, { properties: { a: { $ref: "#" } }, type: "object" })).toHaveLength(1);
    expect(issues(1, { $ref: "#s", $defs: { s: { $anchor: "s", type: "string" } } })).toHaveLength(1);
    expect(issues(1, { $ref: "urn:s", $defs: { s: { $id: "urn:s", type: "string" } } })).toHaveLength(1);
    expect(
      issues(1, { $ref: "#/components/schemas/S", components: { schemas: { S: { type: "string" } } } }),
    ).toHaveLength(1);
  });

  it("resolves references within a part that has its own id, and outside of it if needed", () => {
    const part = { $id: "part", $ref: "#/$defs/s", $defs: { s: { type: "integer" } } };
    const both = { $id: "https://x.test/all", $defs: { s: { type: "string" }, part }, $ref: "part" };
    expect([issues(1, both), issues("a", both)].map(({ length }) => length)).toEqual([0, 1]);
    const outside = { $defs: { s: { type: "string" } }, properties: { a: { $id: "a", $ref: "#/$defs/s" } } };
    expect(issues({ a: 1 }, outside)).toHaveLength(1);
    // No keyword since draft 6, but an annotation of many.
    const named = { $defs: { s: { type: "string" } }, properties: { a: { id: "a", items: { $ref: "#/$defs/s" } } } };
    expect(issues({ a: [1] }, named)).toHaveLength(1);
    const listed = {
      enum: [{ $anchor: "s", type: "null" }, "a"],
      $ref: "#s",
      $defs: { s: { $anchor: "s", type: "string" } },
    };
    expect(issues("a", listed)).toEqual([]);
  });

  it("ignores invalid keywords in a schema, and reports them at compile time", () => {
    const dynamic = { $dynamicAnchor: "d" };
    const wrong: [schema: object, keyword: string][] = [
      [{ $dynamicRef: "#d", ...dynamic, $defs: { other: dynamic } }, "$dynamicRef"],
      [{ $ref: "#/nowhere" }, "$ref"],
      [{ $ref: "https://example.com/other.json" }, "$ref"],
      [{ $defs: { a: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" }, "$ref"],
      [{ allOf: [{ $ref: "#" }] }, "$ref"],
      [{ pattern: "(?<=" }, "pattern"],
      [{ required: true }, "required"],
      [{ properties: ["a"] }, "properties"],
      [{ properties: { a: 5 } }, "schema"],
      [{ type: "wibble" }, "type"],
      [{ properties: { a: { type: "string", enum: [1, 2] } } }, "type"],
      [{ anyOf: {} }, "anyOf"],
      [{ minLength: "3" }, "minLength"],
      [{ format: "hasOwnProperty" }, "format"],
    ];
    for (const [written, keyword] of wrong) {
      const schema: JsonSchema = JSON.parse(JSON.stringify(written));
      expect(validateJson({ a: 1 }, schema)).toEqual([]);
      expect(compileSchema(schema).problems.map((problem) => problem.keyword)).toEqual([keyword]);
    }
  });

  it("lets nothing match an empty list of values or alternatives, and reports it at compile time", () => {
    for (const keyword of ["enum", "anyOf", "oneOf"]) {
      const schema = { properties: { a: { [keyword]: [] } } };
      expect(compileSchema(schema).problems).toMatchObject([{ path: "/properties/a", keyword }]);
      for (const a of ["x", null, {}]) expect(issues({ a }, schema)).toHaveLength(1);
      expect(issues({}, schema)).toEqual([]);
      expect(issues({ a: 1 }, { properties: { a: { type: "string", [keyword]: [] } } })).toHaveLength(1);
    }
    expect(issues({ a: null }, { properties: { a: { enum: [], type: "string", nullable: true } } })).toEqual([]);
    expect(issues(1, { allOf: [] })).toEqual([]);
  });

  it("does not change the schema: frozen, shared and circular objects are accepted", () => {
    const text = Object.freeze({ type: "string" });
    const schema: Record<string, unknown> = { properties: { a: text, b: text } };
    (schema.properties as Record<string, unknown>).self = schema;
    Object.freeze(schema);
    expect(issues({ a: 1, self: { b: 2 } }, schema)).toHaveLength(2);
    expect(compileSchema(schema).problems).toEqual([]);
  });

  it("treats __proto__, constructor and lone surrogates as ordinary keys", () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"integer"},"constructor":{"type":"integer"}},"additionalProperties":false}',
    );
    expect(validateJson(JSON.parse('{"__proto__":1,"constructor":2}'), schema)).toEqual([]);
    expect(issues(JSON.parse('{"__proto__":"x"}'), schema)).toEqual([
      '/__proto__ type: expected integer, got string "x"',
    ]);
    expect(issues({ toString: 1 }, schema)).toHaveLength(1);
    expect(issues({ "\ud800": 1 }, schema)).toEqual([
      '/\ud800 additionalProperties: is not a known key; known are "__proto__", "constructor"',
    ]);
    const open = { additionalProperties: { type: "integer" }, minProperties: 2 };
    expect(validateJson([{ "\ud800": 1, "\udc00a": 2 }], { items: open })).toEqual([]);
    expect(issues({ "\ud800": 1, b: "x" }, open)).toHaveLength(1);
  });

  it("returns one issue for arguments that are not JSON or nested too deep", () => {
    const schema = { properties: { next: { $ref: "#" } } };
    let deep: unknown = {};
    for (let i = 0; i < 100_000; i++) deep = { next: deep };
    for (const value of [deep, { next: () => 1 }]) {
      expect(validateJson(value, schema).map((issue) => issue.keyword)).toEqual(["json"]);
    }
  });

  it("matches patterns in linear time, wherever they occur", () => {
    const slow = `${"a".repeat(50_000)}!`;
    expect(issues(slow, { pattern: "^(a+)+$" }).map((issue) => issue.split(":")[0])).toEqual([" pattern"]);
    expect(issues({ [slow]: 1 }, { patternProperties: { "^(a+)+$": true }, additionalProperties: false })).toHaveLength(
      1,
    );
    expect(issues({ [slow]: 1 }, { propertyNames: { pattern: "^(a+)+$" } })).toHaveLength(1);
  });

  it("checks formats without long backtracking", () => {
    const names = [
      ...["date", "time", "date-time", "duration", "uri", "uri-reference", "uri-template", "url", "email", "hostname"],
      ...["ipv4", "ipv6", "regex", "uuid", "json-pointer", "json-pointer-uri-fragment", "relative-json-pointer"],
    ];
    const accepted = new Set<string>();
    for (const format of names)
      for (const start of ["", "http://", "//", "a:", "a@", '"', "/", "#/", "0/", "{", "P1", "::"])
        for (const sign of ["a", "1", ":", ".", "a.", "a-", "%41", "/", "{a}", "~0", "?", "@", "\\", "1:"])
          if (validateJson(`${start}${sign.repeat(2_000)}\n`, { format }).length === 0) accepted.add(format);
    // In all others a line break at the end is wrong.
    expect([...accepted]).toEqual(["regex", "json-pointer", "relative-json-pointer"]);
    expect(validateJson("https://example.com/a?b#c", { format: "url" })).toEqual([]);
    expect(validateJson("https://exa mple.com", { format: "url" })).toHaveLength(1);
  });

  it("refuses a value that would take too many steps to match, with the reason", () => {
    const costly = { pattern: "(?:a.{0,1000}|b.{0,1000})x" };
    expect(validateJson("ab".repeat(50_000), costly).map(({ keyword }) => keyword)).toEqual(["json"]);
    expect(validateJson("ab".repeat(50_000), { anyOf: [{ type: "null" }, costly] })).toHaveLength(1);
  });

  it("reports patterns that no automaton can match as not checked", () => {
    for (const pattern of ["^(a)\\1$", "^(?:a{1,1000}){1,1000}$"])
      for (const schema of [{ pattern }, { patternProperties: { [pattern]: false } }]) {
        expect(validateJson({ a: 1 }, schema)).toEqual([]);
        const [problem] = compileSchema(schema).problems;
        expect([problem?.keyword, problem?.message]).toEqual([
          Object.keys(schema)[0],
          expect.stringMatching(/^(?:has a back-reference|repeats too much.*), so it is not checked/),
        ]);
      }
  });

  it("detects repeated items by their value as JSON", () => {
    const unique = { uniqueItems: true };
    for (const twice of [
      [1, 1.0],
      [0, -0],
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      [[], "x", []],
      [null, 1, null],
    ])
      expect(validateJson(twice, unique)).toHaveLength(1);
    const apart = [
      1,
      "1",
      true,
      "true",
      null,
      "null",
      [],
      {},
      [1],
      ["1"],
      { a: [] },
      { a: {} },
      [[1], 2],
      [[1, 2]],
      "[1",
    ];
    expect(validateJson(apart, unique)).toEqual([]);
    const many = Array.from({ length: 20_000 }, (_, i) => ({ id: i, tags: [String(i)] }));
    expect(validateJson(many, unique)).toEqual([]);
    expect(validateJson([...many, { tags: ["7"], id: 7 }], unique)).toHaveLength(1);
  });

  it("compares listed values as JSON, and long lists in linear time", () => {
    const listed = { enum: [...Array.from({ length: 20_000 }, (_, i) => ({ id: i })), "a", null, 1] };
    const values = [{ id: 19_999 }, "a", null, 1];
    expect(validateJson(Array(5_000).fill(values).flat(), { items: listed })).toEqual([]);
    expect(validateJson([...values, { id: 20_000 }], { items: listed }).map(({ path }) => path)).toEqual(["/4"]);
  });

  it("is fast if schemas and values branch at every level", () => {
    const schema = {
      anyOf: [{ items: { $ref: "#" }, minItems: 1 }, { items: { $ref: "#" }, maxItems: 1 }, { const: 1 }],
      type: ["array", "integer"],
      unevaluatedItems: { $ref: "#" },
    };
    let value: unknown = [2, "wrong"];
    for (let i = 0; i < 60; i++) value = [value];
    expect(validateJson(value, schema).length).toBeGreaterThan(0);
    const defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `d${i}`,
        { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
      ]),
    );
    const doubled = { $ref: "#/$defs/d0", $defs: { ...defs, d40: { type: "integer" } } };
    expect([validateJson(1, doubled), validateJson("x", doubled)].map(({ length }) => length)).toEqual([0, 1]);
  });

  it("finds the one wrong item of a million", () => {
    const list: unknown[] = Array(1_000_000).fill(1);
    list[999_999] = "x";
    expect(validateJson(list, { items: { type: "integer" } }).map(({ path }) => path)).toEqual(["/999999"]);
  });

  it("is fast on unions within unions", () => {
    const schema = {
      anyOf: [1, 2, 3].map((n) => ({ properties: { n: { const: n }, next: { $ref: "#" } }, required: ["n"] })),
    };
    let value: unknown = { n: 9 };
    for (let i = 0; i < 12; i++) value = { n: 1, next: value };
    expect(validateJson(value, schema)).not.toEqual([]);
  });

  it("accepts every value generated from the schema", () => {
    fc.assert(
      fc.property(schemaAndValue, ({ schema, value }) => {
        expect(validateJson(value, schema)).toEqual([]);
      }),
    );
  });

  it("never throws, and has an issue for every value that the validator refuses", () => {
    fc.assert(
      fc.property(schemaAndValue, json, ({ schema }, value) => {
        const found = validateJson(value, schema);
        expect(found.length === 0).toBe(compileSchema(schema).check(value));
      }),
    );
  });

  it("never throws on a schema that is any JSON", () => {
    const keyword = fc.constantFrom(
      "$ref",
      "type",
      "enum",
      "properties",
      "items",
      "anyOf",
      "required",
      "not",
      "pattern",
      "allOf",
    );
    const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.dictionary(
        keyword,
        fc.oneof({ maxDepth: 3 }, json, fc.constant("#"), tie("schema"), fc.array(tie("schema"), { maxLength: 2 })),
        { maxKeys: 3 },
      ),
    }));
    fc.assert(fc.property(schema, json, (broken, value) => void validateJson(value, broken as JsonSchema)));
  });
});
