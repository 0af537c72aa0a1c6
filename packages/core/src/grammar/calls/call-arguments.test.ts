import { describe, expect, it } from "vitest";
import { matcher } from "../../../test/support/gbnf-oracle.js";
import type { ProtocolName } from "../../protocols/index.js";
import type { JsonSchema } from "../../types.js";
import { toolCallGrammar } from "../index.js";

const grammarOf = (protocol: ProtocolName, parameters: JsonSchema) =>
  toolCallGrammar({ tools: [{ name: "f", parameters }], protocol, toolChoice: "required", maxCalls: 1 });

describe("the arguments of a call in a format that writes them separately", () => {
  it("accepts listed objects with their keys in any order, or reports the order", async () => {
    const point = { x: 1, y: [2] };
    const { grammar, narrowed } = grammarOf("qwen3-coder", {
      type: "object",
      properties: { at: { enum: [point, "no"] } },
    });
    const matches = await matcher(grammar);
    const written = (value: string) =>
      `<tool_call>\n<function=f>\n<parameter=at>\n${value}\n</parameter>\n</function>\n</tool_call>`;
    const values = ['{"x": 1, "y": [2]}', '{"y": [2], "x": 1}', '{"x": 1}'];
    expect(values.map((value) => matches(written(value)))).toEqual([true, true, false]);
    expect(narrowed).toEqual([{ tool: "f", path: "", keyword: "additionalProperties" }]);
    const many = {
      type: "object",
      properties: { at: { const: { a: 1, b: 2, c: 3, d: 4 } } },
      additionalProperties: false,
    };
    expect(grammarOf("qwen3-coder", many).narrowed).toEqual([{ tool: "f", path: "/properties/at", keyword: "const" }]);
  });

  it("refuses text that is read as a list or object, and reports it if the type is not stated", async () => {
    const properties = { list: { items: { type: "string" } } };
    const { grammar, narrowed } = grammarOf("deepseek-v32", {
      type: "object",
      properties,
      additionalProperties: false,
    });
    const matches = await matcher(grammar);
    const written = (type: string, value: string) =>
      `<｜DSML｜function_calls>\n<｜DSML｜invoke name="f">\n<｜DSML｜parameter name="list" string="${type}">${value}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`;
    expect([matches(written("false", '["a"]')), matches(written("true", "a"))]).toEqual([true, false]);
    expect(narrowed).toContainEqual({ tool: "f", path: "/properties/list", keyword: "type" });
  });

  it("names the keywords next to a union by their original places", () => {
    const either = {
      oneOf: [true, { type: "string", format: "uri" }],
      anyOf: [{ type: "object" }, { type: "null" }],
    };
    const { unenforced } = grammarOf("pythonic", { $ref: "#/$defs/either", $defs: { either } });
    expect(unenforced).toContainEqual({ tool: "f", path: "/$defs/either", keyword: "oneOf" });
  });
});

it.each<[ProtocolName, JsonSchema, RegExp]>([
  ["gemma4", { properties: { a: { enum: [{ "a b": 1 }] } }, required: ["a"] }, /enum at "\/properties\/a" of tool "f"/],
  ["gemma4", { properties: { "😀": {} }, additionalProperties: false, minProperties: 1 }, /key "😀"/],
  ["pythonic", { properties: { "😀": {} }, additionalProperties: false, minProperties: 1 }, /argument "😀"/],
  ["pythonic", { anyOf: [{ type: "array" }, { enum: [{ a: 1 }] }] }, /parameters of tool "f"/],
])("does not report as unsatisfiable what only %s cannot write: %j", (protocol, parameters, message) => {
  const make = () => grammarOf(protocol, { type: "object", ...(parameters as object) });
  expect(make).toThrow(expect.objectContaining({ code: "unsupported" }));
  expect(make).toThrow(message);
});

it.each<[JsonSchema, string]>([
  [{ type: "object", required: ["a", "b"], maxProperties: 1 }, "maxProperties"],
  [{ type: "object", properties: { a: {} }, additionalProperties: false, minProperties: 2 }, "minProperties"],
])("names the keyword that no value matches, in every format: %j", (parameters, keyword) => {
  for (const protocol of ["hermes", "qwen3-coder", "pythonic", "laic", "deepseek-v32"] as const)
    expect(() => grammarOf(protocol, parameters)).toThrow(
      expect.objectContaining({ code: "unsatisfiable", path: "", keyword, tool: "f" }),
    );
});

it("reports a fixed key order at the keyword that names the keys", () => {
  const parameters = { type: "object", required: ["a", "b", "c", "d"], additionalProperties: { type: "integer" } };
  expect(grammarOf("hermes", parameters).narrowed).toEqual([{ tool: "f", path: "", keyword: "required" }]);
});
