import { describe, expect, test } from "vitest";
import { createReplyParser, parseReply } from "../../full/index.js";
import { collectReply } from "../parse-reply.js";

type Format = "hermes" | "pythonic" | "tool-tags" | "qwen3-coder";

const reply: Readonly<Record<Format, (values: readonly string[]) => string>> = {
  hermes: ([value]) => `<tool_call>\n{"name": "save", "arguments": {"part": ${value}}}\n</tool_call>`,
  pythonic: ([value]) => `[save(part=${value})]`,
  "tool-tags": (values) => `<save>${values.map((value) => `<part>${value}</part>`).join("\n")}</save>`,
  "qwen3-coder": (values) => {
    const elements = values.map((value) => `<parameter=part>\n${value}\n</parameter>`);
    return `<tool_call>\n<function=save>\n${elements.join("\n")}\n</function>\n</tool_call>`;
  },
};

/** The argument `part` of each call, read at once and by the character. */
function parts(protocol: Format, schema: object, ...values: string[]): unknown[] {
  const tools = [{ name: "save", parameters: { type: "object", properties: { part: schema, more: {} } } }];
  const text = reply[protocol](values);
  const parser = createReplyParser({ protocol, tools });
  const streamed = collectReply([...[...text].flatMap((char) => parser.push(char)), ...parser.end()]);
  const whole = parseReply(text, { protocol, tools });
  expect(streamed.toolCalls.map((call) => call.arguments)).toEqual(whole.toolCalls.map((call) => call.arguments));
  return whole.toolCalls.map((call) => ("part" in call.arguments ? call.arguments.part : "absent"));
}

const string = { type: "string" };
const texts = { type: "array", items: string };
const numbers = { type: "array", items: { type: "integer" } };
const size = { type: "object", properties: { width: { type: "integer" }, bold: { type: "boolean" } } };
const needed = { ...size, required: ["width"], additionalProperties: false };
const block = { type: "object", properties: { kind: { enum: ["text", "image"] }, width: { type: "integer" } } };
const blocks = { type: "array", items: block };
const formats = ["hermes", "pythonic", "tool-tags", "qwen3-coder"] as const;

describe("a list or an object for a union with a string", () => {
  test.each(formats)("goes to the alternative of its kind, in any order, in %s", (protocol) => {
    for (const keyword of ["anyOf", "oneOf"]) {
      for (const order of [(list: unknown[]) => list, (list: unknown[]) => [...list].reverse()]) {
        const either = (other: object) => ({ [keyword]: order([string, other]) });
        expect(parts(protocol, either(size), '{"width": "4", "bold": "true"}')).toEqual([{ width: 4, bold: true }]);
        expect(parts(protocol, either(numbers), '["1", "2"]')).toEqual([[1, 2]]);
        expect(parts(protocol, either(texts), '["Ada", 5]')).toEqual([["Ada", "5"]]);
        expect(parts(protocol, either(blocks), '[{"kind": "Text", "width": "3"}]')).toEqual([
          [{ kind: "text", width: 3 }],
        ]);
        expect(parts(protocol, either(blocks), '{"kind": "text"}')).toEqual([[{ kind: "text" }]]);
      }
    }
  });

  test.each(formats)("is not read as text where that alternative does not match, in %s", (protocol) => {
    expect(parts(protocol, { anyOf: [string, size] }, '{"width": "wide"}')).toEqual([]);
    expect(parts(protocol, { anyOf: [string, needed] }, '{"width": 4, "tall": 1}')).toEqual([]);
    expect(parts(protocol, { anyOf: [string, needed] }, "{}")).toEqual([]);
  });

  test("is its JSON text where no alternative is of its kind, and the text itself in elements", () => {
    const either = { anyOf: [string, { type: "integer" }] };
    for (const protocol of ["hermes", "pythonic"] as const)
      expect(parts(protocol, either, '{"a": 1}')).toEqual(['{"a":1}']);
    for (const protocol of ["tool-tags", "qwen3-coder"] as const) {
      expect(parts(protocol, either, '{"a": 1}')).toEqual(['{"a": 1}']);
      expect(parts(protocol, either, "<b>bold</b>")).toEqual(["<b>bold</b>"]);
      expect(parts(protocol, { anyOf: [string, size] }, "{wide}")).toEqual(["{wide}"]);
    }
  });
});

const nullable = {
  anyOf: (schema: object) => ({ anyOf: [schema, { type: "null" }] }),
  oneOf: (schema: object) => ({ oneOf: [{ type: "null" }, schema], default: null }),
  type: (schema: { type?: string }) => ({ ...schema, type: [schema.type, "null"] }),
  nullable: (schema: object) => ({ ...schema, nullable: true }),
  allOf: (schema: object) => ({ anyOf: [{ allOf: [schema] }, { type: "null" }], description: "Optional." }),
};

describe.each(Object.entries(nullable))(
  "a type or null, written with %s, is read like the type in elements",
  (_, or) => {
    test("repeated elements are a list", () => {
      for (const protocol of ["tool-tags", "qwen3-coder"] as const) {
        expect(parts(protocol, or(texts), "Ada", "Bob")).toEqual([["Ada", "Bob"]]);
        expect(parts(protocol, or(numbers), "1", "2")).toEqual([[1, 2]]);
        expect(parts(protocol, or(texts), "Ada")).toEqual([["Ada"]]);
      }
    });

    test("elements inside are items, with the properties inside these", () => {
      expect(parts("tool-tags", or(texts), "<name>Ada</name><name>Bob</name>")).toEqual([["Ada", "Bob"]]);
      expect(parts("tool-tags", or(texts), "<name>Ada</name>")).toEqual([["Ada"]]);
      expect(
        parts("tool-tags", or(blocks), "<b><kind>text</kind><width>3</width></b><b><kind>image</kind></b>"),
      ).toEqual([[{ kind: "text", width: 3 }, { kind: "image" }]]);
      expect(parts("tool-tags", or(size), "<width>3</width><bold>yes</bold>")).toEqual([{ width: 3, bold: true }]);
    });

    test("text is itself, with its markup, digits and brackets", () => {
      for (const text of ["<b>bold</b>", "1.50", "True", '{"a": 1}'])
        for (const protocol of ["tool-tags", "qwen3-coder"] as const)
          expect(parts(protocol, or(string), text)).toEqual([text]);
    });

    test("null stays null", () => {
      for (const schema of [texts, numbers, size, string, { type: "integer" }]) {
        expect(parts("hermes", or(schema), "null")).toEqual([null]);
        for (const protocol of ["tool-tags", "qwen3-coder"] as const)
          for (const word of ["null", "None"]) expect(parts(protocol, or(schema), word)).toEqual([null]);
      }
      for (const schema of [texts, numbers, needed]) expect(parts("tool-tags", or(schema), "")).toEqual([null]);
      for (const word of ['""', '"null"', '"None"']) expect(parts("hermes", or(numbers), word)).toEqual([null]);
    });

    test("JSON streams part by part", () => {
      expect(parts("hermes", or(blocks), '[{"kind": "text", "width": "3"}]')).toEqual([[{ kind: "text", width: 3 }]]);
    });
  },
);

test("repeated elements for a string or a list are a list, unless they are equal", () => {
  for (const schema of [{ oneOf: [string, texts] }, { type: ["string", "array"], items: string }]) {
    for (const protocol of ["tool-tags", "qwen3-coder"] as const) {
      expect(parts(protocol, schema, "Ada", "Bob")).toEqual([["Ada", "Bob"]]);
      expect(parts(protocol, schema, "Ada", "Ada")).toEqual(["Ada"]);
      expect(parts(protocol, schema, "Ada")).toEqual(["Ada"]);
      expect(parts(protocol, schema, "Ada", '["Bob"]')).toEqual([]);
    }
  }
  expect(parts("tool-tags", { oneOf: [string, numbers] }, "Ada", "Bob")).toEqual([]);
  expect(parts("tool-tags", { anyOf: [string, { type: "integer" }] }, "Ada", "5")).toEqual([]);
});

test("an object is neither a list of strings nor its item", () => {
  for (const protocol of formats) {
    expect(parts(protocol, texts, '{"name": ["Ada", "Bob"]}')).toEqual([]);
    expect(parts(protocol, texts, '[{"name": "Ada"}]')).toEqual([]);
  }
  expect(parts("hermes", string, '{"name": "Ada"}')).toEqual(['{"name":"Ada"}']);
  // A key of digits is no place in a list.
  const years = { type: "object", properties: { 2024: string }, additionalProperties: string };
  expect(parts("hermes", years, '{"2024": {"a": 1}, "1": {"b": 2}}')).toEqual([{ 2024: '{"a":1}', 1: '{"b":2}' }]);
});
