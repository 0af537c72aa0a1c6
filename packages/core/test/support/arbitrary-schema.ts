import fc from "fast-check";
import type { JsonSchema } from "../../src/types.js";

/** A schema together with values that fit it. */
export interface SchemaCase {
  schema: JsonSchema;
  values: fc.Arbitrary<unknown>;
}

export const key = fc.oneof(
  { weight: 5, arbitrary: fc.stringMatching(/^[a-z_]{1,6}$/) },
  { weight: 1, arbitrary: fc.constantFrom("__proto__", "constructor", "a b", 'q"', "é", "a/b~c", "<x>", "it's", "") },
);

const text = fc.string({ unit: "grapheme", maxLength: 12 });
export const json = fc.jsonValue({ maxDepth: 2, noUnicodeString: false });

const leaves: fc.Arbitrary<SchemaCase> = fc.oneof(
  fc.constant({ schema: { type: "string" }, values: text }),
  fc.constant({ schema: { type: "integer" }, values: fc.integer() }),
  fc.constant({
    schema: { type: "number" },
    // Of larger numbers without a fraction, a grammar admits only some, because others would be rounded.
    values: fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e20, max: 1e20 })
      .filter((value) => Math.abs(value) < 9e15 || !Number.isInteger(value)),
  }),
  fc.constant({ schema: { type: "boolean" }, values: fc.boolean() }),
  fc.constant({ schema: { type: "null" }, values: fc.constant(null) }),
  fc.constant({ schema: { type: ["string", "null"] }, values: fc.option(text) }),
  fc
    .uniqueArray(fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)), { minLength: 1, maxLength: 4 })
    .map((values) => ({
      schema: { enum: values },
      values: fc.constantFrom(...values),
    })),
  fc.oneof(text, fc.integer(), fc.dictionary(key, fc.integer(), { maxKeys: 2 })).map((value) => ({
    schema: { const: value },
    values: fc.constant(value),
  })),
  fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 4 })).map(([min, extra]) => ({
    schema: { type: "string", minLength: min, maxLength: min + extra },
    values: fc
      .array(fc.constantFrom("a", "é", "😀", '"', "\n", "<"), { minLength: min, maxLength: min + extra })
      .map((c) => c.join("")),
  })),
);

/** Schemas that a first grammar can enforce in full: see each `values` for what fits. */
export const schemaCases: fc.Arbitrary<SchemaCase> = fc.letrec<{ node: SchemaCase; object: SchemaCase }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthIdentifier: "schema" },
    leaves,
    tie("object"),
    fc.tuple(tie("node"), fc.nat({ max: 2 }), fc.nat({ max: 2 })).map(([item, min, extra]) => ({
      schema: { type: "array", items: item.schema, minItems: min, maxItems: min + extra },
      values: fc.array(item.values, { minLength: min, maxLength: min + extra }),
    })),
    fc.array(tie("node"), { minLength: 1, maxLength: 3 }).map((branches) => ({
      schema: { anyOf: branches.map((branch) => branch.schema) },
      values: fc.oneof(...branches.map((branch) => branch.values)),
    })),
  ),
  object: fc
    .uniqueArray(fc.tuple(key, tie("node"), fc.boolean()), { maxLength: 4, selector: ([name]) => name })
    .map((properties) => ({
      schema: {
        type: "object",
        properties: Object.fromEntries(properties.map(([name, part]) => [name, part.schema])),
        required: properties.filter(([, , required]) => required).map(([name]) => name),
        additionalProperties: false,
      },
      values: fc
        .tuple(
          ...properties.map(([, part, required]) =>
            required ? part.values : fc.option(part.values, { nil: undefined }),
          ),
        )
        .map((values) => {
          // In the order of the schema; JavaScript itself moves keys that are numbers, which `key` never gives.
          const entries = properties.map(([name], i) => [name, values[i]] as const);
          return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
        }),
    })),
})).object;

/** A schema with one value that fits it. */
export const schemaAndValue = schemaCases.chain(({ schema, values }) => values.map((value) => ({ schema, value })));
