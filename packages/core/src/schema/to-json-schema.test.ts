import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as mini } from "zod/mini";
import { z as z3 } from "zod/v3";
import { SchemaError } from "./errors.js";
import { toJsonSchema } from "./to-json-schema.js";
import { validateJson } from "./validate.js";

const failure = (schema: unknown) => {
  try {
    toJsonSchema(schema);
  } catch (error) {
    expect(error).toBeInstanceOf(SchemaError);
    return (error as SchemaError).code;
  }
  return "none";
};

describe("toJsonSchema", () => {
  it("returns plain JSON Schema unchanged", () => {
    for (const schema of [
      { type: "object" },
      {},
      Object.create(null),
      true,
      false,
      z.toJSONSchema(z.object({ a: z.string() })),
    ]) {
      expect(toJsonSchema(schema)).toBe(schema);
    }
  });

  it("converts a schema once", () => {
    const schema = z.object({ a: z.string() });
    expect(toJsonSchema(schema)).toBe(toJsonSchema(schema));
  });

  it.each([
    ["zod 4", z],
    ["zod 3", z3 as unknown as typeof z],
  ])("converts the input of %s: parameters with a default are optional", (_, zod) => {
    const schema = zod.object({
      city: zod.string().min(1).describe("Name of the city"),
      days: zod.number().int().min(1).max(7).default(3),
      units: zod.enum(["c", "f"]).optional(),
      tags: zod.array(zod.string()).max(3),
      at: zod.string().nullable(),
      when: zod.coerce.date().optional(),
    });
    const converted = toJsonSchema(schema) as Record<string, unknown>;
    expect(converted).not.toHaveProperty("$schema");
    expect(converted.required).toEqual(["city", "tags", "at"]);
    expect(converted.properties).toMatchObject({
      city: { type: "string", minLength: 1, description: "Name of the city" },
      days: { type: "integer", minimum: 1, maximum: 7, default: 3 },
      units: { type: "string", enum: ["c", "f"] },
      tags: { type: "array", items: { type: "string" }, maxItems: 3 },
      when: {
        anyOf: [
          { type: "string", format: "date" },
          { type: "string", format: "date-time" },
        ],
      },
    });
    const right = { city: "Tokyo", tags: [], at: null };
    expect(validateJson(right, converted)).toEqual([]);
    for (const when of ["2026-01-02", "2026-01-02T03:04:05Z"])
      expect(validateJson({ ...right, when }, converted)).toEqual([]);
    expect(validateJson({ ...right, when: "soon" }, converted)).toHaveLength(1);
    expect(validateJson({ ...right, days: 9 }, converted)).toHaveLength(1);
  });

  it("converts recursive schemas of either zod", () => {
    interface Node {
      name: string;
      children: Node[];
    }
    const node3: z3.ZodType<Node> = z3.object({ name: z3.string(), children: z3.lazy(() => node3.array()) });
    const node4 = z.object({
      name: z.string(),
      get children() {
        return z.array(node4);
      },
    });
    for (const node of [node3, node4]) {
      const converted = toJsonSchema(node);
      expect(validateJson({ name: "a", children: [{ name: "b", children: [] }] }, converted)).toEqual([]);
      expect(validateJson({ name: "a", children: [{ name: 1, children: [] }] }, converted)).toMatchObject([
        { path: "/children/0/name" },
      ]);
    }
  });

  it("accepts times without a zone if zod does", () => {
    for (const schema of [
      z3.string().time(),
      z.iso.time(),
      z3.string().datetime({ local: true }),
      z.iso.datetime({ local: true }),
    ]) {
      const text = schema.safeParse("10:00:00").success ? "10:00:00" : "2026-01-01T10:00:00";
      expect(validateJson(text, toJsonSchema(schema))).toEqual([]);
      expect(validateJson("noon", toJsonSchema(schema))).toHaveLength(1);
    }
  });

  it("accepts any library with Standard JSON Schema, in any draft", () => {
    const props = (targets: string[]) => ({
      version: 1,
      vendor: "other",
      jsonSchema: {
        input({ target }: { target: string }) {
          if (!targets.includes(target)) throw new Error(`no ${target}`);
          return { $schema: target, type: "string" };
        },
      },
    });
    expect(toJsonSchema({ kind: "schema", "~standard": props(["draft-2020-12"]) })).toEqual({ type: "string" });
    const callable = Object.assign(() => true, { "~standard": props(["draft-07"]) });
    expect(toJsonSchema(callable)).toEqual({ type: "string" });
    expect(failure({ "~standard": props([]) })).toBe("unrepresentable");
    expect(failure({ "~standard": { version: 1, vendor: "valibot" } })).toBe("unconvertible");
    expect(() => toJsonSchema({ "~standard": { version: 1, vendor: "constructor" } })).toThrow(
      /Pass its JSON Schema\.$/,
    );
  });

  it("explains why another value is refused", () => {
    for (const value of [undefined, null, "object", 5, [], new Map(), class {}, { a: z.string() }]) {
      expect(failure(value)).toBe("unknown-schema");
    }
    expect(failure(mini.object({ a: mini.string() }))).toBe("unconvertible");
    for (const schema of [
      z.map(z.string(), z.string()),
      z.object({ d: z.date() }),
      z3.map(z3.string(), z3.string()),
      z3.date(),
    ]) {
      expect(failure(schema)).toBe("unrepresentable");
    }
    const endless = (): z3.ZodTypeAny => z3.lazy(() => endless().array());
    expect(failure(endless())).toBe("too-deep");
  });

  it("accepts exactly the JSON that the zod schema accepts", () => {
    type Zod = typeof z3;
    const schemaOf = (zod: Zod) =>
      fc.letrec<{ schema: z3.ZodTypeAny }>((tie) => ({
        schema: fc.oneof(
          { maxDepth: 3, depthSize: "small" },
          fc.constant(zod.string()),
          fc.nat({ max: 3 }).map((n) =>
            zod
              .string()
              .min(n)
              .max(n + 1),
          ),
          fc.constantFrom(
            zod.string().startsWith("a."),
            zod.string().endsWith("(b"),
            zod.string().includes("/"),
            zod.string().regex(/^\d+$/),
          ),
          fc.constantFrom(
            zod.number(),
            zod.number().int(),
            zod.number().gt(0).lte(5),
            zod.number().int().multipleOf(2),
          ),
          fc.constantFrom(zod.boolean(), zod.null(), zod.enum(["a", "b"]), zod.literal(1), zod.literal("a")),
          tie("schema").map((inner) => inner.nullable()),
          tie("schema").map((inner) => zod.array(inner).min(1)),
          tie("schema").map((inner) => zod.record(zod.string(), inner)),
          fc.tuple(tie("schema"), tie("schema")).map(([a, b]) => zod.union([a, b])),
          fc.tuple(tie("schema"), tie("schema")).map(([a, b]) => zod.tuple([a, b])),
          fc.tuple(tie("schema"), tie("schema")).map(([a, b]) => zod.tuple([a]).rest(b)),
          fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schema")).chain((shape) => {
            const object = zod.object(shape);
            return fc.constantFrom(
              object,
              object.strict(),
              object.partial(),
              object.passthrough(),
              object.catchall(zod.string()),
            );
          }),
          tie("schema").map((inner) => inner.refine(() => true)),
          tie("schema").map((inner) => inner.optional()),
        ),
      })).schema;
    // Not the extremes, on which zod goes its own way: characters of two UTF-16 units, numbers beyond the safe integers.
    const leaf = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constantFrom(null, true, 0.5, 4.5, "a", "b", "a.b", "12", "(b", 1, 2),
    );
    const value = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b", "c", "d"), tie("value")),
      ),
    })).value;
    for (const zod of [z3, z as unknown as Zod]) {
      fc.assert(
        fc.property(schemaOf(zod), fc.array(value, { minLength: 5, maxLength: 20 }), (schema, values) => {
          const converted = toJsonSchema(schema);
          for (const one of values) {
            const found = validateJson(one, converted);
            expect([converted, one, found.length === 0]).toEqual([converted, one, schema.safeParse(one).success]);
          }
        }),
      );
    }
  });
});

it("zod's range of safe integers is not shown to the model", () => {
  const schema = z.object({ n: z.int(), small: z.int().min(3) });
  expect(toJsonSchema(schema)).toMatchObject({ properties: { n: { type: "integer" }, small: { minimum: 3 } } });
  expect(JSON.stringify(toJsonSchema(schema))).not.toContain("9007199254740991");
});
