import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseReply } from "../full/index.js";
import type { JsonSchema } from "../types.js";
import { closesRecord, withoutFrameworkKeywords } from "./framework-keywords.js";
import { normalizeTools } from "./normalize-tools.js";

const record = { type: "object", propertyNames: { type: "string" }, additionalProperties: false };

describe("additionalProperties: false next to an object that declares no property", () => {
  it("removes no keys of a record", () => {
    const tools = normalizeTools([
      { name: "set", parameters: { type: "object", properties: { values: record }, additionalProperties: false } },
      { name: "put", parameters: record },
    ]);
    const read = (name: string, args: object) =>
      parseReply(`<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`, { tools, protocol: "hermes" });
    for (const [name, args] of [
      ["set", { values: { a: "1", b: { c: 2 } } }],
      ["put", { a: "1" }],
    ] as const) {
      expect(read(name, args)).toMatchObject({ toolCalls: [{ name, arguments: args }], invalidToolCalls: [] });
    }
    const stray = read("set", { values: { a: 1 }, other: 2 });
    expect(stray.toolCalls).toMatchObject([{ arguments: { values: { a: 1 } } }]);
    expect(stray.toolCalls[0]?.arguments).not.toHaveProperty("other");
  });

  it("is kept if the object is declared empty, or its keys are declared elsewhere", () => {
    for (const beside of [
      { properties: {} },
      { patternProperties: { x: {} } },
      { $ref: "#/$defs/a" },
      { allOf: [{}] },
    ]) {
      expect(closesRecord({ additionalProperties: false, ...beside })).toBe(false);
    }
    const none = { type: "object", properties: {}, additionalProperties: false };
    const data = {
      type: "object",
      properties: { a: { default: record, enum: [record] }, default: { type: "string" } },
    };
    for (const schema of [none, data, true]) expect(withoutFrameworkKeywords(schema as JsonSchema)).toBe(schema);
  });

  it("is opened in recursive schemas, whose other parts are unchanged", () => {
    const node: Record<string, unknown> = {
      type: "object",
      properties: { data: record, __proto__x: { type: "null" } },
    };
    (node.properties as Record<string, unknown>).next = node;
    const open = withoutFrameworkKeywords(node) as typeof node;
    const properties = open.properties as Record<string, unknown>;
    expect(properties.next).toBe(open);
    expect(properties.data).toEqual({ type: "object", propertyNames: { type: "string" } });
    expect(withoutFrameworkKeywords(node)).toBe(open);
    fc.assert(
      fc.property(fc.object(), (parts) => {
        const schema = { type: "object", properties: { record, parts: { type: "object", properties: parts } } };
        const { record: _, ...rest } = (withoutFrameworkKeywords(schema as JsonSchema) as typeof schema).properties;
        expect(JSON.stringify(rest).replaceAll('"additionalProperties":false', "")).toBe(
          JSON.stringify({ parts: schema.properties.parts }).replaceAll('"additionalProperties":false', ""),
        );
      }),
    );
  });
});

describe("the range of safe integers", () => {
  const schema = z.object({ n: z.int(), small: z.int().min(3), maximum: z.string() });

  it("is not shown to the model, whether zod writes it or a framework did", () => {
    for (const parameters of [schema, z.toJSONSchema(schema, { io: "input" })]) {
      const [tool] = normalizeTools([{ name: "set", parameters }]);
      expect(tool?.parameters).toMatchObject({
        properties: { n: { type: "integer" }, small: { minimum: 3 }, maximum: { type: "string" } },
      });
      expect(JSON.stringify(tool)).not.toContain("9007199254740991");
    }
  });

  it("is kept in data and in names", () => {
    const data = { default: { maximum: Number.MAX_SAFE_INTEGER }, properties: { maximum: { minimum: -1 } } };
    expect(withoutFrameworkKeywords(data)).toBe(data);
  });
});

it("the pattern that zod writes beside the format of a date is left out, and dates are checked as before", () => {
  const parameters = z.object({ day: z.iso.date(), code: z.string().regex(/^\d+$/), at: z.iso.datetime() });
  const [tool] = normalizeTools([{ name: "book", parameters }]);
  const { day, code, at } = Object(Object(tool?.parameters).properties);
  expect(day).toEqual({ type: "string", format: "date" });
  expect([Object.keys(code), Object.keys(at)]).toEqual([
    ["type", "pattern"],
    ["type", "format", "pattern"],
  ]);
  const calls = (date: string) =>
    parseReply(
      `<tool_call>${JSON.stringify({ name: "book", arguments: { day: date, code: "1", at: "2024-01-01T00:00:00Z" } })}</tool_call>`,
      { tools: tool && [tool], protocol: "hermes" },
    ).toolCalls.length;
  expect(["2024-02-29", "2023-02-29", "2024-13-01", "tomorrow", "2024-01-31"].map(calls)).toEqual([1, 0, 0, 0, 1]);
});
