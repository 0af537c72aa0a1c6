import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ToolDefinitionError } from "./errors.js";
import { normalizeTools } from "./normalize-tools.js";
import type { ToolInput } from "./tool-shapes.js";

const failure = (...tools: ToolInput[]) => {
  try {
    normalizeTools(tools);
  } catch (error) {
    expect(error).toBeInstanceOf(ToolDefinitionError);
    const { code, tool, message } = error as ToolDefinitionError;
    return { code, tool, message };
  }
  return undefined;
};

describe("normalizeTools", () => {
  it("returns definitions with JSON Schema, whatever the parameters were written in", () => {
    const parameters = { type: "object", properties: {} };
    expect(
      normalizeTools([
        { name: "now" },
        { name: "add", description: "Adds", parameters: z.object({ a: z.number() }) },
        { name: "plain", parameters },
        { name: "any", parameters: true },
      ]),
    ).toEqual([
      { name: "now", parameters: { type: "object", properties: {} } },
      {
        name: "add",
        description: "Adds",
        parameters: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
      },
      { name: "plain", parameters },
      { name: "any", parameters: { type: "object", properties: {} } },
    ]);
    expect(normalizeTools([{ name: "plain", parameters }])[0]?.parameters).toBe(parameters);
  });

  it("requires names that are present and unique", () => {
    expect(failure({ name: "a" }, { name: " " })).toMatchObject({ code: "missing-name", tool: "#2" });
    expect(failure({ name: "a" }, { name: "a" })).toMatchObject({ code: "duplicate-name", tool: "a" });
  });

  it("refuses a schema under a misspelt key", () => {
    const schema = { type: "object", properties: { city: { type: "string" } } };
    const found = (key: string, value: unknown = schema) => failure({ name: "a", [key]: value } as ToolInput)?.message;
    for (const key of ["paramters", "Parameters", "params", "args", "arguments", "input"])
      expect(found(key)).toBe(`Tool "a" has a schema under "${key}". Did you mean "parameters"?`);
    expect(found("inputschema")).toContain('Did you mean "inputSchema"?');
    expect(found("paramters", {})).toContain('"paramters"');
    expect(found("paramters", z.object({}))).toContain('"paramters"');
    for (const key of ["outputSchema", "annotations", "metadata", "execute"]) expect(found(key)).toBeUndefined();
    expect(found("params", { retries: 2 })).toBeUndefined();
  });

  it("requires parameters that an object can match", () => {
    for (const parameters of [
      { type: "string" },
      false,
      { anyOf: [{ type: "string" }, { type: "null" }] },
      { $ref: "#/$defs/a", $defs: { a: { type: "array" } } },
      z.string(),
    ]) {
      expect(failure({ name: "a", parameters })).toMatchObject({ code: "parameters-not-object", tool: "a" });
    }
    for (const parameters of [
      {},
      { type: ["object", "null"] },
      { anyOf: [{ type: "string" }, { type: "object" }] },
      { allOf: [{}] },
    ]) {
      expect(failure({ name: "a", parameters })).toBeUndefined();
    }
  });

  it("reports parts of a schema that cannot be checked, as an error or to the caller", () => {
    const broken = {
      name: "a",
      parameters: { type: "object", properties: { x: { $ref: "#/nowhere" }, y: { pattern: "(" } } },
    };
    expect(failure(broken)).toMatchObject({
      code: "invalid-schema",
      tool: "a",
      message: expect.stringContaining(
        '/properties/x $ref leads nowhere: "#/nowhere"; /properties/y pattern should be',
      ),
    });
    const problems: string[] = [];
    const tools = normalizeTools([broken], {
      onProblem: (tool, { path, keyword }) => problems.push(`${tool} ${path} ${keyword}`),
    });
    expect(tools).toHaveLength(1);
    expect(problems).toEqual(["a /properties/x $ref", "a /properties/y pattern"]);
  });

  it("names the tool whose parameters are not a schema", () => {
    expect(failure({ name: "a", parameters: "object" })).toMatchObject({ code: "invalid-schema", tool: "a" });
  });
});
