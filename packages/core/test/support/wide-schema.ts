import fc from "fast-check";
import type { JsonSchema } from "../../src/types.js";
import { key as anyKey, json } from "./arbitrary-schema.js";

/** A schema with values that mostly match it; a validator decides. */
export interface WideCase {
  schema: JsonSchema;
  values: fc.Arbitrary<unknown>;
}

/** What every schema here may refer to. */
export const definitions = {
  tree: {
    type: "object",
    properties: { v: { type: "integer" }, kids: { type: "array", items: { $ref: "#/$defs/tree" } } },
    required: ["v"],
    additionalProperties: false,
  },
  "a/b %": { type: "string", pattern: "^[a-c]{2}$" },
};

const tree = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.record(
    { v: fc.integer(), kids: fc.array(tie("node"), { maxLength: 2, depthIdentifier: "tree" }) },
    { requiredKeys: ["v"] },
  ),
})).node;

/** Ajv ignores `__proto__`, and "" under `required`. */
const key = anyKey.filter((name) => name !== "__proto__" && name !== "");
const text = fc.string({ unit: "grapheme", maxLength: 8 });
const small = fc.integer({ min: -30, max: 30 });
const number = fc.oneof(
  small,
  fc.integer({ min: -3000, max: 3000 }).map((n) => n / 100),
  fc.integer(),
);
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));

const given = (schema: JsonSchema, values: fc.Arbitrary<unknown>): WideCase => ({ schema, values });

/** Patterns with texts, most of which fit. */
const patterns: [source: string, texts: RegExp][] = [
  ["^[a-z]{2}-\\d+$", /^[a-z]{2}-\d{1,3}$/],
  ["[0-9]{3}", /^[a-z]?[0-9]{2,4}$/],
  ["^(?:foo|ba[rz])$", /^(foo|ba[r-z]|foobar)$/],
  ["^\\w+\\s.$", /^\w{1,3}[ \t].$/],
  ["^[^\\d\\s]*$", /^[a-z é"\\]{0,3}$/],
  ["^a|b$", /^[ab]{0,3}$/],
  ["^(x?y{2,3})+$", /^(x?y{1,4}){1,2}$/],
  ["\\u00e9", /^[aé]{0,3}$/],
];

const formats: [name: string, texts: RegExp][] = [
  ["date", /^20[0-9]{2}-[01][0-9]-[0-3][0-9]$/],
  ["time", /^[0-2][0-9]:[0-6][0-9]:00(Z|\+0[0-9]:00)$/],
  ["uuid", /^[0-9a-g]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/],
  ["email", /^[a-z.]{1,3}@[a-z]{1,3}(\.[a-z]{2})?$/],
  ["ipv4", /^[0-3][0-9]{0,2}\.[0-9]\.[12]?[0-9]\.[0-9]$/],
];

const strings: fc.Arbitrary<WideCase> = fc.oneof(
  fc.constant(given({ type: "string" }, text)),
  fc
    .record({ minLength: fc.nat({ max: 4 }), maxLength: fc.nat({ max: 6 }) }, { requiredKeys: [] })
    .map((bounds) => given({ type: "string", ...bounds }, text)),
  fc
    .tuple(fc.constantFrom(...patterns), fc.option(fc.nat({ max: 6 }), { nil: undefined }))
    .map(([[pattern, texts], maxLength]) =>
      given({ type: "string", pattern, ...(maxLength === undefined ? {} : { maxLength }) }, fc.stringMatching(texts)),
    ),
  fc.constantFrom(...formats).map(([format, texts]) => given({ type: "string", format }, fc.stringMatching(texts))),
);

const numbers: fc.Arbitrary<WideCase> = fc
  .tuple(
    fc.constantFrom("integer", "number"),
    fc.record(
      {
        minimum: number,
        maximum: number,
        exclusiveMinimum: small,
        exclusiveMaximum: small,
        multipleOf: fc.constantFrom(1, 2, 5, 7, 0.5, 0.01),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([type, bounds]) => given({ type, ...bounds }, number));

const constants: fc.Arbitrary<WideCase> = fc.oneof(
  fc
    .uniqueArray(fc.oneof(scalar, json), { minLength: 1, maxLength: 5, selector: (value) => JSON.stringify(value) })
    .map((values) => given({ enum: values }, fc.constantFrom(...values))),
  fc.oneof(scalar, json).map((value) => given({ const: value }, fc.constant(value))),
);

const references: fc.Arbitrary<WideCase> = fc.constantFrom(
  given({ $ref: "#/$defs/tree" }, tree),
  given({ $ref: "#/$defs/a~1b%20%25" }, fc.stringMatching(/^[a-d]{2}$/)),
  given({ $ref: "#/$defs/tree/properties/v" }, number),
  given({ $ref: "#/$defs/tree", minProperties: 2 }, tree),
);

const leaves = fc.oneof(
  strings,
  numbers,
  constants,
  references,
  fc.constantFrom(given(true, json), given({}, json), given({ type: ["string", "null"] }, fc.option(text))),
  fc.constantFrom(given({ type: "boolean" }, fc.boolean()), given({ type: "null" }, fc.constant(null))),
);

/** Values of all of these, one of them, or something in between. */
const mixed = (cases: readonly WideCase[]) => fc.oneof(...cases.map(({ values }) => values));

function arrays(node: fc.Arbitrary<WideCase>): fc.Arbitrary<WideCase> {
  const bounds = fc.record({ minItems: fc.nat({ max: 2 }), maxItems: fc.nat({ max: 4 }) }, { requiredKeys: [] });
  return fc.oneof(
    fc
      .tuple(node, bounds)
      .map(([item, limits]) =>
        given({ type: "array", items: item.schema, ...limits }, fc.array(item.values, { maxLength: 4 })),
      ),
    fc
      .tuple(fc.array(node, { minLength: 1, maxLength: 2 }), node, bounds, fc.boolean())
      .map(([prefix, rest, limits, closed]) =>
        given(
          {
            type: "array",
            prefixItems: prefix.map(({ schema }) => schema),
            items: closed ? false : rest.schema,
            ...limits,
          },
          fc
            .tuple(
              fc.tuple(...prefix.map(({ values }) => values)),
              fc.array(rest.values, { maxLength: 2 }),
              fc.nat({ max: 4 }),
            )
            .map(([first, others, length]) => [...first, ...others].slice(0, length)),
        ),
      ),
    fc
      .tuple(fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }), bounds)
      .map(([values, limits]) =>
        given(
          { type: "array", items: { enum: values }, uniqueItems: true, ...limits },
          fc.array(fc.constantFrom(...values), { maxLength: 4 }),
        ),
      ),
    fc
      .tuple(numbers, small, bounds)
      .map(([item, wanted, limits]) =>
        given(
          { type: "array", items: item.schema, contains: { const: wanted }, ...limits },
          fc.array(fc.oneof(item.values, fc.constant(wanted)), { maxLength: 4 }),
        ),
      ),
  );
}

function objects(node: fc.Arbitrary<WideCase>): fc.Arbitrary<WideCase> {
  const properties = fc.uniqueArray(fc.tuple(key, node, fc.boolean()), { maxLength: 4, selector: ([name]) => name });
  const more = fc.record(
    {
      additionalProperties: fc.oneof(
        fc.constantFrom<JsonSchema>(false, true),
        leaves.map(({ schema }) => schema),
      ),
      minProperties: fc.nat({ max: 3 }),
      maxProperties: fc.nat({ max: 4 }),
      patternProperties: fc.constantFrom<JsonSchema>(
        { "^x_": { type: "integer" } },
        { "^x_": { type: "integer" }, "^y": true },
      ),
      propertyNames: fc.constantFrom<JsonSchema>({ pattern: "^[a-z_]*$" }, { maxLength: 3 }),
    },
    { requiredKeys: [] },
  );
  return fc.tuple(properties, more, fc.nat({ max: 5 })).map(([list, others, pick]) => {
    // One or two of the others, so that most of them take effect alone.
    const chosen = Object.fromEntries(Object.entries(others).filter((_, i) => i === pick || i === 0));
    const names = list.map(([name]) => name);
    const schema = {
      type: "object",
      properties: Object.fromEntries(list.map(([name, part]) => [name, part.schema])),
      required: list.filter(([, , required]) => required).map(([name]) => name),
      ...chosen,
      ...(names.length > 1 && pick === 5 ? { dependentRequired: { [names[0]!]: [names[1]!] } } : {}),
    };
    const declared = fc.tuple(
      ...list.map(([name, part, required]) =>
        (required ? part.values : fc.option(part.values, { nil: undefined })).map((value) => [name, value] as const),
      ),
    );
    const extra = fc.dictionary(fc.oneof(key, fc.constantFrom("x_a", "x_b", "y1")), fc.oneof(scalar, number), {
      maxKeys: 2,
    });
    const values = fc
      .tuple(declared, fc.option(extra, { freq: 1, nil: {} }), fc.boolean())
      .map(([entries, rest, turned]) => {
        const some = entries.filter(([, value]) => value !== undefined);
        return Object.fromEntries([...Object.entries(rest), ...(turned ? some.reverse() : some)]);
      });
    return given(schema, values);
  });
}

function conditions(node: fc.Arbitrary<WideCase>): fc.Arbitrary<WideCase> {
  return fc.tuple(node, node).map(([one, other]) => {
    const kinds = fc.constantFrom("a", "b", "c");
    const schema = {
      type: "object",
      properties: { k: { enum: ["a", "b", "c"] }, v: {} },
      required: ["k"],
      additionalProperties: false,
      // As text, for an object with a key "then" looks like a promise.
      ...JSON.parse(
        `{"if":{"properties":{"k":{"const":"a"}}},"then":{"properties":{"v":${JSON.stringify(one.schema)}}},"else":{"properties":{"v":${JSON.stringify(other.schema)}}}}`,
      ),
    };
    return given(schema, fc.record({ k: kinds, v: fc.oneof(one.values, other.values) }, { requiredKeys: ["k"] }));
  });
}

const unions = (node: fc.Arbitrary<WideCase>): fc.Arbitrary<WideCase> =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom("anyOf", "oneOf", "allOf"), fc.array(node, { minLength: 1, maxLength: 3 }))
      .map(([keyword, parts]) => given({ [keyword]: parts.map(({ schema }) => schema) }, mixed(parts))),
    fc
      .tuple(node, node)
      .map(([one, other]) => given({ allOf: [one.schema, { not: other.schema }] }, mixed([one, other]))),
    fc.tuple(numbers, numbers).map((two) => given({ oneOf: two.map(({ schema }) => schema) }, number)),
    fc
      .tuple(objects(leaves), fc.array(key, { minLength: 1, maxLength: 2 }))
      .map(([object, keys]) =>
        given({ ...(object.schema as object), anyOf: keys.map((name) => ({ required: [name] })) }, object.values),
      ),
  );

/** Schemas with nearly every keyword, with values for them. */
export const wideCases: fc.Arbitrary<WideCase> = fc.letrec<{ node: WideCase }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 2, depthIdentifier: "wide" },
    leaves,
    arrays(tie("node")),
    objects(tie("node")),
    unions(tie("node")),
    conditions(tie("node")),
  ),
})).node;
