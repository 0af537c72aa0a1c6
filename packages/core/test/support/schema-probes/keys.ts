import type { SchemaProbe } from "../schema-probes.js";

const strict = { type: "object", additionalProperties: false };
const int = { type: "integer" };
const nil = { type: "null" };

/** Schemas of objects: their keys, by name, by pattern and by number. */
export const keys: Record<string, SchemaProbe> = {
  "keys in any order, all required": {
    schema: { ...strict, properties: { a: nil, b: nil, c: nil }, required: ["a", "b", "c"] },
    accepts: ['{"a":null,"b":null,"c":null}', '{"c":null,"a":null,"b":null}'],
    rejects: ['{"a":null,"b":null}', '{"a":null,"b":null,"a":null}', '{"a":null,"b":null,"c":null,"c":null}'],
  },
  "other keys between the declared ones": {
    schema: { type: "object", properties: { a: int }, required: ["a"], additionalProperties: { type: "string" } },
    accepts: ['{"x":"1","a":1,"y":"2"}', '{"a":1}', '{"aa":"","a":1}'],
    rejects: ['{"x":1,"a":1}', '{"x":"1"}', '{"a":1,"a":"x"}', '{"a":"x"}'],
  },
  "other keys beside one that needs escapes": {
    schema: { type: "object", properties: { 'q"t': int }, additionalProperties: { type: "string" } },
    accepts: ['{"q\\"t":1}', '{"q":"x"}', '{"q\\"":"x"}', '{"\\n":"x"}', '{"\\u0007":"x"}'],
    rejects: ['{"q\\"t":"x"}', '{"q":1}', '{"\\u0071\\"t":"x"}'],
  },
  "many keys, in the order of the schema": {
    schema: { ...strict, properties: Object.fromEntries([..."abcde"].map((name) => [name, nil])), required: ["b"] },
    accepts: ['{"b":null}', '{"a":null,"b":null,"e":null}'],
    rejects: ["{}", '{"a":null}', '{"b":null,"b":null}'],
    narrowed: [" properties"],
  },
  "how many keys, of declared ones": {
    schema: { ...strict, properties: { a: nil, b: nil, c: nil }, minProperties: 1, maxProperties: 2 },
    accepts: ['{"a":null}', '{"c":null,"b":null}'],
    rejects: ["{}", '{"a":null,"b":null,"c":null}'],
  },
  "how many keys, of many declared ones": {
    schema: {
      ...strict,
      properties: Object.fromEntries([..."abcdef"].map((name) => [name, nil])),
      minProperties: 2,
      maxProperties: 3,
    },
    accepts: ['{"a":null,"f":null}', '{"b":null,"c":null,"d":null}'],
    rejects: ["{}", '{"a":null}', '{"a":null,"b":null,"c":null,"d":null}'],
    narrowed: [" properties"],
  },
  "how many keys, with others": {
    schema: { type: "object", properties: { a: int }, required: ["a"], maxProperties: 2 },
    accepts: ['{"a":1}', '{"x":null,"a":1}'],
    rejects: ["{}", '{"a":1,"x":1,"y":1}', '{"x":1,"y":1}'],
  },
  "keys by two patterns apart from each other": {
    schema: { ...strict, patternProperties: { "^i_": int, "^s_": { type: "string" } } },
    accepts: ['{"i_1":1,"s_1":"x"}', "{}"],
    rejects: ['{"i_1":"x"}', '{"s_":1}', '{"x":1}'],
  },
  "a declared key that a pattern has a say in": {
    schema: { ...strict, properties: { i_a: { minimum: 0 } }, patternProperties: { "^i_": int } },
    accepts: ['{"i_a":0}', "{}"],
    rejects: ['{"i_a":-1}', '{"i_a":0.5}'],
    narrowed: [" patternProperties"],
  },
  "a declared key that propertyNames forbids": {
    schema: {
      type: "object",
      properties: { ab: int, c: int },
      propertyNames: { maxLength: 1 },
      additionalProperties: false,
    },
    accepts: ["{}", '{"c":1}'],
    rejects: ['{"ab":1}'],
  },
  "a required key that a pattern speaks of": {
    schema: { ...strict, patternProperties: { "^n": int }, required: ["n1"] },
    accepts: ['{"n1":1}'],
    rejects: ["{}", '{"n1":"x"}'],
    narrowed: [" patternProperties"],
  },
  "unevaluatedProperties over a merged object": {
    schema: {
      allOf: [{ type: "object", properties: { a: int } }],
      properties: { b: int },
      unevaluatedProperties: false,
    },
    accepts: ['{"b":1,"a":2}', "{}"],
    rejects: ['{"c":1}', '{"a":"x"}'],
  },
  "names in other scripts": {
    schema: { ...strict, properties: { 名前: { enum: ["東京"] }, "ключ 1": nil }, required: ["名前"] },
    accepts: ['{"名前":"東京"}', '{"ключ 1":null,"名前":"東京"}'],
    rejects: ['{"名前":"京都"}', "{}"],
  },
  "names with quotation marks, backslashes and line ends": {
    schema: { ...strict, properties: { '"\\\n\t/': nil }, required: ['"\\\n\t/'] },
    accepts: ['{"\\"\\\\\\n\\t/":null}'],
    rejects: ["{}"],
  },
  "__proto__ as a name": {
    schema: JSON.parse(
      '{"type":"object","additionalProperties":false,"required":["__proto__"],"properties":{"__proto__":{"type":"integer"}}}',
    ),
    accepts: ['{"__proto__":1}'],
    rejects: ["{}", '{"__proto__":"x"}'],
  },
  "no keys but those that a part speaks of": {
    schema: {
      ...{ type: "object", properties: { a: int } },
      allOf: [{ properties: { b: int } }, { $ref: "#/$defs/c" }],
      ...{ unevaluatedProperties: false, $defs: { c: { patternProperties: { "^c": int } } } },
    },
    accepts: ["{}", '{"a":1,"b":2}', '{"c1":1,"b":2}'],
    rejects: ['{"d":1}', '{"c":"x"}'],
  },
  "no keys but those of the branches that fit": {
    schema: {
      ...{ type: "object", unevaluatedProperties: false },
      anyOf: [
        { properties: { a: int }, required: ["a"] },
        { properties: { b: int }, required: ["b"] },
      ],
    },
    accepts: ['{"a":1}', '{"b":1}', '{"a":1,"b":2}', '{"b":1,"a":2}'],
    rejects: ["{}", '{"a":"x","b":2}', '{"a":1,"c":1}'],
  },
  "no keys but those of a branch, within it": {
    schema: {
      ...{ type: "object", properties: { b: int } },
      anyOf: [{ properties: { a: int }, unevaluatedProperties: false }, { required: ["z"] }],
    },
    accepts: ["{}", '{"a":1}', '{"z":1}', '{"b":1,"z":2}'],
    rejects: ['{"b":1}', '{"a":1,"b":2}'],
  },
  "other keys of a kind, next to those of a condition": {
    schema: JSON.parse(`{
      "type": "object", "properties": {"k": {"enum": ["a", "b"]}}, "required": ["k"],
      "if": {"properties": {"k": {"const": "a"}}}, "then": {"properties": {"v": true}},
      "unevaluatedProperties": {"type": "integer"}
    }`),
    accepts: ['{"k":"a","v":"x"}', '{"k":"b","v":1}', '{"k":"b"}'],
    rejects: ['{"k":"b","v":"x"}', '{"v":"x"}'],
  },
  "keys that too many branches speak of, which is named": {
    schema: {
      ...{ type: "object", unevaluatedProperties: false },
      anyOf: ["a", "b", "c", "d", "e"].map((key) => ({ properties: { [key]: int }, required: [key] })),
    },
    accepts: ['{"a":1}'],
    rejects: ["{}"],
    unenforced: [" unevaluatedProperties"],
  },
  "objects listed, with their keys in any order": {
    schema: { enum: [{ a: 1, b: [{ c: 1, d: 2 }] }] },
    accepts: ['{"a":1,"b":[{"c":1,"d":2}]}', '{"b":[{"d":2,"c":1}],"a":1}'],
    rejects: ['{"a":1}', '{"a":1,"a":1}', '{"b":[{"d":2,"c":1}]}'],
  },
  "an object of many keys as a constant, in its order": {
    schema: { const: { a: 1, b: 2, c: 3, d: 4, e: 5 } },
    accepts: ['{"a":1,"b":2,"c":3,"d":4,"e":5}'],
    rejects: ['{"a":1,"b":2,"c":3,"d":4}'],
    narrowed: [" const"],
  },
  "listed keys, some of them by pattern": {
    schema: { type: "object", propertyNames: { enum: ["ab", "b"] }, patternProperties: { "^a": int } },
    accepts: ["{}", '{"ab":1,"b":"x"}'],
    rejects: ['{"ab":"x"}', '{"a":1}'],
  },
  "keys that fit a pattern, and another one that is not told apart from it": {
    schema: {
      type: "object",
      patternProperties: { "^(?!a)": int },
      propertyNames: { pattern: "^b" },
      minProperties: 1,
    },
    accepts: ['{"b":1}'],
    rejects: ['{"a":1}', "{}"],
    unenforced: [" patternProperties"],
    narrowed: [" additionalProperties", " patternProperties"],
  },
  "a key at least, where keys of a pattern are not allowed": {
    schema: { type: "object", patternProperties: { "^a": false }, minProperties: 1 },
    accepts: ['{"b":1}'],
    rejects: ["{}"],
    unenforced: [" patternProperties"],
    narrowed: [" additionalProperties"],
  },
  "a required key whose name is not allowed, though a pattern speaks of it": {
    schema: {
      type: ["object", "null"],
      ...{ patternProperties: { "^a": true }, propertyNames: { maxLength: 1 }, required: ["ab"] },
    },
    accepts: ["null"],
    rejects: ['{"ab":1}', "{}"],
    narrowed: [" additionalProperties", " patternProperties"],
  },
  "a union with keys beside it and one in it": {
    schema: {
      type: "object",
      properties: { id: int },
      required: ["id"],
      additionalProperties: false,
      anyOf: [{ properties: { id: { maximum: 9 } } }, { properties: { id: { minimum: 100 } } }],
    },
    accepts: ['{"id":9}', '{"id":100}'],
    rejects: ['{"id":10}', "{}"],
  },
  "a union beside a type that leads back to the whole": {
    schema: { type: "object", properties: { next: { type: ["object", "null"], anyOf: [{ $ref: "#" }, nil] } } },
    accepts: ["{}", '{"next":null}', '{"next":{"next":{"next":null}}}'],
    rejects: ['{"next":1}', '{"next":{"next":[]}}'],
  },
};
