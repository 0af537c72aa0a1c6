import type { SchemaProbe } from "../schema-probes.js";

const strict = { type: "object", additionalProperties: false };
const int = { type: "integer" };

/** Schemas of texts, numbers, constants and whole values. */
export const values: Record<string, SchemaProbe> = {
  "an enum of every kind": {
    schema: { enum: [0, -1.5, "0", true, null, [], {}, [1, "a"], { b: { c: null } }] },
    accepts: ["0", "-1.5", '"0"', "true", "null", "[]", "{}", '[1,"a"]', '{"b":{"c":null}}'],
    rejects: ["1", "false", '""', "[1]", '{"b":{}}', "[null]"],
  },
  "an enum, some values of which do not match": {
    schema: { type: ["string", "integer"], minimum: 2, enum: ["a", 1, 2, null, 2.5] },
    accepts: ['"a"', "2"],
    rejects: ["1", "null", "2.5"],
  },
  "a const object with space": {
    schema: { const: { a: [1, { b: null }] } },
    accepts: ['{"a":[1,{"b":null}]}', '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ]\n}'],
    rejects: ['{"a":[1]}', "{}"],
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
  "strings but one that begins with a control character": {
    schema: { type: "string", not: { const: "\n" } },
    accepts: ['"\\t"', '"\\nx"', '"\\u0001"', '""'],
    rejects: ['"\\n"', '"\\u000a"'],
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
  "integers from 16 digits on": {
    schema: { type: "integer", minimum: 1e15 },
    accepts: ["1000000000000000", "5000000000000000", "8999999999999999", "10000000000000000"],
    rejects: ["999999999999999", "0", "12345678901234567890"],
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
};
