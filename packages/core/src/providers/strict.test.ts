import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { schema as anySchema } from "../../test/support/arbitrary-conversation.js";
import { isObject } from "../plain-object.js";
import { compileSchema } from "../schema/compile.js";
import type { ToolDefinition } from "../types.js";
import { anthropic, gemini, openai, openaiFunctions, openaiResponses, parseToolCallArguments } from "./index.js";

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
const tool: ToolDefinition = { name: "weather", parameters, strict: true };

describe("a strict tool", () => {
  it("is written as OpenAI's strict mode takes it, and what changed is told", () => {
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

  it("gets arguments in which null stands for left out", () => {
    const args = JSON.stringify({ city: "Oslo", unit: null, place: null, tags: null });
    expect(parseToolCallArguments(tool, args, "openai").arguments).toEqual({ city: "Oslo" });
  });

  it.each([
    ["an object with any keys", { type: "object", properties: { all: { type: "object" } } }],
    ["a record", { type: "object", properties: { all: { type: "object", additionalProperties: { type: "string" } } } }],
    ["a list of anything", { type: "object", properties: { all: { type: "array" } } }],
    ["a value of any type", { type: "object", properties: { all: {} } }],
  ])("is written without the mode where that cannot say it: %s", (_, parameters) => {
    const { value, losses } = openai.toTools([{ ...tool, parameters }]);
    expect(value[0]?.function).toEqual({ name: "weather", parameters });
    expect(losses).toMatchObject([{ path: "/0/parameters", what: "strict" }]);
    expect(openaiResponses.toTools([{ ...tool, parameters }]).value[0]).toMatchObject({ strict: false, parameters });
  });

  it("stays strict from a provider back to it", () => {
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

  it("is told to be none where the API has no such mode", () => {
    for (const { losses } of [gemini.toTools([tool]), openaiFunctions.toTools([tool])])
      expect(losses.filter(({ what }) => what === "strict")).toHaveLength(1);
  });

  it("takes every argument in strict mode that its own schema takes, with null for what is left out", () => {
    // An object within is closed, which is told: its values may no longer fit.
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

/** The schemas of objects within a schema. */
function objectsOf(schema: unknown): Record<string, unknown>[] {
  if (Array.isArray(schema)) return schema.flatMap(objectsOf);
  if (!isObject(schema)) return [];
  const { type, default: _, examples: __, enum: ___, ...within } = schema;
  const isOne = type === "object" || (Array.isArray(type) && type.includes("object"));
  return [...(isOne ? [schema] : []), ...Object.values(within).flatMap(objectsOf)];
}
