import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { json, schema } from "../../../test/support/arbitrary-conversation.js";
import { compileSchema } from "../../schema/compile.js";
import type { JsonSchema } from "../../types.js";
import { Losses } from "../common/losses.js";
import { formatJsonSchemaForProvider, gemini, parseToolCallArguments } from "../index.js";
import type { GeminiSchema } from "./gemini-schema.js";
import { readGeminiSchema } from "./read-gemini-schema.js";
import { writeGeminiSchema } from "./write-gemini-schema.js";

describe("a schema for Gemini", () => {
  it("omits keywords that Gemini's schemas do not have, which is reported", () => {
    const { value, losses } = formatJsonSchemaForProvider(
      {
        type: "object",
        properties: {
          zone: { type: ["string", "null"], format: "email" },
          size: { enum: ["s", "m"] },
          count: { type: "integer", multipleOf: 5, minimum: 0 },
          next: { $ref: "#/$defs/node" },
          both: { anyOf: [{ type: "number" }, { type: "null" }] },
        },
        required: ["zone"],
        additionalProperties: false,
        $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
      },
      "gemini",
    );
    expect(value).toEqual({
      type: "OBJECT",
      properties: {
        zone: { type: "STRING", nullable: true },
        size: { type: "STRING", enum: ["s", "m"] },
        count: { type: "INTEGER", minimum: 0 },
        next: {
          type: "OBJECT",
          properties: {
            next: {
              type: "OBJECT",
              properties: { next: { type: "STRING", description: "(recursive value, as JSON text)" } },
            },
          },
        },
        both: { type: "NUMBER", nullable: true },
      },
      required: ["zone"],
    });
    expect(losses.map(({ path }) => path)).toEqual([
      "/$defs",
      "/properties/zone/format",
      "/properties/size/type",
      "/properties/count/multipleOf",
      "/properties/next/$ref",
      "/properties/next/properties/next/$ref",
      "/properties/next/properties/next/properties/next",
      "/properties/both/anyOf",
      "/additionalProperties",
    ]);
  });

  it("replaces what Gemini's API refuses by a string with its JSON, and reads that back", () => {
    const headers = { type: "object", description: "What is sent", additionalProperties: { type: "string" } };
    const parameters = {
      type: "object",
      properties: { headers, list: { type: "array" }, any: {}, never: false, size: { enum: [1, 2] } },
      required: ["headers", "never"],
    };
    const { value, losses } = formatJsonSchemaForProvider(parameters, "gemini");
    expect(value).toEqual({
      type: "OBJECT",
      properties: {
        headers: { type: "STRING", description: "What is sent (an object, as JSON text)" },
        list: { type: "ARRAY", items: { type: "STRING", description: "(any value, as JSON text)" } },
        any: { type: "STRING", description: "(any value, as JSON text)" },
        size: { type: "INTEGER" },
      },
      required: ["headers"],
    });
    expect(losses.map(({ path }) => path)).toEqual([
      "/properties/headers/type",
      "/properties/headers/additionalProperties",
      "/properties/list/items",
      "/properties/any/type",
      "/properties/never",
      "/properties/size/type",
      "/properties/size/enum",
      "/required/1",
    ]);
    const tool = { name: "send", parameters: { type: "object", properties: { headers } } };
    expect(parseToolCallArguments(tool, { headers: '{"a":"b"}' }, "gemini").arguments).toEqual({ headers: { a: "b" } });
  });

  it("writes a choice among objects as one object, and omits a choice of required properties", () => {
    const branch = (key: string) => ({
      type: "object",
      properties: { kind: { const: key }, [key]: {} },
      required: ["kind", key],
    });
    const text = { type: "STRING", description: "(any value, as JSON text)" };
    const tool = { name: "a", parameters: { type: "object", oneOf: [branch("x"), branch("y")] } };
    expect(gemini.toTools([tool]).value[0]?.functionDeclarations[0]?.parameters).toEqual({
      type: "OBJECT",
      properties: {
        kind: {
          anyOf: [
            { type: "STRING", enum: ["x"] },
            { type: "STRING", enum: ["y"] },
          ],
        },
        x: text,
        y: text,
      },
      required: ["kind"],
    });
    const properties = { a: { type: "string" }, b: { type: "string" } };
    const { value, losses } = gemini.formatSchema({ properties, anyOf: [{ required: ["a"] }, { required: ["b"] }] });
    expect(value).toEqual({ type: "OBJECT", properties: { a: { type: "STRING" }, b: { type: "STRING" } } });
    expect(losses.map(({ path }) => path)).toContain("/anyOf");
    for (const nothing of [true, {}])
      expect(gemini.formatSchema(nothing)).toEqual({ value: { type: "OBJECT" }, losses: [] });
  });

  it("is finite if references double at every step", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `d${i}`,
        { type: "object", properties: { a: { $ref: `#/$defs/d${i + 1}` }, b: { $ref: `#/$defs/d${i + 1}` } } },
      ]),
    );
    expect(formatJsonSchemaForProvider({ $ref: "#/$defs/d0", $defs }, "gemini").losses.length).toBeGreaterThan(1_000);
  });
});

/** The schema as its reader accepts it: any value may be written as JSON text. */
function asRead(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asRead);
  if (typeof schema !== "object" || schema === null) return schema;
  const { description } = schema as { description?: unknown };
  if (typeof description === "string" && description.endsWith(", as JSON text)")) return true;
  return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, asRead(part)]));
}

/** Where a schema breaks what the API demands (https://ai.google.dev/api/caching#Schema), as JSON pointers. */
function refused(
  { type, properties, items, enum: listed, format, required, anyOf }: GeminiSchema,
  path = "",
): string[] {
  const names = Object.keys(properties ?? {});
  const formats: Record<string, string[]> = {
    STRING: ["enum", "date-time"],
    NUMBER: ["float", "double"],
    INTEGER: ["int32", "int64"],
  };
  const isRight =
    (type !== undefined || anyOf !== undefined) &&
    (type !== "OBJECT" || names.length > 0 || path === "") &&
    (type === "ARRAY") === (items !== undefined) &&
    (listed === undefined || (type === "STRING" && listed.length > 0 && !listed.includes(""))) &&
    (format === undefined || formats[type ?? ""]?.includes(format) === true) &&
    (required ?? []).every((name) => names.includes(name)) &&
    (anyOf === undefined || anyOf.length > 0);
  return [
    ...(isRight ? [] : [path]),
    ...Object.entries(properties ?? {}).flatMap(([key, part]) => refused(part, `${path}/properties/${key}`)),
    ...(items ? refused(items, `${path}/items`) : []),
    ...(anyOf ?? []).flatMap((part, i) => refused(part, `${path}/anyOf/${i}`)),
  ];
}

describe("Gemini's subset", () => {
  it("is a schema that the API accepts", () => {
    const law = fc.property(schema, (whole) => {
      expect(refused(writeGeminiSchema(whole, "", new Losses()))).toEqual([]);
    });
    fc.assert(law, { numRuns: 2_000 });
  });

  it("accepts what the whole schema accepts, except where it must restrict more", () => {
    const values = fc.oneof(
      json,
      fc.constantFrom("a", "b", null, 1, 5, {}, [], ["a"], { a: "a" }, { a: 1, city: null }),
    );
    const given = fc.array(values, { minLength: 5, maxLength: 8 }).map((all) => all.map((a) => ({ a })));
    const law = fc.property(schema, given, (part, tried) => {
      // As a property: the root is an object in any case.
      const whole = { type: "object", properties: { a: part }, required: ["a"] };
      const losses = new Losses();
      const subset = readGeminiSchema(writeGeminiSchema(whole, "", losses), "", new Losses());
      fc.pre(compileSchema(whole).problems.length === 0);
      fc.pre(!losses.list.some(({ what, why }) => what === "prefixItems" || why.startsWith("the schema has none")));
      const read = compileSchema(asRead(subset) as JsonSchema);
      const wrong = tried.filter((value) => compileSchema(whole).check(value) && !read.check(value));
      expect(wrong).toEqual([]);
    });
    fc.assert(law, { numRuns: 1_000 });
  });
});
