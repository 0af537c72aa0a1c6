import { describe, expect, test } from "vitest";
import { parseReply } from "../index.js";

const fit = (schema: object, value: unknown) => {
  const tools = [{ name: "f", parameters: { type: "object", properties: { x: schema } } }];
  const text = `<tool_call>\n${JSON.stringify({ name: "f", arguments: { x: value } })}\n</tool_call>`;
  const { toolCalls, invalidToolCalls } = parseReply(text, { tools, protocol: "hermes" });
  return toolCalls[0]?.arguments.x ?? invalidToolCalls[0]?.error.code;
};

describe("coercion by the schema", () => {
  test.each([
    ["yes", true],
    ["No", false],
    ["ON", true],
    [1, true],
    ["0", false],
    ["perhaps", "invalid-arguments"],
    [2, "invalid-arguments"],
  ])("%j as a boolean is %j", (value, wanted) => {
    expect(fit({ type: "boolean" }, value)).toBe(wanted);
  });

  test.each([
    [{ items: { type: "integer" } }, "1, 2,3", [1, 2, 3]],
    [{ items: { type: "number" } }, "1.5", [1.5]],
    [{ items: { enum: ["a", "b c"] } }, "b c, a", ["b c", "a"]],
    [{ items: { enum: ["a", "b c"] } }, "b c, d", "invalid-arguments"],
    [{ items: { type: "string" } }, "x, y", ["x, y"]],
  ])("text with commas is a list where no item can hold a comma: %j %s", (schema, value, wanted) => {
    expect(fit({ type: "array", ...schema }, value)).toEqual(wanted);
  });

  test.each([
    [["OBJECT", "INTEGER", "ARRAY", "STRING"]],
    [["Object", "Integer", "Array", "String"]],
    [["dict", "int", "list", "text"]],
    [["dict", "long", "tuple", "str"]],
  ])("knows the types by the names of other languages and APIs: %j", ([object, integer, array, string]) => {
    const properties = { n: { type: integer }, l: { type: array, items: { type: integer } }, s: { type: string } };
    const given = { n: "3", l: "[1, 2]", s: 12 };
    expect(fit({ type: object, properties }, given)).toEqual({ n: 3, l: [1, 2], s: "12" });
  });

  test.each(["#/$defs/a%20b", "#count", "https://x.y/count", "https://x.y/tool#/$defs/a%20b"])(
    "follows the reference %s",
    ($ref) => {
      const $defs = { "a b": { $id: "https://x.y/count", $anchor: "count", type: "integer" } };
      const parameters = { $id: "https://x.y/tool", type: "object", properties: { n: { $ref } }, $defs };
      const text = '<tool_call>{"name": "f", "arguments": {"n": "3"}}</tool_call>';
      const { toolCalls } = parseReply(text, { tools: [{ name: "f", parameters }], protocol: "hermes" });
      expect(toolCalls).toMatchObject([{ arguments: { n: 3 } }]);
    },
  );
});
