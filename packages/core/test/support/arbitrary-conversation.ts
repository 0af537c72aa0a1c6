import fc from "fast-check";
import type { ChatMessage, JsonSchema, ToolCall, ToolChoice, ToolDefinition } from "../../src/types.js";

// Arbitrary input for the formats of providers: conversations, tools, and schemas with rarely supported parts.

const word = fc.constantFrom("a", "b", "city", "__proto__", "x y", "ünï", "$ref");
const text = fc.oneof(
  fc.constantFrom("", "Hi", "two\nlines", "  x", "null", "1.50", "😀", "a: b # c", "{}"),
  fc.string(),
);
const name = fc.oneof(
  fc.constantFrom(
    "get_weather",
    "now",
    "kom.memory.v1.search_memory",
    "search memory",
    "9lives",
    "städte",
    "a".repeat(70),
  ),
  fc.string({ minLength: 1, maxLength: 6 }),
);
/** A value that JSON can represent, with own keys only. */
export const json = fc
  .jsonValue({ maxDepth: 2, noUnicodeString: true })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const args = fc
  .dictionary(word, json, { maxKeys: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

const few = { requiredKeys: [] as [] };
/** Schemas of every kind, also ones that make no sense. */
export const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const part = tie("schema");
  const properties = fc.dictionary(word, part, { maxKeys: 3 });
  const shapes = fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ type: fc.constantFrom("string", "integer", "boolean", "null"), description: text }, few),
    fc.record(
      {
        type: fc.constant("string"),
        minLength: fc.nat(9),
        pattern: fc.constant("^a"),
        format: fc.constantFrom("email", "date-time"),
        default: text,
      },
      few,
    ),
    fc.record(
      {
        type: fc.constant("number"),
        minimum: fc.integer(),
        exclusiveMaximum: fc.integer(),
        multipleOf: fc.constant(5),
      },
      few,
    ),
    fc.record(
      {
        type: fc.constantFrom("string", ["string", "null"]),
        enum: fc.constantFrom(["a", "b"], ["a", null], [1, 2], ["a"]),
      },
      few,
    ),
    fc.record({ const: fc.constantFrom("a", 1, null), title: text }, few),
    fc.record(
      {
        type: fc.constantFrom(["string", "null"], ["integer", "string"], ["null", "array", "object"]),
        minLength: fc.nat(5),
      },
      few,
    ),
    fc.record({ type: fc.constant("array"), items: part, minItems: fc.nat(4), uniqueItems: fc.boolean() }, few),
    fc.record(
      { type: fc.constant("array"), prefixItems: fc.array(part, { maxLength: 2 }), items: fc.constant(false) },
      few,
    ),
    fc.record(
      {
        anyOf: fc.array(fc.oneof(part, fc.constant({ type: "null" })), { minLength: 1, maxLength: 3 }),
        description: text,
      },
      few,
    ),
    fc.record(
      { oneOf: fc.array(part, { minLength: 1, maxLength: 2 }), examples: fc.array(json, { maxLength: 2 }) },
      few,
    ),
    fc.record({ allOf: fc.array(part, { maxLength: 2 }) }, few),
    fc.record(
      {
        type: fc.constant("object"),
        properties,
        required: fc.uniqueArray(word, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), part),
        patternProperties: properties,
      },
      few,
    ),
    fc.record(
      {
        $ref: fc.constantFrom("#", "#/$defs/a", "#/properties/a", "#/nowhere"),
        $defs: fc.dictionary(word, part, { maxKeys: 1 }),
      },
      few,
    ),
    fc.boolean(),
  );
  // As it would come over the wire: without undefined, every key an own one.
  return { schema: shapes.map((value) => JSON.parse(JSON.stringify(value)) as JsonSchema) };
});

const parameters = fc.oneof(
  { weight: 1, arbitrary: schema },
  {
    weight: 4,
    arbitrary: fc
      .record(
        {
          type: fc.constant("object"),
          properties: fc.dictionary(word, schema, { maxKeys: 3 }),
          required: fc.uniqueArray(word, { maxLength: 2 }),
        },
        { requiredKeys: ["type"] },
      )
      .map((value) => JSON.parse(JSON.stringify(value)) as JsonSchema),
  },
);
/** Tools with any name, described or not. */
export const definition: fc.Arbitrary<ToolDefinition> = fc.record(
  { name, description: text, parameters },
  { requiredKeys: ["name"] },
);
/** Choices, of a tool that may not be there too. */
export const choice: fc.Arbitrary<ToolChoice> = fc.oneof(
  fc.constantFrom("auto" as const, "none" as const, "required" as const),
  fc.record({ name }),
);

/** Calls with any id, and with repairs, which no provider has. */
export const call: fc.Arbitrary<ToolCall> = fc.record(
  {
    id: fc.oneof(fc.constantFrom("call_1", "call_2", "functions.now:0", "x".repeat(80)), fc.string()),
    name,
    arguments: args,
    repairs: fc.constant([{ code: "to-number", path: "/a" }]),
  },
  { requiredKeys: ["id", "name", "arguments"] },
);

/** Calls and their results in any order, or results without a call, as logs contain them. */
export const messages: fc.Arbitrary<ChatMessage[]> = fc
  .array(
    fc.oneof(
      fc
        .record({ role: fc.constantFrom("system" as const, "user" as const), content: text })
        .map((message) => [message]),
      fc
        .record({ role: fc.constant("tool" as const), toolCallId: text, name, content: text })
        .map((message) => [message]),
      fc
        .record({
          content: text,
          reasoning: fc.option(text, { nil: undefined }),
          calls: fc.array(call, { maxLength: 3 }),
          failed: fc.boolean(),
          output: text,
        })
        .map(({ content, reasoning, calls, failed, output }): ChatMessage[] => [
          {
            role: "assistant",
            content,
            ...(calls.length > 0 && { toolCalls: calls }),
            ...(reasoning && { reasoning }),
          },
          ...calls.map(
            ({ id, name }): ChatMessage => ({
              role: "tool",
              toolCallId: id,
              name,
              content: output,
              ...(failed && { isError: true }),
            }),
          ),
        ]),
    ),
    { maxLength: 4 },
  )
  .map((turns) => turns.flat());
