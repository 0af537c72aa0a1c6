import type { SchemaProbe } from "../schema-probes.js";

const strict = { type: "object", additionalProperties: false };
const int = { type: "integer" };

/** Schemas of arrays: tuples, counts, items without repetition. */
export const lists: Record<string, SchemaProbe> = {
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
  "a list without repetition of values that are listed twice": {
    schema: { type: "array", items: { enum: [{ a: 1, b: [2] }, { b: [2], a: 1 }, 3] }, uniqueItems: true },
    accepts: ["[]", '[{"a": 1, "b": [2]}, 3]', "[3]"],
    rejects: ['[{"a": 1, "b": [2]}, {"b": [2], "a": 1}]', "[3, 3]"],
  },
};
