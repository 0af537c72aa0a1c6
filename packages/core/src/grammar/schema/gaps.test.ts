import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../types.js";
import { jsonSchemaToGbnf } from "../index.js";

describe("the gaps of a grammar", () => {
  it("name the keywords that the grammar does not enforce, with their places in the schema", () => {
    const schema = {
      type: "object",
      properties: {
        n: { type: "integer", minimum: 1, maximum: 5 },
        s: { type: "string", pattern: "^a", format: "email", maxLength: 5000 },
        l: { type: "array", items: { multipleOf: 2, type: "number" }, uniqueItems: true },
        p: { allOf: [{ type: "string", pattern: "^a" }, { pattern: "b$" }] },
        u: { oneOf: [{ items: { minimum: 1 } }, { items: { maximum: 2 } }] },
        x: { $ref: "#/nowhere" },
      },
      not: { propertyNames: { maxLength: 1 } },
    };
    const { unenforced } = jsonSchemaToGbnf(schema);
    expect(unenforced.map(({ path, keyword }) => `${path} ${keyword}`).sort()).toEqual([
      " not",
      "/properties/l uniqueItems",
      "/properties/p/allOf/1 pattern",
      "/properties/s format",
      "/properties/s maxLength",
      "/properties/u oneOf",
      "/properties/x $ref",
    ]);
  });

  it("names the reference of a union that is one of its own branches", () => {
    const schema = { required: ["id"], anyOf: [{ $ref: "#" }, { type: "object" }] };
    expect(jsonSchemaToGbnf(schema).unenforced).toEqual([{ path: "/anyOf/0", keyword: "$ref" }]);
  });

  it.each<[string, JsonSchema, string, string]>([
    ["dependencies", { dependencies: { a: { not: { enum: [{}] } } } }, "/dependencies/a", "not"],
    ["what overlaps", { oneOf: [{}, { enum: [{}] }] }, "", "oneOf"],
    ["a condition", { if: { enum: [[1]] } }, "", "if"],
    ["keys by pattern", { patternProperties: { "^(?!a)": true } }, "", "patternProperties"],
    ["a merged part", { anyOf: [{ contains: { type: "null" } }], contains: true }, "", "contains"],
    ["a reference", { $ref: "#/$defs/d", minLength: 1, $defs: { d: { pattern: "(?!x)" } } }, "/$defs/d", "pattern"],
  ])("name keywords as they were written, not as they were rewritten: %s", (_, schema, path, keyword) => {
    const written = (gap: { path: string; keyword: string }) =>
      gap.path
        .split("/")
        .slice(1)
        .reduce((node, step) => node[step] as never, schema as Record<string, unknown>);
    const { unenforced } = jsonSchemaToGbnf({ type: ["object", "string", "array"], ...(schema as object) });
    for (const gap of unenforced) expect(written(gap)).toHaveProperty([gap.keyword]);
    expect(unenforced).toContainEqual({ path, keyword });
  });

  it("report where the grammar accepts less than the schema", () => {
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

  it("contain objects without restrictions that an option narrows", () => {
    const narrowed = (options: object) => jsonSchemaToGbnf({ type: "object" }, options).narrowed;
    expect(narrowed({})).toEqual([]);
    for (const keyword of ["maxDepth", "maxItems", "maxStringLength"])
      expect(narrowed({ [keyword]: 1 })).toEqual([{ path: "", keyword }]);
  });

  it("are an error if the options say so", () => {
    const loose = { type: "object", properties: { a: { type: "array", uniqueItems: true } } };
    expect(() => jsonSchemaToGbnf(loose, { onUnenforced: "error" })).toThrow(
      expect.objectContaining({ code: "unenforced", path: "/properties/a", keyword: "uniqueItems" }),
    );
    expect(() => jsonSchemaToGbnf({ minimum: 1 }, { onNarrowed: "error" })).toThrow(
      expect.objectContaining({ code: "narrowed", path: "", keyword: "type" }),
    );
    expect(jsonSchemaToGbnf({ type: "integer" }, { onNarrowed: "error", onUnenforced: "error" }).narrowed).toEqual([]);
  });
});
