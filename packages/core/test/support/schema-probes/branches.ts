import type { SchemaProbe } from "../schema-probes.js";

const strict = { type: "object", additionalProperties: false };
const int = { type: "integer" };
const nil = { type: "null" };

/** Schemas with references, allOf, oneOf, not and conditions. */
export const branches: Record<string, SchemaProbe> = {
  "a reference into the properties of another place": {
    schema: {
      ...strict,
      properties: { from: { type: "string", enum: ["OSL"] }, to: { $ref: "#/properties/from" } },
      required: ["to"],
    },
    accepts: ['{"to":"OSL"}', '{"to":"OSL","from":"OSL"}'],
    rejects: ['{"to":"SFO"}', "{}"],
  },
  "a reference with percent and tilde escapes": {
    schema: { $ref: "#/$defs/a%20b~1c~0d%25", $defs: { "a b/c~d%": { const: 7 } } },
    accepts: ["7"],
    rejects: ["8"],
  },
  "a reference into a list": {
    schema: { anyOf: [{ $ref: "#/anyOf/1" }, { const: "x" }] },
    accepts: ['"x"'],
    rejects: ['"y"'],
  },
  "a reference to an anchor": {
    schema: { $ref: "#size", $defs: { s: { $anchor: "size", enum: ["S", "M"] } } },
    accepts: ['"S"'],
    rejects: ['"L"'],
  },
  "keywords beside a reference": {
    schema: { $ref: "#/$defs/n", maximum: 5, $defs: { n: { type: "integer", minimum: 1 } } },
    accepts: ["1", "5"],
    rejects: ["0", "6", "1.5"],
  },
  "keywords beside a reference in draft 7, which have no say": {
    schema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      $ref: "#/definitions/n",
      maximum: 5,
      definitions: { n: int },
    },
    accepts: ["6"],
    rejects: ["1.5"],
  },
  "references that lead to each other": {
    schema: {
      $ref: "#/$defs/even",
      $defs: {
        even: { anyOf: [nil, { ...strict, properties: { next: { $ref: "#/$defs/odd" } }, required: ["next"] }] },
        odd: { ...strict, properties: { next: { $ref: "#/$defs/even" } }, required: ["next"] },
      },
    },
    accepts: ["null", '{"next":{"next":null}}'],
    rejects: ['{"next":null}', '{"next":{"next":{"next":null}}}'],
  },
  "recursion through two schemas at once": {
    schema: {
      allOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }],
      $defs: {
        a: {
          type: "object",
          properties: { v: { minimum: 0 }, next: { $ref: "#/$defs/a" } },
          additionalProperties: false,
        },
        b: { type: "object", properties: { v: int, next: { $ref: "#/$defs/b" } }, required: ["v"] },
      },
    },
    accepts: ['{"v":1}', '{"next":{"v":0},"v":1}'],
    rejects: ["{}", '{"v":-1}', '{"v":1,"next":{}}', '{"v":1,"x":1}'],
  },
  "allOf of bounds from three places": {
    schema: { allOf: [{ minimum: -3 }, { type: "number", exclusiveMaximum: 4 }, { multipleOf: 1 }], type: "integer" },
    accepts: ["-3", "0", "3"],
    rejects: ["-4", "4", "1.5"],
  },
  "allOf of what each says of all other keys": {
    schema: {
      allOf: [
        { type: "object", properties: { a: int }, additionalProperties: int },
        { type: "object", properties: { b: {} }, additionalProperties: { maximum: 5 } },
      ],
    },
    accepts: ['{"a":1,"b":9,"c":5}'],
    rejects: ['{"a":6}', '{"b":"x"}', '{"c":6}'],
  },
  "allOf of tuples": {
    schema: {
      allOf: [
        { type: "array", prefixItems: [int], items: { type: "string" } },
        { prefixItems: [{ minimum: 2 }, { minLength: 1 }], maxItems: 2 },
      ],
    },
    accepts: ["[]", "[2]", '[3,"x"]'],
    rejects: ["[1]", '[2,""]', '[2,"x","y"]', "[2,3]"],
  },
  "allOf of unions, each with each": {
    schema: {
      allOf: [{ anyOf: [int, { type: "string" }] }, { anyOf: [{ minimum: 3, type: "number" }, { const: "x" }] }],
    },
    accepts: ["3", '"x"'],
    rejects: ["2", '"y"', "3.5"],
  },
  "allOf of two patterns, of which one is held": {
    schema: { type: "string", allOf: [{ pattern: "^a" }, { pattern: "b$" }] },
    accepts: ['"ab"', '"axb"'],
    rejects: ['"b"'],
    unenforced: ["/allOf/1 pattern"],
  },
  "oneOf with overlap, of objects": {
    schema: { ...strict, properties: { a: int, b: int }, oneOf: [{ required: ["a"] }, { required: ["b"] }] },
    accepts: ['{"a":1}', '{"b":1}'],
    rejects: ["{}", '{"a":1,"b":1}', '{"b":1,"a":1}'],
  },
  "oneOf with overlap, of lengths": {
    schema: { type: "string", oneOf: [{ minLength: 2 }, { maxLength: 3 }] },
    accepts: ['""', '"a"', '"abcd"'],
    rejects: ['"ab"', '"abc"'],
  },
  "oneOf with overlap that cannot be turned round": {
    schema: {
      oneOf: [
        { type: "string", pattern: "a" },
        { type: "string", pattern: "b" },
      ],
    },
    accepts: ['"a"', '"b"'],
    rejects: ['"c"'],
    unenforced: [" oneOf"],
  },
  "oneOf told apart by a tag": {
    schema: {
      oneOf: [
        { ...strict, properties: { kind: { const: "circle" }, r: { type: "number" } }, required: ["kind", "r"] },
        { ...strict, properties: { kind: { const: "square" }, side: { type: "number" } }, required: ["kind", "side"] },
      ],
    },
    accepts: ['{"kind":"circle","r":1}', '{"side":2.5,"kind":"square"}'],
    rejects: ['{"kind":"circle","side":1}', '{"kind":"square"}'],
  },
  "not a type": {
    schema: { not: { type: ["string", "object"] } },
    accepts: ["1", "[]", "null", "true"],
    rejects: ['"a"', "{}"],
  },
  "not one of some words": {
    schema: { type: "string", not: { enum: ["root", "ro", "admin"] } },
    accepts: ['"r"', '"roo"', '"roots"', '"user"', '""', '"q\\""', '"é"'],
    rejects: ['"root"', '"ro"', '"admin"', '"\\u0072o"'],
  },
  "not a range": {
    schema: { type: "integer", not: { minimum: 3, maximum: 5 } },
    accepts: ["2", "6"],
    rejects: ["3", "4", "5"],
  },
  "not a key": {
    schema: { type: "object", not: { required: ["secret"] } },
    accepts: ["{}", '{"a":1}', '{"secre":1}', '{"secrets":1}'],
    rejects: ['{"secret":1}', '{"a":1,"secret":1}'],
  },
  "not a pattern, which is named": {
    schema: { type: "string", not: { pattern: "^x" } },
    accepts: ['"a"'],
    rejects: ["1"],
    unenforced: [" not"],
  },
  "a condition without else": {
    schema: {
      ...strict,
      properties: { n: int, why: { type: "string" } },
      required: ["n"],
      ...JSON.parse('{"if":{"properties":{"n":{"maximum":9}}},"then":{"required":["why"]}}'),
    },
    accepts: ['{"n":10}', '{"n":9,"why":""}', '{"why":"x","n":11}'],
    rejects: ['{"n":9}', "{}"],
  },
  "a condition on whether a key is there": {
    schema: {
      ...strict,
      properties: { a: nil, b: nil, c: nil },
      ...JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}'),
    },
    accepts: ['{"a":null,"b":null}', '{"c":null}', '{"b":null,"c":null}'],
    rejects: ["{}", '{"a":null}', '{"b":null}', '{"a":null,"c":null}'],
  },
  "a schema that depends on a key": {
    schema: {
      ...strict,
      properties: { card: int, address: {} },
      dependentSchemas: { card: { required: ["address"] } },
    },
    accepts: ["{}", '{"address":1}', '{"address":1,"card":2}'],
    rejects: ['{"card":2}'],
  },
  "draft 4's dependencies": {
    schema: { ...strict, properties: { a: int, b: int }, dependencies: { a: ["b"] } },
    accepts: ["{}", '{"b":1}', '{"b":1,"a":1}'],
    rejects: ['{"a":1}'],
  },
};
