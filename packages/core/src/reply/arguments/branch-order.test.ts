import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseReply } from "../../full/index.js";

/** The argument of a call, or the feedback on it. */
function read(schema: object, value: unknown) {
  const tools = [{ name: "f", parameters: { type: "object", properties: { x: schema }, required: ["x"] } }];
  const text = `<tool_call>${JSON.stringify({ name: "f", arguments: { x: value } })}</tool_call>`;
  const { toolCalls, invalidToolCalls } = parseReply(text, { tools, protocol: "hermes" });
  const { error } = invalidToolCalls[0] ?? {};
  const [call] = toolCalls;
  return call ? { x: call.arguments.x, repairs: call.repairs } : { code: error?.code, ambiguous: error?.ambiguous };
}

const [boolean, integer, number, string] = ["boolean", "integer", "number", "string"].map((type) => ({ type }));
const strings = { type: "array", items: string };
const integers = { type: "array", items: integer };
const booleans = { type: "array", items: boolean };
const either = (a: unknown, b: unknown) => [
  { anyOf: [a, b] },
  { anyOf: [b, a] },
  { oneOf: [a, b] },
  { anyOf: [{ anyOf: [a] }, b] },
];

describe("a value for a union", () => {
  test.each([
    ["the number that it is, not a word for yes", boolean, integer, "1", 1],
    ["the number that it is, not a word for no", boolean, number, " 0 ", 0],
    ["the boolean that it is", { enum: ["True"] }, boolean, "true", true],
    ["a word for yes where it is no number", boolean, integer, "yes", true],
    ["the number that it is, not the item of a list", strings, integer, "5", 5],
    ["null", { enum: ["NULL"] }, { type: "null" }, "null", null],
    ["the listed number that it is", boolean, { enum: [1, 2] }, "1", 1],
    ["the items that they are", booleans, integers, ["1"], [1]],
    [
      "the property that it is",
      { type: "object", properties: { a: boolean } },
      { type: "object", properties: { a: integer } },
      { a: "1" },
      { a: 1 },
    ],
  ])("is %s", (_, a, b, value, expected) => {
    for (const schema of either(a, b)) expect(read(schema, value)).toMatchObject({ x: expected });
  });

  test("is read in unions within unions", () => {
    let schema: object = { anyOf: [boolean, integer] };
    for (let i = 0; i < 20; i++) schema = { [i % 2 === 0 ? "anyOf" : "oneOf"]: [{ type: "null" }, schema] };
    expect(read(schema, "5")).toMatchObject({ x: 5 });
    expect(read(schema, "yes")).toMatchObject({ x: true });
    expect(read(schema, "perhaps")).toMatchObject({ code: "invalid-arguments" });
  });

  test("is that also where a schema has several types", () => {
    for (const type of [
      ["boolean", "integer"],
      ["integer", "boolean"],
    ]) {
      expect(read({ type }, "1")).toMatchObject({ x: 1 });
      expect(read({ type }, "yes")).toMatchObject({ x: true });
      expect(read({ type }, "perhaps")).toMatchObject({ code: "invalid-arguments" });
    }
  });

  test("makes the call invalid if it has two readings that are equally near", () => {
    const refused = { code: "invalid-arguments", ambiguous: true };
    for (const schema of either({ enum: ["ON"] }, { enum: ["on "] })) expect(read(schema, "On")).toEqual(refused);
    for (const schema of either(string, boolean)) expect(read(schema, 1)).toEqual(refused);
    for (const type of [
      ["string", "boolean"],
      ["boolean", "string"],
    ])
      expect(read({ type }, 0)).toEqual(refused);
  });

  test("with two readings is named with both in the feedback", () => {
    const messages = either(string, boolean).map((schema) => {
      const tools = [{ name: "f", parameters: { type: "object", properties: { x: schema } } }];
      const text = '<tool_call>{"name": "f", "arguments": {"x": 1}}</tool_call>';
      return parseReply(text, { tools, protocol: "hermes" }).invalidToolCalls[0]?.error.message;
    });
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]).toContain('1 could be read as "1" or as true');
  });

  test("has the same outcome in any order of the branches", () => {
    const leaf = fc.constantFrom<object>(
      ...[boolean!, integer!, number!, string!, { type: "null" }, strings, integers, booleans],
      ...[{ enum: ["ON", "off"] }, { enum: ["on "] }, { enum: [1, 2] }, { const: true }, { const: "1" }],
      { type: "string", pattern: "^[0-9]$" },
      { type: "integer", minimum: 1 },
    );
    const object = fc.tuple(leaf, leaf, fc.boolean()).map(([a, b, isOpen]) => ({
      type: "object",
      properties: { a, b },
      required: ["a"],
      ...(isOpen ? {} : { additionalProperties: false }),
    }));
    const branches = fc.array(fc.oneof({ weight: 3, arbitrary: leaf }, object), { minLength: 2, maxLength: 4 });
    const names = ["boolean", "integer", "number", "string", "array", "null"];
    const types = fc.uniqueArray(fc.constantFrom(...names), { minLength: 2 });
    const plain = fc.constantFrom<unknown>(
      ...["1", "0", "5", "5.0", "true", "True", "yes", "On", "on", "null", "None", "", " 1 ", "1,000", "a, b", "[1]"],
      ...[1, 0, 5, 1.5, true, false, null, [], [1], ["1"], ["yes", "1"], [["1"]], '["1"]', '{"a": "1"}'],
    );
    const value = fc.oneof(
      { weight: 3, arbitrary: plain },
      fc.record({ a: plain, b: plain }, { requiredKeys: [] }).map((parts) => ({ ...parts })),
    );
    const keyword = fc.constantFrom("anyOf", "oneOf");
    fc.assert(
      fc.property(
        fc.oneof(branches, types),
        value,
        keyword,
        fc.infiniteStream(fc.nat()),
        (list, value, keyword, keys) => {
          const shuffled = list
            .map((branch) => ({ branch, key: keys.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ branch }) => branch);
          const schemaOf = (list: readonly unknown[]) =>
            typeof list[0] === "string" ? { type: list, items: integer } : { [keyword]: list };
          expect(read(schemaOf(shuffled), value)).toEqual(read(schemaOf(list), value));
        },
      ),
      { numRuns: 300 },
    );
  });
});
