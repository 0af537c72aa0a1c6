import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { schema as anySchema } from "../../../test/support/arbitrary-conversation.js";
import { isObject } from "../../common/plain-object.js";
import { compileSchema } from "../../schema/compile.js";
import type { ToolDefinition } from "../../types.js";
import { anthropic, gemini, openai, openaiFunctions, openaiResponses, parseToolCallArguments } from "../index.js";

const parameters = {
  type: "object",
  properties: {
    city: { type: "string", minLength: 1 },
    unit: { type: "string", enum: ["C", "F"] },
    place: { type: "object", properties: { lat: { type: "number" } }, required: ["lat"], additionalProperties: false },
    tags: { type: "array", items: { oneOf: [{ type: "string" }, { type: "integer" }] } },
  },
  required: ["city"],
};
/** A tool's parameters with one closed object. */
const within = (object: object) => ({
  type: "object",
  properties: { all: { type: "object", additionalProperties: false, ...object } },
});
const closedWith = (name: string) => ({
  type: "object",
  properties: { [name]: { type: "string" } },
  required: [name],
  additionalProperties: false,
});
const tool: ToolDefinition = { name: "weather", parameters, strict: true };

describe("a strict tool", () => {
  it("is written in the form of OpenAI's strict mode, and every change is reported", () => {
    const { value, losses } = openai.toTools([tool]);
    expect(value[0]?.function).toEqual({
      name: "weather",
      strict: true,
      parameters: {
        type: "object",
        properties: {
          city: { type: "string" },
          unit: { type: ["string", "null"], enum: ["C", "F", null] },
          place: {
            type: ["object", "null"],
            properties: { lat: { type: "number" } },
            required: ["lat"],
            additionalProperties: false,
          },
          tags: { type: ["array", "null"], items: { anyOf: [{ type: "string" }, { type: "integer" }] } },
        },
        required: ["city", "unit", "place", "tags"],
        additionalProperties: false,
      },
    });
    expect(losses.map(({ path, what }) => [path, what])).toEqual([
      ["/0/parameters/properties/city/minLength", "minLength"],
      ["/0/parameters/properties/tags/items/oneOf", "oneOf"],
      ["/0/parameters/additionalProperties", "additionalProperties"],
      ["/0/parameters/properties/unit", "optional"],
      ["/0/parameters/properties/place", "optional"],
      ["/0/parameters/properties/tags", "optional"],
    ]);
    expect(openaiResponses.toTools([tool]).value[0]).toMatchObject({
      strict: true,
      parameters: { required: expect.any(Array) },
    });
  });

  it("reads null in its arguments as absent", () => {
    const args = JSON.stringify({ city: "Oslo", unit: null, place: null, tags: null });
    expect(parseToolCallArguments(tool, args, "openai").arguments).toEqual({ city: "Oslo" });
  });

  it.each([
    ["an object with any keys", { type: "object", properties: { all: { type: "object" } } }],
    ["a record", { type: "object", properties: { all: { type: "object", additionalProperties: { type: "string" } } } }],
    ["a list of anything", { type: "object", properties: { all: { type: "array" } } }],
    ["a value of any type", { type: "object", properties: { all: {} } }],
    ["names by a pattern", within({ patternProperties: { "^x-": { type: "string" } }, minProperties: 1 })],
    ["a part that names more", within({ properties: { a: { type: "string" } }, allOf: [{ required: ["z"] }] })],
    ["a name that is not declared", within({ properties: { a: { type: "string" } }, required: ["b"] })],
    ["names that depend on others", within({ properties: { a: {} }, dependencies: { a: ["b"] } })],
    ["names beside branches", within({ properties: { a: { type: "string" } }, anyOf: [closedWith("b")] })],
    ["names without a type", { type: "object", properties: { all: { required: ["b"], anyOf: [closedWith("b")] } } }],
    [
      "two lists of branches",
      { type: "object", properties: { all: { anyOf: [{ type: "string" }], oneOf: [{ type: "string" }] } } },
    ],
    ["a root with any keys", { type: "object", additionalProperties: true }],
  ])("is written without strict mode if that cannot express the schema: %s", (_, parameters) => {
    const { value, losses } = openai.toTools([{ ...tool, parameters }]);
    expect(value[0]?.function).toEqual({ name: "weather", parameters });
    expect(losses).toMatchObject([{ path: "/0/parameters", what: "strict" }]);
    expect(openaiResponses.toTools([{ ...tool, parameters }]).value[0]).toMatchObject({ strict: false, parameters });
  });

  it.each([true, { type: "object" }, { type: "object", properties: {} }])(
    "without properties is closed: %j",
    (parameters) => {
      const { value, losses } = openai.toTools([{ ...tool, parameters }]);
      const empty = { type: "object", properties: {}, required: [], additionalProperties: false };
      expect(value[0]?.function).toEqual({ name: "weather", strict: true, parameters: empty });
      expect(losses).toEqual([]);
      expect(openaiResponses.toTools([{ ...tool, parameters }]).value[0]).toMatchObject({ strict: true });
    },
  );

  it("stays strict when it is read back", () => {
    const formats = [openai, openaiResponses] as const;
    for (const format of formats) {
      const given = format.toTools([tool]).value;
      const read = format.fromTools(JSON.parse(JSON.stringify(given)));
      expect(read.losses).toEqual([]);
      expect(read.value[0]?.strict).toBe(true);
      expect(format.toTools(read.value)).toEqual({ value: given, losses: [] });
    }
    const given = [
      { name: "weather", input_schema: { type: "object" as const, properties: {} }, strict: true as const },
    ];
    const read = anthropic.fromTools(given);
    expect(read).toMatchObject({ value: [{ strict: true }], losses: [] });
    expect(anthropic.toTools(read.value)).toEqual({ value: given, losses: [] });
  });

  it("reports the lost strict mode if the API has none", () => {
    for (const { losses } of [gemini.toTools([tool]), openaiFunctions.toTools([tool])])
      expect(losses.filter(({ what }) => what === "strict")).toHaveLength(1);
  });

  it("accepts in strict mode every argument that its schema accepts, with null for absent ones", () => {
    // Nested objects are closed, which is reported: their values may no longer match.
    const leaf = fc.constantFrom("a", "b", null, 1, 5, true, "2026-01-01T00:00:00Z");
    const law = fc.property(anySchema, fc.oneof(leaf, fc.array(leaf, { maxLength: 2 })), (a, value) => {
      const properties = { a, b: { type: "string" } };
      const whole = { type: "object", properties, required: ["a"], additionalProperties: false };
      const [written] = openai.toTools([{ name: "t", parameters: whole, strict: true }]).value;
      fc.pre(written?.function.strict === true);
      for (const object of objectsOf(written.function.parameters)) {
        expect(object).toMatchObject({ additionalProperties: false });
        expect(object.required).toEqual(Object.keys(isObject(object.properties) ? object.properties : {}));
      }
      const own = compileSchema(whole);
      fc.pre(own.problems.length === 0 && own.check({ a: value }) === true);
      expect(compileSchema(written.function.parameters ?? {}).check({ a: value, b: null })).toBe(true);
    });
    fc.assert(law, { numRuns: 300 });
  });
});

describe("the schema of strict mode", () => {
  it("allows only what the tool's own schema accepts", () => {
    const law = fc.property(root, fc.infiniteStream(fc.nat()), (parameters, picks) => {
      const strictTool: ToolDefinition = { name: "t", parameters, strict: true };
      const [written] = openai.toTools([strictTool]).value;
      fc.pre(written?.function.strict === true);
      const allowed = allowedBy(written.function.parameters, (most) => picks.next().value % most);
      expect(compileSchema(written.function.parameters ?? {}).check(allowed)).toBe(true);
      const read = parseToolCallArguments(strictTool, JSON.stringify(allowed), "openai").arguments;
      expect(compileSchema(parameters).check(read)).toBe(true);
    });
    fc.assert(law, { numRuns: 300 });
  });
});

/** Objects with objects, lists and branches within, and with keywords that strict mode lacks. */
const nestedObject = fc.letrec<{ schema: Record<string, unknown>; object: Record<string, unknown> }>((tie) => ({
  object: fc
    .record(
      {
        properties: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schema"), { maxKeys: 3 }),
        required: fc.subarray(["a", "b", "c"], { maxLength: 1 }),
        additionalProperties: fc.constantFrom<unknown[]>(false, false, true, { type: "string" }),
        patternProperties: fc.constant({ "^x": { type: "string" } }),
        minProperties: fc.constant(1),
        allOf: fc.constant([{ required: ["z"] }]),
        dependentRequired: fc.constant({ a: ["b"] }),
        anyOf: fc.constant([closedWith("a"), closedWith("d")]),
      },
      { requiredKeys: ["properties", "additionalProperties"] },
    )
    // Half of the objects have no more than strict mode knows.
    .chain((full) =>
      fc.boolean().map((isPlain) => {
        const { properties, required, additionalProperties } = full;
        const plain = { properties, additionalProperties, ...(required && { required }) };
        return { type: "object", ...(isPlain ? plain : full) };
      }),
    ),
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom({ type: "string" }, { type: ["integer", "null"] }, { enum: ["x", 1] }, { const: "y" }),
    tie("object"),
    tie("schema").map((items) => ({ type: "array", items })),
    tie("schema").map((one) => ({ anyOf: [{ type: "boolean" }, one] })),
    fc.constant({ anyOf: [{ type: "string" }], oneOf: [{ type: "integer" }] }),
  ),
})).object;
/** A union at the root becomes one object for every provider, which is reported. */
const root = nestedObject.map(({ anyOf, ...parameters }) => parameters);

/** A value that a schema of strict mode allows. `pick`: a whole number below the one given. */
function allowedBy(schema: unknown, pick: (most: number) => number): unknown {
  if (!isObject(schema)) throw new TypeError(`no schema: ${JSON.stringify(schema)}`);
  const one = (list: readonly unknown[]) => list[pick(list.length)];
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return one(schema.enum);
  if (Array.isArray(schema.anyOf)) return allowedBy(one(schema.anyOf), pick);
  switch (one([schema.type].flat())) {
    case "object":
      return Object.fromEntries(
        Object.entries(isObject(schema.properties) ? schema.properties : {}).map(([name, of]) => [
          name,
          allowedBy(of, pick),
        ]),
      );
    case "array":
      return Array.from({ length: pick(3) }, () => allowedBy(schema.items, pick));
    case "string":
      return one(["", "x"]);
    case "integer":
      return pick(9);
    case "boolean":
      return pick(2) === 1;
    case "null":
      return null;
    default:
      throw new TypeError(`no value for ${JSON.stringify(schema)}`);
  }
}

/** The schemas of objects within a schema. */
function objectsOf(schema: unknown): Record<string, unknown>[] {
  if (Array.isArray(schema)) return schema.flatMap(objectsOf);
  if (!isObject(schema)) return [];
  const { type, default: _, examples: __, enum: ___, ...within } = schema;
  const isOne = type === "object" || (Array.isArray(type) && type.includes("object"));
  return [...(isOne ? [schema] : []), ...Object.values(within).flatMap(objectsOf)];
}
