import { describe, expect, it, test } from "vitest";
import { hermes } from "../protocols/hermes.js";
import { protocols } from "../protocols/index.js";
import { ToolDefinitionError } from "../schema/errors.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import { createEscaper } from "./escape.js";
import { escapeDefinition } from "./escape-definition.js";

const escaper = createEscaper([hermes]);
const marker = "<tool_call>";
const escaped = escaper.escape(marker);

describe("escapeDefinition", () => {
  it("escapes every text at any depth, without changing the tool", () => {
    const parameters = (said: string) =>
      JSON.parse(
        `{ "type": "object", "title": "${said}", "$comment": "${said}", "x-note": { "${said}": ["${said}"] }, "properties": {
             "__proto__": { "description": "${said}", "default": "${said}" },
             "default": { "examples": ["${said}", { "${said}": 1 }], "pattern": "${said}", "format": "${said}" },
             "description": { "anyOf": [{ "enum": ["a", 1] }, { "type": "string", "description": "${said}" }] } } }`,
      );
    const tool: ToolDefinition = { name: "find", description: marker, parameters: parameters(marker) };
    const before = structuredClone(tool);
    expect(JSON.stringify(escapeDefinition(tool, escaper))).toBe(
      JSON.stringify({ name: "find", description: escaped, parameters: parameters(escaped) }),
    );
    expect(tool).toEqual(before);
  });

  it("shares parts that need no escaping", () => {
    const parameters: JsonSchema = {
      type: "object",
      properties: { a: { enum: ["x"], default: "x", examples: [{ a: ["b"] }] } },
      required: ["a"],
    };
    expect(escapeDefinition({ name: "find", description: "Finds", parameters }, escaper).parameters).toBe(parameters);
  });

  const property = (schema: JsonSchema): JsonSchema => ({ type: "object", properties: { a: schema } });
  test.each<[string, ToolDefinition]>([
    ["/name", { name: "</tools>" }],
    ["/parameters/properties/<|im_end|>", { name: "f", parameters: { properties: { "<|im_end|>": {} } } }],
    ["/parameters/properties/a/enum", { name: "f", parameters: property({ enum: ["ok", marker] }) }],
    ["/parameters/properties/a/const", { name: "f", parameters: property({ const: { x: marker } }) }],
    ["/parameters/required", { name: "f", parameters: { required: ["[INST]"] } }],
    ["/parameters/$defs/<~1tools>", { name: "f", parameters: { $defs: { "</tools>": {} } } }],
  ])("refuses a marker at %s, which must stay exact", (path, tool) => {
    const refused = () => escapeDefinition(tool, escaper);
    expect(refused).toThrow(ToolDefinitionError);
    expect(refused).toThrow(`${JSON.stringify(tool.name)} has a`);
    expect(refused).toThrow(`at ${path}.`);
  });

  it("accepts a value that is only a word or character of a format", () => {
    const values = ["@daily", "Action: Comedy", "Observation:", ">>>", ">>", "<", "<b>", "Answer:", "[x]", "functools"];
    const tool: ToolDefinition = { name: "f", parameters: property({ enum: values }) };
    expect(escapeDefinition(tool, createEscaper(Object.values(protocols), { tools: ["f"] })).parameters).toBe(
      tool.parameters,
    );
  });
});
