import { type InputOf, normalizeTools, toJsonSchema } from "@toolingua/core";
import { type JSONSchema7, jsonSchema, tool, zodSchema } from "ai";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";

const schema: JSONSchema7 = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

test("a schema of the AI SDK is its JSON Schema", () => {
  expect(toJsonSchema(jsonSchema(schema))).toEqual(schema);
  expect(toJsonSchema(zodSchema(z.object({ city: z.string() })))).toMatchObject(schema);
});

test("so is that of a tool of the AI SDK, with its name", () => {
  const weather = tool({ description: "The weather", inputSchema: jsonSchema<{ city: string }>(schema) });
  expect(normalizeTools([{ name: "get_weather", ...weather }])).toEqual([
    { name: "get_weather", description: "The weather", parameters: schema },
  ]);
});

test("a schema that is a promise is refused with the remedy", () => {
  expect(() => toJsonSchema(jsonSchema(() => Promise.resolve(schema)))).toThrow("Pass `await schema.jsonSchema`");
});

test("a schema of the AI SDK determines the types of the arguments", () => {
  const written = jsonSchema<{ city: string }>(schema);
  expectTypeOf<InputOf<typeof written>>().toEqualTypeOf<{ city: string }>();
  const made = zodSchema(z.object({ city: z.string() }));
  expectTypeOf<InputOf<typeof made>>().toEqualTypeOf<{ city: string }>();
});
