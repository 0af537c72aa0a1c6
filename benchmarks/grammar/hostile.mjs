// Ten times the schema, or the value, must take about ten times the time for any content: measured as one against ten
// of a tenth of its size.
import { worstGrowth } from "@toolingua/benchmark-timing";
import { normalizeTools, toolsAsSignatures, validateValue } from "@toolingua/core";
import { jsonSchemaToGbnf } from "@toolingua/core/grammar";
import { providers } from "@toolingua/core/providers";

const list = (count, of) => Array.from({ length: count }, (_, i) => of(i));
const keyed = (count, of) => Object.fromEntries(list(count, (i) => [`k${i}`, of(i)]));
const object = (properties, more = {}) => ({ type: "object", properties, ...more });

/** No pattern occurs twice, because compiled patterns are cached. */
let patterns = 0;

/** Schemas by size. The limits of core allow all of them ten times as large. */
const schemas = {
  properties: (n) => object(keyed(n, () => ({ type: "string" }))),
  required: (n) =>
    object(
      keyed(n, () => ({ type: "integer" })),
      { required: list(n, (i) => `k${i}`) },
    ),
  objects: (n) => object(keyed(n, (i) => object({ a: { enum: [`x${i}`, "y"] } }))),
  definitions: (n) =>
    object(
      keyed(n, (i) => ({ $ref: `#/$defs/k${i}` })),
      { $defs: keyed(n, () => ({ type: "string" })) },
    ),
  "long list": (n) => object({ a: { enum: list(n * 20, (i) => `value ${i}`) } }),
  "list of objects": (n) => object({ a: { enum: list(n * 20, (v) => ({ v })) } }),
  "unique list": (n) =>
    object({ a: { type: "array", uniqueItems: true, items: { enum: list(n * 20, (v) => ({ v })) } } }),
  alternatives: (n) => object({ a: { anyOf: list(n / 2, (i) => object({ k: { const: i } }, { required: ["k"] })) } }),
  patterns: (n) => object(keyed(n, () => ({ type: "string", pattern: `^a${patterns++}[b-z]+$` }))),
};

/** Values by size, with their schemas. */
const values = {
  "^(a+)+$": (n) => [`${"a".repeat(n * 100)}!`, { pattern: "^(a+)+$" }],
  "(a*)*b": (n) => ["a".repeat(n * 100), { pattern: "(a*)*b" }],
  lookaheads: (n) => [`${"a".repeat(n * 100)}!`, { pattern: "^(?=(?:a+)+$)(?!.*b).*$" }],
  "unique objects": (n) => [list(n * 20, (i) => ({ i, tags: [String(i)] })), { uniqueItems: true }],
  "listed objects": (n) => [list(n * 20, (i) => ({ i })), { items: { enum: list(n * 20, (i) => ({ i })) } }],
  "unions in unions": (n) => [
    list(n, () => [[[[2]]]]),
    {
      anyOf: [{ items: { $ref: "#" } }, { items: { $ref: "#" }, maxItems: 9 }, { const: 1 }],
      type: ["array", "integer"],
    },
  ],
  keys: (n) => [
    keyed(n * 20, () => 1),
    { patternProperties: { "^(k\\d*)+$": { type: "integer" } }, additionalProperties: false },
  ],
};

/**
 * The limit for one, as a multiple of ten of a tenth. Quadratic time gives ten. Linear time gives up to 2.5, because a
 * tenth fits into the processor's cache: `JSON.stringify` into a Set gives 2.3 for the same objects.
 */
const MOST = 3;

export function measureHostile(quick) {
  const small = quick ? 20 : 200;
  const how = { rounds: quick ? 1 : 3, against: "ten of a tenth of the size", most: MOST };
  // Created anew each time, since schemas are compiled once.
  const compareAll = (what, cases, run) => {
    const works = Object.entries(cases).map(([name, make]) => ({
      name,
      work: {
        whole: () => [make(small * 10)].map((given) => () => run(given)),
        parts: () => list(10, () => make(small)).map((given) => () => run(given)),
      },
    }));
    return worstGrowth(what, works, how);
  };
  const tool = (parameters) => [{ name: "tool", parameters }];
  return [
    compareAll("hostile values, validator", values, ([value, schema]) => validateValue(value, schema)),
    compareAll("hostile schemas, definition", schemas, (schema) => normalizeTools(tool(schema))),
    compareAll("hostile schemas, grammar", schemas, (schema) => jsonSchemaToGbnf(schema)),
    compareAll("hostile schemas, signature", schemas, (schema) => toolsAsSignatures(tool(schema))),
    compareAll("hostile schemas, Gemini", schemas, (schema) => providers.gemini.toTools(tool(schema))),
  ];
}
