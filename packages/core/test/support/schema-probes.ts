import type { JsonSchema } from "../../src/types.js";

/**
 * Expectations for a schema: accepted texts, rejected texts, and keywords that the grammar must report as not enforced.
 */
export interface SchemaProbe {
  schema: JsonSchema;
  accepts: string[];
  rejects: string[];
  /** `path keyword`, in order; left out: none. */
  unenforced?: string[];
  narrowed?: string[];
}

const strict = { type: "object", additionalProperties: false };
const int = { type: "integer" };
const nil = { type: "null" };

export const schemaProbes: Record<string, SchemaProbe> = {
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
  "an enum of every kind": {
    schema: { enum: [0, -1.5, "0", true, null, [], {}, [1, "a"], { b: { c: null } }] },
    accepts: ["0", "-1.5", '"0"', "true", "null", "[]", "{}", '[1,"a"]', '{"b":{"c":null}}'],
    rejects: ["1", "false", '""', "[1]", '{"b":{}}', "[null]"],
  },
  "an enum, some values of which do not fit": {
    schema: { type: ["string", "integer"], minimum: 2, enum: ["a", 1, 2, null, 2.5] },
    accepts: ['"a"', "2"],
    rejects: ["1", "null", "2.5"],
  },
  "a const object with space": {
    schema: { const: { a: [1, { b: null }] } },
    accepts: ['{"a":[1,{"b":null}]}', '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ]\n}'],
    rejects: ['{"a":[1]}', "{}"],
  },
  "listed items without repetition": {
    schema: { type: "array", items: { enum: ["a", "b", "c"] }, uniqueItems: true, minItems: 1 },
    accepts: ['["a"]', '["c","a"]', '["b","c","a"]'],
    rejects: ["[]", '["a","a"]', '["a","b","a"]'],
  },
  "many listed items without repetition": {
    schema: { type: "array", items: { enum: ["a", "b", "c", "d", "e", "f"] }, uniqueItems: true, maxItems: 2 },
    accepts: ["[]", '["a"]', '["b","f"]'],
    rejects: ['["a","a"]', '["a","b","c"]'],
    narrowed: [" uniqueItems"],
  },
  "items without repetition that are not listed": {
    schema: { type: "array", items: int, uniqueItems: true },
    accepts: ["[1,2]"],
    rejects: ['["a"]'],
    unenforced: [" uniqueItems"],
  },
  "an array that holds something": {
    schema: { type: "array", items: { type: "string" }, contains: { pattern: "^x" } },
    accepts: ['["x"]', '["a","xb"]', '["a","x","b"]'],
    rejects: ["[]", '["a"]', '["x",1]'],
  },
  "an array that holds something twice": {
    schema: { type: "array", items: int, contains: { minimum: 5 }, minContains: 2 },
    accepts: ["[5,6]", "[1,5,2,9,3]"],
    rejects: ["[5]", "[1,5,2]", "[]"],
  },
  "a short array that holds something": {
    schema: { type: "array", items: int, contains: { const: 0 }, minItems: 2, maxItems: 3 },
    accepts: ["[0,1]", "[1,0]", "[1,2,0]"],
    rejects: ["[0]", "[1,2,3]", "[0,1,2,3]"],
  },
  "an array of so many items that holds something": {
    schema: { type: "array", items: int, contains: { minimum: 5 }, minItems: 3, minContains: 2 },
    accepts: ["[1,5,6]", "[5,1,1,7]", "[5,6,7]"],
    rejects: ["[5,6]", "[1,2,5]", "[1,2,3,4]"],
  },
  "an array that holds something at most once": {
    schema: { type: "array", items: int, contains: { minimum: 5 }, maxContains: 1 },
    accepts: ["[5]", "[1,2,7,3]"],
    rejects: ["[]", "[1]", "[5,6]", "[5,1,6]"],
  },
  "an array that may hold something, twice at the most": {
    schema: { type: "array", contains: { type: "string" }, minContains: 0, maxContains: 2, maxItems: 4 },
    accepts: ["[]", "[1,2]", '["a",1,"b",2]'],
    rejects: ['["a","b","c"]', "[1,2,3,4,5]"],
  },
  "a tuple that holds something": {
    schema: { type: "array", prefixItems: [int, { type: "string" }], items: int, contains: { const: 1 } },
    accepts: ["[1]", '[1,"a"]', '[2,"a",1]', '[1,"a",1,2]'],
    rejects: ["[]", "[2]", '[2,"a"]', '[2,"a",3]', '["a",1]'],
  },
  "a tuple that holds anything, three times at the most": {
    schema: { type: "array", prefixItems: [int], contains: true, maxContains: 3 },
    accepts: ["[1]", '[1,"a",2]'],
    rejects: ["[]", "[1,2,3,4]"],
  },
  "whole numbers but some": {
    schema: { type: "integer", minimum: 0, not: { enum: [0, 3, 7.5, "x"] } },
    accepts: ["1", "2", "4", "7", "8", "30"],
    rejects: ["0", "3", "-1"],
  },
  "numbers but one": {
    schema: { type: ["number", "null"], not: { const: 2.5 } },
    accepts: ["2.4", "2.51", "-2.5", "0", "null", "25"],
    rejects: ["2.5", "2.50"],
  },
  "what is no whole number": {
    schema: { not: { type: "integer" } },
    accepts: ["1.5", "-0.25", '"a"', "null", "[1]"],
    rejects: ["1", "-7", "2.0"],
  },
  "alternatives that overlap in a whole number": {
    schema: {
      ...{ type: "object", oneOf: [{ properties: { a: int }, required: ["a"] }, { required: ["b"] }] },
      ...{ properties: { a: {}, b: {} }, additionalProperties: false },
    },
    accepts: ['{"a":1}', '{"b":1}', '{"a":"x","b":1}', '{"a":1.5,"b":1}'],
    rejects: ['{"a":1,"b":1}', '{"a":"x"}', "{}"],
  },
  "one value at most once": {
    schema: { type: "array", contains: { const: 1 }, maxContains: 1, maxItems: 3 },
    accepts: ["[1]", "[2,1,3]", '["a",1]'],
    rejects: ["[1,1]", "[]", "[2]"],
  },
  "an array with a count of what no keyword turns round": {
    schema: { type: "array", items: int, contains: { multipleOf: 2 }, maxContains: 1 },
    accepts: ["[2]", "[1,2,3]"],
    rejects: ["[1]", "[]"],
    unenforced: [" maxContains"],
  },
  "draft 4's tuple, open": {
    schema: { type: "array", items: [int, { type: "string" }], additionalItems: { type: "boolean" } },
    accepts: ["[]", "[1]", '[1,"a",true,false]'],
    rejects: ['["a"]', '[1,"a",2]'],
  },
  "a tuple of exactly its places": {
    schema: { type: "array", prefixItems: [int, int], items: false, minItems: 2 },
    accepts: ["[1,2]"],
    rejects: ["[1]", "[1,2,3]", "[]"],
  },
  "a count of items that fit, in another branch than the schema of these, where it says nothing": {
    schema: { type: "array", items: int, allOf: [{ contains: { const: 1 } }, { minContains: 2 }, { maxContains: 0 }] },
    accepts: ["[1]", "[2,1]", "[1,1]"],
    rejects: ["[]", "[2]"],
  },
  "the same items to be contained, with the larger count": {
    schema: { type: "array", items: int, contains: { const: 1 }, allOf: [{ contains: { const: 1 }, minContains: 2 }] },
    accepts: ["[1,1]", "[1,2,1]"],
    rejects: ["[]", "[1]"],
  },
  "items to be contained, beside a branch that asks for none": {
    schema: { type: "array", items: int, contains: { const: 1 }, minContains: 0, allOf: [{ contains: { const: 1 } }] },
    accepts: ["[1]"],
    rejects: ["[]", "[2]"],
  },
  "two kinds of items to be contained, of which one is held": {
    schema: { type: "array", items: int, contains: { const: 1 }, allOf: [{ contains: { const: 2 } }] },
    accepts: ["[1,2]"],
    rejects: ["[2]"],
    unenforced: ["/allOf/0 contains"],
  },
  "strings but one that begins with a control character": {
    schema: { type: "string", not: { const: "\n" } },
    accepts: ['"\\t"', '"\\nx"', '"\\u0001"', '""'],
    rejects: ['"\\n"', '"\\u000a"'],
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
  "no items but those that a part speaks of": {
    schema: { type: "array", allOf: [{ prefixItems: [int, int] }], prefixItems: [{}], unevaluatedItems: false },
    accepts: ["[]", "[1]", "[1,2]"],
    rejects: ["[1,2,3]", '["x"]'],
  },
  "no items but those contained": {
    schema: { type: "array", contains: { const: 1 }, unevaluatedItems: false },
    accepts: ["[1]", "[1,1]"],
    rejects: ["[]", "[1,2]"],
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
  "numbers as near to an open bound as there are": {
    schema: { type: "number", exclusiveMinimum: 0.1, exclusiveMaximum: 0.3 },
    accepts: ["0.10000000000000002", "0.29999999999999993", "0.2"],
    rejects: ["0.1", "0.3", "0.100000000000000000001", "0.30000000000000004", "0.299999999999999999"],
  },
  "the smallest numbers above 0": {
    schema: { type: "number", exclusiveMinimum: 0, maximum: 1 },
    accepts: ["5e-324", "1e-310", "2.5e-308", "1e-7"],
    rejects: ["0", "1e-324", "1e-400", "2e0"],
  },
  "keywords of a type that cannot be, without the type": {
    schema: { minimum: 2, maximum: 1 },
    accepts: ['"a"', "null", "[]", "{}", "true"],
    rejects: ["1"],
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
  "whole numbers that are multiples of a tenth": {
    schema: { type: "integer", multipleOf: 0.1 },
    accepts: ["0", "10", "-7"],
    rejects: ["10.5", "0.1"],
  },
  "whole numbers that are multiples of a fraction": {
    schema: { type: "integer", multipleOf: 1.5 },
    accepts: ["3", "-12"],
    rejects: ["1.5", "4"],
  },
  "a constant under a condition that cannot be turned round, which is named": {
    schema: JSON.parse('{"const": 3, "if": {"multipleOf": 3}, "then": {"minimum": 0}}'),
    accepts: ["3"],
    rejects: ["1"],
    unenforced: [" if"],
  },
  "length together with a pattern": {
    schema: { type: "string", pattern: "^[a-z]+-\\d*$", minLength: 4, maxLength: 5 },
    accepts: ['"ab-1"', '"abc-"', '"a-123"'],
    rejects: ['"a-1"', '"abcd-1"'],
  },
  "length together with a pattern of one length to choose": {
    schema: { type: "string", pattern: "^#[0-9a-f]+$", minLength: 4, maxLength: 7 },
    accepts: ['"#abc"', '"#abcdef"'],
    rejects: ['"#ab"', '"#abcdef0"', '"abc"'],
  },
  "length together with a pattern of too many lengths to choose, which is named": {
    schema: { type: "string", pattern: "^[a-z]+-[a-z]+-[a-z]+$", maxLength: 9 },
    accepts: ['"a-b-c"'],
    rejects: ['"a-b"'],
    unenforced: [" maxLength"],
  },
  "a pattern with many repetitions side by side": {
    schema: { type: "string", pattern: "^[a-z]{1,60}-[a-z]{1,60}-[0-9]{1,60}$" },
    accepts: ['"a-b-1"'],
    rejects: ['"a-b"'],
  },
  "a pattern of alternatives with anchors of their own": {
    schema: { type: "string", pattern: "^(?:a|bc)*$|^\\.{3}" },
    accepts: ['""', '"abca"', '"..."', '"...x"'],
    rejects: ['"b"', '"x..."'],
  },
  "a pattern with signs of its own meaning": {
    schema: { type: "string", pattern: '^\\[\\^\\]\\\\"\\/\\$[\\]^-]$' },
    accepts: ['"[^]\\\\\\"/$]"', '"[^]\\\\\\"/$-"'],
    rejects: ['"[^]\\\\\\"/$x"'],
  },
  "a pattern that looks ahead, which is named": {
    schema: { type: "string", pattern: "^(?=a)b" },
    accepts: ['"x"'],
    rejects: ["1"],
    unenforced: [" pattern"],
  },
  "a date of the calendar": {
    schema: { type: "string", format: "date" },
    accepts: ['"2000-02-29"', '"2023-12-31"'],
    rejects: ['"2023-02-29"', '"1900-02-29"', '"2023-04-31"', '"2023-1-1"'],
  },
  "IPv6 in all its forms": {
    schema: { type: "string", format: "ipv6" },
    accepts: ['"::"', '"::1"', '"2001:db8::ff00:42:8329"', '"1:2:3:4:5:6:7:8"'],
    rejects: ['":::"', '"1::2::3"', '"1:2:3:4:5:6:7"', '"12345::"'],
    narrowed: [" format"],
  },
  "a host name and a duration": {
    schema: {
      anyOf: [
        { type: "string", format: "hostname" },
        { type: "string", format: "duration" },
      ],
    },
    accepts: ['"a-b.example"', '"P1Y2M3DT4H5M6S"', '"PT1M"'],
    rejects: ['"-a"', '"a b"'],
    narrowed: ["/anyOf/0 format"],
  },
  "a format without rules, which is named": {
    schema: { type: "string", format: "iban" },
    accepts: ['"x"'],
    rejects: ["1"],
    unenforced: [" format"],
  },
  "decimals between open bounds on both sides of 0": {
    schema: { type: "number", exclusiveMinimum: -0.5, exclusiveMaximum: 1.25 },
    accepts: ["-0.49", "0", "1.249", "1", "1e-7"],
    rejects: ["-0.5", "1.25", "1.3", "-1"],
  },
  "draft 4's exclusive bounds": {
    schema: { type: "integer", minimum: 0, exclusiveMinimum: true, maximum: 10, exclusiveMaximum: true },
    accepts: ["1", "9"],
    rejects: ["0", "10"],
  },
  "multiples from 0 on": {
    schema: { type: "integer", minimum: 0, multipleOf: 7 },
    accepts: ["0", "7", "700"],
    rejects: ["-7", "8", "71"],
  },
  "hundredths from 0 on": {
    schema: { type: "number", minimum: 0, multipleOf: 0.01 },
    accepts: ["0", "19.99", "5.5"],
    rejects: ["-1", "0.001"],
  },
  "nullable in OpenAPI, with an enum": {
    schema: { type: "string", enum: ["a"], nullable: true },
    accepts: ['"a"', "null"],
    rejects: ['"b"'],
    unenforced: [" enum"],
  },
  "types of other languages": {
    schema: { type: "dict", properties: { n: { type: "float" } }, additionalProperties: false },
    accepts: ["{}", '{"n":0.5}'],
    rejects: ['{"n":"x"}', "[]"],
  },
  "any value, at any depth": {
    schema: true,
    accepts: [`${"[".repeat(40)}${"]".repeat(40)}`, '{"a":{"b":[{"c":null}]}}', '"x"'],
    rejects: ["", "[", "{a:1}"],
  },
  "keywords of one type without a type": {
    schema: { minLength: 2 },
    accepts: ['"ab"'],
    rejects: ['"a"'],
    narrowed: [" type"],
  },
  "space as JSON.stringify and Python write it": {
    schema: {
      ...strict,
      properties: { a: { type: "array", items: int }, b: { type: "object" } },
      required: ["a", "b"],
    },
    accepts: [
      '{"a":[1,2],"b":{"c":1}}',
      '{"a": [1, 2], "b": {"c": 1}}',
      '{\n    "a": [\n        1\n    ],\n    "b": {}\n}',
    ],
    rejects: ['{"a" : [],"b":{}}', '{"a":[],,"b":{}}'],
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
  "items that are the whole or something smaller, and ask for a key": {
    schema: {
      type: "object",
      properties: {
        id: int,
        children: {
          type: "array",
          items: { required: ["id"], anyOf: [{ $ref: "#" }, { ...strict, properties: { id: int } }] },
        },
      },
    },
    accepts: ['{"children":[{"id":1,"children":[{"id":2}]}]}'],
    rejects: ['{"children":[{}]}', '{"children":[{"id":1,"children":[{}]}]}'],
  },
  "integers from 16 digits on": {
    schema: { type: "integer", minimum: 1e15 },
    accepts: ["1000000000000000", "5000000000000000", "9999999999999999", "10000000000000000"],
    rejects: ["999999999999999", "0"],
  },
  "integers from nearly the largest safe one on": {
    schema: { type: "integer", minimum: 9007199254740990 },
    accepts: ["9007199254740990", "9007199254740991", "20000000000000000"],
    rejects: ["9007199254740989", "1000000000000000"],
  },
  "the safe integers": {
    schema: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
    accepts: ["9007199254740991", "-9007199254740991", "5000000000000000"],
    rejects: ["9007199254740992", "-9007199254740992"],
  },
  "a pattern with an escaped surrogate pair": {
    schema: { type: "string", pattern: "^\\uD83D\\uDE00$" },
    accepts: ['"😀"'],
    rejects: ['"😁"', '""'],
  },
  "a pattern with a range of escaped surrogate pairs": {
    schema: { type: "string", pattern: "^[\\uD83D\\uDE00-\\uD83D\\uDE4F]+$" },
    accepts: ['"😀🙏"'],
    rejects: ['"a"', '"🚀"'],
  },
  "half a surrogate pair in a pattern": {
    schema: { type: "string", pattern: "^(a|\\uD83D)$" },
    accepts: ['"a"'],
    rejects: [],
    unenforced: [" pattern"],
  },
  "a number below an open end, as it is read": {
    schema: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
    accepts: ["0.5", "0.1234567890123456", "0.99999999999999", "1e-300"],
    rejects: ["0.9999999999999999999999999", "1", "0", "0.0", "1.0"],
  },
  "a number above an open end, as it is read": {
    schema: { type: "number", exclusiveMinimum: -2.5, maximum: 0.5 },
    accepts: ["-2.49", "-2.4999999999", "0.5", "0.1234567890123456"],
    rejects: ["-2.5", "-2.4999999999999999999999999", "0.50001"],
  },
  "a number from 0 on, with any exponent": {
    schema: { type: "number", minimum: 0 },
    accepts: ["1e+22", "1e+100", "1e-100", "1.5e-7"],
    rejects: ["-1", "1e+400"],
  },
  "a list without repetition of values that are listed twice": {
    schema: { type: "array", items: { enum: [{ a: 1, b: [2] }, { b: [2], a: 1 }, 3] }, uniqueItems: true },
    accepts: ["[]", '[{"a": 1, "b": [2]}, 3]', "[3]"],
    rejects: ['[{"a": 1, "b": [2]}, {"b": [2], "a": 1}]', "[3, 3]"],
  },
};
