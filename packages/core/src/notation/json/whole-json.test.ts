import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { createReplyParser, type ReplyParserOptions } from "../../full/index.js";

import { wholeJson, withoutSpace } from "./whole-json.js";

describe("complete JSON", () => {
  test("ends at its own bracket, and its last part at its own", () => {
    const text = '{"a b": [1, "x, }"],\n "c": {}}} rest';
    expect(wholeJson(text, 0, 8)).toEqual({
      end: 30,
      whole: {
        value: { "a b": [1, "x, }"], c: {} },
        source: '{"a b": [1, "x, }"],\n "c": {}}',
        inner: "{}",
      },
    });
    expect(wholeJson('[1, [[2], {"]": 3}], 4]', 0, 8).whole?.inner).toBe('[[2], {"]": 3}]');
  });

  test("is written without white space between its tokens", () => {
    expect(withoutSpace('{"a b": [1, "x, \\" }"],\n "c": {}}')).toBe('{"a b":[1,"x, \\" }"],"c":{}}');
  });

  test.each([
    ["its end is not there", '{"a": [1, 2]'],
    ["a string does not end", '{"a": "b}'],
    ["it is nested too deeply", "[[[[1]]]]"],
    ["a number is read otherwise by JSON.parse", '{"a": -0}'],
    ["a number has an exponent", '{"a": 1e400}'],
    ["it is not strict JSON", '{"a": True}'],
    ["its first key is not strict JSON", "{'a': 1}"],
    ["a key comes twice", '{"a": {}, "a": ""}'],
    ["a key is longer than the reader waits for", `{"${"k".repeat(2000)}": 1}`],
  ])("is not found if %s", (_, text) => {
    expect(wholeJson(text, 0, 3).whole).toBeUndefined();
  });

  test.each([
    ["a key without quotes", '{"a": { b: 1}}', 8],
    ["a number that JSON.parse reads otherwise", '{"a": [-0]}', 7],
    ["the levels", "[[[[1]]]]", 3],
    ["the end of a long key", `{"${"k".repeat(300)}": 1}`, 302],
    ["the end of the text", '{"a": [1', 8],
  ])("is examined only up to %s", (_, text, end) => {
    expect(wholeJson(text, 0, 3)).toEqual({ end, whole: undefined });
  });
});

/** JSON as it can be spelt: with escapes, free space, numbers in several spellings, keys that come twice. */
const space = fc.constantFrom("", "", " ", "\n\t", "  ");
const string = fc
  .array(
    fc.constantFrom("a", "é", " ", "}", "]", ",", ":", "'", '\\"', "\\n", "\\u00e9", "\\/", "\\ud83d\\ude00", "}}"),
  )
  .map((parts) => `"${parts.join("")}"`);
const number = fc.constantFrom("0", "1.0", "-0", "-0.5", "1e2", "12345678901234567890", "0.10", "1e400", "-7");
const key = fc.constantFrom('"a"', '"b"', '"the_key"', '"theKey"', '"n"', '"\\u0061"', '"__proto__"');
const { value } = fc.letrec<{ value: string }>((again) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    string,
    number,
    fc.constantFrom("true", "false", "null"),
    fc
      .tuple(space, fc.array(again("value"), { maxLength: 3 }))
      .map(([s, parts]) => `[${s}${parts.join(`${s},${s}`)}${s}]`),
    fc
      .tuple(space, fc.array(fc.tuple(key, again("value")), { maxLength: 4 }))
      .map(([s, parts]) => `{${s}${parts.map(([k, v]) => `${k}${s}:${s}${v}`).join(`,${s}`)}${s}}`),
  ),
}));
const object = fc
  .array(fc.tuple(key, value), { maxLength: 4 })
  .map((parts) => `{${parts.map(([k, v]) => `${k}: ${v}`).join(", ")}}`);

const parameters = fc.constantFrom(
  { type: "object" },
  { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } } },
  { type: "object", properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] }, n: { enum: ["é", "a", 1] } } },
  {
    type: "object",
    properties: { the_key: { type: ["array", "null"] }, b: { type: "array", items: { type: "number" } } },
  },
  { type: "object", properties: { a: {}, b: { type: "object" } }, additionalProperties: false },
);

test("arguments in one chunk are read like those in chunks of one character", () => {
  const tail = fc.constantFrom("}\n</tool_call>", "}}</tool_call>", '"}}\n</tool_call>', "", " and more", "}");
  fc.assert(
    fc.property(object, parameters, tail, fc.boolean(), (args, schema, behind, nameFirst) => {
      const call = nameFirst ? `{"name": "f", "arguments": ${args}` : `{"arguments": ${args}, "name": "f"`;
      const reply = `<tool_call>\n${call}${behind}`;
      const options = { tools: [{ name: "f", parameters: schema }], protocol: "hermes" } as const;
      expect(read([reply], options)).toEqual(read([...reply], options));
    }),
    { numRuns: 1000 },
  );
});

describe("each character of deeply nested values that are not strict JSON is examined a few times", () => {
  const list = `[${"1,".repeat(10_000)}1]`;
  const deep = (inner: string, levels = 200) => `${'{"x":'.repeat(levels)}${inner}${"}".repeat(levels)}`;
  const replies: [string, string][] = [
    ["a key twice", `{"arguments": {"a": ${deep(`{"q": 1, "q": 2, "l": ${list}}`)}}, "name": "f"}`],
    ["an extra comma", `{"arguments": {"a": ${deep(`{"l": ${list},}`)}}, "name": "f"}`],
    ["no end", `{"arguments": {"a": ${'{"x":'.repeat(200)}{"l": ${list}`],
    ["lists of calls in lists of calls", `${'{"tool_calls":['.repeat(100)}{"x": ${list}}${"]}".repeat(100)}`],
    ["objects without an end", `${'{"name":"f","x":'.repeat(200)}{"l": ${list}`],
  ];
  const { charCodeAt } = String.prototype;
  afterEach(() => {
    String.prototype.charCodeAt = charCodeAt;
  });

  test.each(replies)("%s", (_, reply) => {
    let examined = 0;
    String.prototype.charCodeAt = function (index) {
      examined++;
      return charCodeAt.call(this, index);
    };
    const { ends } = read([`<tool_call>${reply}`], { tools: [{ name: "f" }], protocol: "hermes" });
    expect(ends.length).toBeGreaterThan(0);
    expect(examined / reply.length).toBeLessThan(25);
  });
});

function read(chunks: readonly string[], options: ReplyParserOptions) {
  const parser = createReplyParser({ ...options, generateId: () => "id" });
  const events = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
  const deltas = events.map((event) => (event.type === "call-delta" ? event.argumentsDelta : "")).join("");
  const ends = events.filter((event) => event.type === "call-end" || event.type === "call-invalid");
  for (const event of ends) if (event.type === "call-end") expect(JSON.parse(deltas)).toEqual(event.call.arguments);
  return { deltas, ends };
}
