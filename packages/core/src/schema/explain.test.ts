import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { json, schemaAndValue } from "../../test/support/arbitrary-schema.js";
import type { JsonSchema } from "../types.js";
import { explainInvalidArguments, explainMalformed, explainTruncated, explainUnknownTool } from "./explain.js";
import { validateJson } from "./validate.js";

const explain = (name: string, args: unknown, schema: JsonSchema) =>
  explainInvalidArguments({ name, arguments: args, issues: validateJson(args, schema), schema });

describe("explainInvalidArguments", () => {
  const schema = {
    type: "object",
    properties: {
      city: { type: "string" },
      days: { type: "integer", minimum: 1 },
      at: { type: "object", properties: { zone: { type: "string" } }, required: ["zone"] },
    },
    required: ["city", "days"],
  };

  it("prints the arguments again, with a comment on each wrong line", () => {
    const { code, message, feedback } = explain("forecast", { days: "soon", at: { zne: "UTC" }, note: "x" }, schema);
    expect(code).toBe("invalid-arguments");
    expect(message).toBe('Invalid arguments for "forecast": /city is missing; expected string (and 2 more)');
    expect(feedback).toBe(
      [
        'The call to "forecast" was not run: its arguments do not match the tool\'s schema.',
        "",
        "{",
        '  "days": "soon",  // ← expected integer of at least 1, got string "soon"',
        '  "at": {',
        '    "zne": "UTC"',
        '    // ← "zone" is missing; expected string',
        "  },",
        '  "note": "x"',
        '  // ← "city" is missing; expected string',
        "}",
        "",
        "The schema says:",
        'city: {"type":"string"}',
        'days: {"type":"integer","minimum":1}',
        'at/zone: {"type":"string"}',
        "",
        'Call "forecast" again with every argument as the schema says; keep the arguments that were right.',
      ].join("\n"),
    );
  });

  it("reports that the arguments are not an object", () => {
    expect(explain("forecast", [1], schema).feedback).toContain("[1]  // ← expected object, got array [1]");
  });

  it("truncates long text, without splitting a character", () => {
    const { feedback } = explain("forecast", { city: "😀".repeat(5000), days: "9".repeat(5000) }, schema);
    expect(feedback.length).toBeLessThan(1200);
    expect(feedback).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });

  it("stays short and does not throw for any arguments", () => {
    const weird = fc.oneof(
      json,
      fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withMap: true }),
    );
    fc.assert(
      fc.property(schemaAndValue, weird, fc.string(), ({ schema }, args, name) => {
        const { message, feedback } = explain(name, args, schema);
        expect(feedback.length).toBeLessThan(2_100);
        expect(message.length).toBeLessThan(500);
      }),
    );
  });

  it("stays short for many issues, long keys and deep nesting", () => {
    const long = "k".repeat(3_000);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${i}${long}`, long]));
    let deep: unknown = long;
    for (let i = 0; i < 500; i++) deep = { next: deep };
    const closed = { type: "object", properties: {}, additionalProperties: false };
    const recursive = { type: ["object"], properties: { next: { $ref: "#" } } };
    for (const { feedback } of [
      explain(long, many, closed),
      explain("deep", deep, recursive),
      explain("list", [many], { items: closed }),
    ]) {
      expect(feedback.length).toBeLessThan(2_100);
      expect(feedback).toContain("Call ");
    }
  });
});

describe("explainUnknownTool", () => {
  const tools = ["get_weather", "add", "search_web"].map((name) => ({ name }));

  it("names the tools, the nearest first, and suggests a near miss", () => {
    const { code, message, feedback } = explainUnknownTool("get_wether", tools);
    expect(code).toBe("unknown-tool");
    expect(message).toBe('There is no tool named "get_wether". Did you mean "get_weather"?');
    expect(feedback).toContain('The tools are: "get_weather", ');
  });

  it("suggests nothing if no name is near", () => {
    expect(explainUnknownTool("launch_rocket", tools).message).toBe('There is no tool named "launch_rocket".');
  });

  it("reports that there are no tools", () => {
    expect(explainUnknownTool("add", []).feedback).toContain("There are no tools");
  });

  it("stays short for any name and any number of tools", () => {
    const many = Array.from({ length: 1_000 }, (_, i) => ({ name: `tool_${i}_${"x".repeat(200)}` }));
    const { feedback } = explainUnknownTool("y".repeat(1_000_000), many);
    expect(feedback.length).toBeLessThan(2_100);
    expect(feedback).toContain("and 980 more");
  });
});

describe("explainMalformed and explainTruncated", () => {
  it("show the written text", () => {
    expect(explainMalformed({ raw: "<tool_call>{oops", reason: "the text after <tool_call> is not JSON" })).toEqual({
      code: "malformed",
      message: "The call could not be read: the text after <tool_call> is not JSON.",
      feedback: `The call could not be read: the text after <tool_call> is not JSON. It was not run.\n\nYou wrote:\n<tool_call>{oops\n\nWrite the call again, exactly in the format.`,
    });
    expect(explainTruncated({ raw: '<tool_call>{"name": "add"', name: "add" })).toMatchObject({
      code: "truncated",
      message: 'The call to "add" was cut off before it was complete.',
    });
  });

  it("stay short for any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 5_000 }),
        fc.string({ unit: "binary", maxLength: 3_000 }),
        (raw, other) => {
          for (const { feedback } of [
            explainMalformed({ raw: raw.repeat(5), reason: other }),
            explainTruncated({ raw: raw.repeat(5), name: other }),
          ]) {
            expect(feedback.length).toBeLessThan(2_100);
          }
        },
      ),
    );
  });
});
