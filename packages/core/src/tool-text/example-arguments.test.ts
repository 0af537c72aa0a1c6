import { expect, test } from "vitest";
import { z } from "zod";
import { type JsonSchema, parseReply, protocols, toJsonSchema, validateValue } from "../index.js";
import { exampleArguments } from "./example-arguments.js";

/** The example value for a required argument of this schema. */
const exampleOf = (schema: JsonSchema, more: object = {}) =>
  exampleArguments({
    name: "f",
    parameters: { type: "object", properties: { a: schema }, required: ["a"], ...more },
  }).a;

test.each<[string, JsonSchema, unknown, object?]>([
  [
    "a reference",
    { $ref: "#/$defs/P" },
    { x: 1 },
    { $defs: { P: { type: "object", properties: { x: { type: "number" } }, required: ["x"] } } },
  ],
  ["the first of several schemas", { anyOf: [{ type: "integer", minimum: 4 }, { type: "null" }] }, 4],
  ["the first of exclusive ones", { oneOf: [{ const: "circle" }, { type: "string" }] }, "circle"],
  [
    "a branch with what is beside it",
    {
      type: "object",
      properties: { x: { type: "boolean" } },
      required: ["x"],
      anyOf: [{ properties: { y: { type: "null" } }, required: ["y"] }],
    },
    { x: true, y: null },
  ],
  ["all of several schemas", { allOf: [{ type: "integer" }, { minimum: 7 }] }, 7],
  [
    "one value for each place of a tuple",
    { type: "array", prefixItems: [{ type: "number" }, { type: "boolean" }] },
    [1, true],
  ],
  ["the tuple of an older draft", { type: "array", items: [{ type: "null" }, { type: "string" }] }, [null, "..."]],
  ["a list", { type: "array", items: { enum: ["x", "y"] } }, ["x"]],
  ["any text", { type: "string" }, "..."],
  ["a named default", { type: "string", default: "d" }, "d"],
])("an example argument is %s", (_, schema, value, more) => expect(exampleOf(schema, more)).toEqual(value));

test.each([
  z.object({ filter: z.object({ range: z.object({ min: z.number().nullable() }) }) }),
  z.object({ a: z.object({ b: z.number().nullable() }).nullable() }),
  z.object({ a: z.array(z.object({ b: z.union([z.number(), z.null()]).nullable() })) }),
])("an example with nested unions matches its schema", (schema) => {
  const parameters = toJsonSchema(schema);
  expect(validateValue(exampleArguments({ name: "f", parameters }), parameters)).toEqual([]);
});

test("an example of a schema that contains itself ends", () => {
  const $defs = { T: { type: "object", properties: { t: { $ref: "#/$defs/T" } }, required: ["t"] } };
  expect(exampleOf({ $ref: "#/$defs/T" }, { $defs })).toEqual({ t: { t: {} } });
  expect(exampleOf({ $ref: "#/$defs/U" }, { $defs: { U: { anyOf: [{ $ref: "#/$defs/U" }] } } })).toBe("...");
});

test.each(["xml", "json-action", "at-command", "yaml"] as const)(
  "the example call of %s is a valid call",
  (protocol) => {
    const parameters = toJsonSchema(
      z.object({
        count: z.number().nullable(),
        kind: z.union([z.literal(1), z.literal(2)]),
        size: z.literal([1, 2]),
        point: z.tuple([z.number(), z.number()]),
        shape: z.discriminatedUnion("type", [
          z.object({ type: z.literal("circle"), r: z.number() }),
          z.object({ type: z.literal("square"), side: z.number() }),
        ]),
      }),
    );
    const tool = { name: "draw", parameters };
    const example = exampleArguments(tool);
    expect(validateValue(example, parameters)).toEqual([]);
    const call = protocols[protocol].renderCalls([{ name: "draw", arguments: example }], { tools: [tool] });
    expect(parseReply(call, { protocol, tools: [tool] }).toolCalls).toMatchObject([{ arguments: example }]);
  },
);
