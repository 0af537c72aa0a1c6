import { describe, expect, test } from "vitest";
import { parseReply } from "../../full/index.js";

const fit = (schema: object, value: unknown) => {
  const tools = [{ name: "f", parameters: { type: "object", properties: { x: schema } } }];
  const text = `<tool_call>\n${JSON.stringify({ name: "f", arguments: { x: value } })}\n</tool_call>`;
  const { toolCalls, invalidToolCalls } = parseReply(text, { tools, protocol: "hermes" });
  return toolCalls[0]?.arguments.x ?? invalidToolCalls[0]?.error.code;
};

describe("coercion to the schema", () => {
  test("keys that the schema leaves open are not read as declared ones, unless one of these is required", () => {
    const properties = { user_id: { type: "integer" } };
    const open = { type: "object", properties, additionalProperties: true };
    expect(fit(open, { userId: "u1" })).toEqual({ userId: "u1" });
    expect(fit({ type: "object", properties, minProperties: 2 }, { userId: 1, more: 2 })).toEqual({
      userId: 1,
      more: 2,
    });
    const needed = { ...open, required: ["user_id"] };
    expect(fit(needed, { userId: "7" })).toEqual({ user_id: 7 });
    expect(fit({ type: "object", properties }, { userId: "7" })).toEqual({ user_id: 7 });
  });

  test("two spellings of one key make no call, unless their values are the same or the schema leaves other keys open", () => {
    const properties = { user_id: { type: "integer" } };
    const keys = { user_id: 7, userId: 8 };
    const closed = { type: "object", properties, additionalProperties: false };
    for (const schema of [{ type: "object", properties }, closed]) {
      expect(fit(schema, keys)).toBe("invalid-arguments");
      expect(fit(schema, { userId: 8, user_id: 7 })).toBe("invalid-arguments");
      expect(fit(schema, { user_id: 7, userId: "7" })).toEqual({ user_id: 7 });
    }
    const open = { type: "object", properties, additionalProperties: true };
    expect(fit(open, keys)).toEqual(keys);
    expect(fit({ ...open, required: ["user_id"] }, keys)).toBe("invalid-arguments");
  });

  test.each([
    ["numbers", [1, 2]],
    ["texts", ["a", "b"]],
    ["an object", { item: [1, 2] }],
  ])("%s in place of lists in a list make no call", (_, value) => {
    const rows = { type: "array", items: { type: "array", items: {} } };
    expect(fit(rows, value)).toBe("invalid-arguments");
    expect(fit({ anyOf: [rows, { type: "null" }] }, value)).toBe("invalid-arguments");
  });

  test("the error names a value as it was written", () => {
    const list = { type: "array", items: { type: "string" } };
    const tools = [{ name: "f", parameters: { type: "object", properties: { x: list } } }];
    const { invalidToolCalls } = parseReply('<tool_call>{"name": "f", "arguments": {"x": {"a": ["b"]}}}</tool_call>', {
      tools,
    });
    expect(invalidToolCalls[0]?.error.message).toContain('/x expected array of string, got object with keys "a"');
  });

  test("lists in a list may be text", () => {
    const rows = { type: "array", items: { type: "array", items: { type: "integer" } } };
    expect(fit(rows, ["[1, 2]", "3, 4"])).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test.each([
    ["a list", ["a", "b"]],
    ["a list of a number", [1]],
    ["an empty list", []],
    ["a list with an object", ["a", { b: 1 }]],
    ["a list of one text", ["a"]],
    ["an object with the argument's own name", { x: "a" }],
    ["a schema", { type: "string" }],
    ["a schema with more", { type: "string", description: "a" }],
  ])("%s in place of a text makes no call", (_, value) => {
    for (const schema of [
      { type: "string" },
      { type: ["string", "null"] },
      { anyOf: [{ type: "string" }, { type: "null" }] },
    ])
      expect(fit(schema, value)).toBe("invalid-arguments");
  });

  test.each([
    ["an object", { a: 1 }, '{"a":1}'],
    ["objects in a list", [{ a: 1 }], '[{"a":1}]'],
    ["the schema of something else", { type: "object", properties: {} }, '{"type":"object","properties":{}}'],
  ])("a text may be %s", (_, value, text) => {
    expect(fit({ type: "string" }, value)).toBe(text);
  });

  test.each([
    ["0.5 1 2", [0.5, 1, 2]],
    ["1, 2", [1, 2]],
    ["1\n2", [1, 2]],
    ["1 250", "invalid-arguments"],
    ["1 000 2 000", "invalid-arguments"],
    ["10 000 25", "invalid-arguments"],
    ["1 2 x", "invalid-arguments"],
  ])("numbers in a text are the items of a list where each can only be one: %j", (text, list) => {
    expect(fit({ type: "array", items: { type: "number" } }, text)).toEqual(list);
  });

  test("required keys are themselves, declared or not", () => {
    const schema = { type: "object", properties: { "a-b": { type: "string" } }, required: ["a_b", "a-b"] };
    expect(fit(schema, { a_b: 1, "a-b": "x" })).toEqual({ a_b: 1, "a-b": "x" });
  });

  test("null is kept if a schema without a type allows it", () => {
    const schema = { properties: { x: { properties: { y: {} }, nullable: true } } };
    expect(fit(schema, { x: null })).toEqual({ x: null });
  });

  test("a listed object is matched with its keys in any order", () => {
    expect(fit({ anyOf: [{ type: "array" }, { enum: [{ a: 1, b: 2 }] }] }, { b: 2, a: 1 })).toEqual({ a: 1, b: 2 });
  });

  test("keywords next to a reference count from draft 2019-09 on", () => {
    const list = { type: "array", items: { type: "integer" } };
    const parametersOf = ($schema: string) => ({
      $schema,
      type: "object",
      properties: { x: { $ref: "#/definitions/list", type: "object" } },
      definitions: { list },
    });
    const text = '<tool_call>{"name": "f", "arguments": {"x": "[1, 2]"}}</tool_call>';
    const read = ($schema: string) =>
      parseReply(text, { tools: [{ name: "f", parameters: parametersOf($schema) }], protocol: "hermes" }).toolCalls;
    expect(read("http://json-schema.org/draft-07/schema#")[0]?.arguments).toEqual({ x: [1, 2] });
    expect(read("https://json-schema.org/draft/2020-12/schema")).toEqual([]);
  });

  test("references within a part that has an id are resolved in that part", () => {
    const parameters = {
      type: "object",
      properties: {
        own: { $id: "https://x.y/part", items: { $ref: "#/$defs/d" }, $defs: { d: { type: "integer" } } },
        name: { $ref: "#/$defs/d" },
      },
      $defs: { d: { type: "string" } },
    };
    const text = '<tool_call>{"name": "f", "arguments": {"own": ["1", 2], "name": 3}}</tool_call>';
    const { toolCalls } = parseReply(text, { tools: [{ name: "f", parameters }], protocol: "hermes" });
    expect(toolCalls[0]?.arguments).toEqual({ own: [1, 2], name: "3" });
  });

  test("arguments are an object, even if their schema allows lists", () => {
    const tools = [{ name: "f", parameters: { items: { type: "string" }, maxContains: 2 } }];
    const { toolCalls } = parseReply('<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>', {
      tools,
      protocol: "hermes",
    });
    expect(toolCalls.map((call) => call.arguments)).toEqual([{ a: 1 }]);
  });

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
  ])("text with commas is a list if no item can contain a comma: %j %s", (schema, value, wanted) => {
    expect(fit({ type: "array", ...schema }, value)).toEqual(wanted);
  });

  test("broken markup of a list is no item of it", () => {
    const texts = { type: "array", items: { type: "string" } };
    for (const after of ["", " I do", '"', "</x>", "</item>", "\n```"]) {
      const [one, two] = ["<item>a</item>", "<item>b</item>"];
      const isWhole = after === "";
      expect(fit(texts, one + two + after)).toEqual(isWhole ? ["a", "b"] : "invalid-arguments");
      if (!isWhole) expect(fit(texts, one + after)).toBe("invalid-arguments");
    }
    for (const text of ["a < b", "<b", "see <b>"]) expect(fit(texts, text)).toEqual([text]);
  });

  test("text with a separator is one text or several, and so no list of texts", () => {
    const texts = { type: "array", items: { type: "string" } };
    for (const value of ["ann@x.org, bo@x.org", "red;green", "red\ngreen"])
      expect(fit(texts, value)).toBe("invalid-arguments");
    for (const value of ["red", "red green", "red,", "\nred\n"]) expect(fit(texts, value)).toEqual([value]);
  });

  test.each([
    [["OBJECT", "INTEGER", "ARRAY", "STRING"]],
    [["Object", "Integer", "Array", "String"]],
    [["dict", "int", "list", "text"]],
    [["dict", "long", "tuple", "str"]],
  ])("types may have the names of other languages and APIs: %j", ([object, integer, array, string]) => {
    const properties = { n: { type: integer }, l: { type: array, items: { type: integer } }, s: { type: string } };
    const given = { n: "3", l: "[1, 2]", s: 12 };
    expect(fit({ type: object, properties }, given)).toEqual({ n: 3, l: [1, 2], s: "12" });
  });

  test.each(["#/$defs/a%20b", "#count", "https://x.y/count", "https://x.y/tool#/$defs/a%20b"])(
    "follows the reference %s",
    ($ref) => {
      const integer = { type: "integer" };
      const $defs = { "a b": { $id: "https://x.y/count", ...integer }, named: { $anchor: "count", ...integer } };
      const parameters = { $id: "https://x.y/tool", type: "object", properties: { n: { $ref } }, $defs };
      const text = '<tool_call>{"name": "f", "arguments": {"n": "3"}}</tool_call>';
      const { toolCalls } = parseReply(text, { tools: [{ name: "f", parameters }], protocol: "hermes" });
      expect(toolCalls).toMatchObject([{ arguments: { n: 3 } }]);
    },
  );
});

describe("a word for nothing in place of an optional argument", () => {
  const argumentsFor = (schema: object, value: unknown, required: string[] = []) => {
    const tools = [{ name: "f", parameters: { type: "object", properties: { x: schema, y: {} }, required } }];
    const text = `<tool_call>\n${JSON.stringify({ name: "f", arguments: { y: 1, x: value } })}\n</tool_call>`;
    return parseReply(text, { tools, protocol: "hermes" }).toolCalls[0]?.arguments;
  };
  const texts = { type: "array", items: { type: "string" } };

  test.each(["None", "null", "none", "NULL", "", " "])("%j means that it is absent", (word) => {
    const lists = [texts, { type: "array", items: { type: "integer" } }];
    for (const schema of ["integer", "number", "boolean", "object"].map((type): object => ({ type })).concat(lists)) {
      expect(argumentsFor(schema, word)).toEqual({ y: 1 });
      expect(argumentsFor(schema, word, ["x"])).toBeUndefined();
    }
  });

  test("of listed values, only null, None and an empty text mean that they are absent: others may be a choice that the tool lacks", () => {
    const list = { type: "array", items: { enum: ["a", "b"] } };
    for (const schema of [{ enum: ["a", "b"] }, list, { type: "integer", enum: [1, 2] }]) {
      for (const word of ["none", "NULL", "n/a"]) expect(argumentsFor(schema, word)).toBeUndefined();
      for (const word of ["None", "null", ""]) {
        expect(argumentsFor(schema, word)).toEqual({ y: 1 });
        expect(argumentsFor(schema, word, ["x"])).toBeUndefined();
      }
    }
    expect(argumentsFor({ enum: ["none", "all"] }, "null")).toEqual({ y: 1 });
  });

  test("except where it is a value", () => {
    expect(argumentsFor({ enum: ["a", ""] }, "")).toEqual({ y: 1, x: "" });
    expect(argumentsFor({ const: "null" }, "null")).toEqual({ y: 1, x: "null" });
    expect(argumentsFor({ type: "string" }, "None")).toEqual({ y: 1, x: "None" });
    expect(argumentsFor({ type: ["integer", "string"] }, "None")).toEqual({ y: 1, x: "None" });
    expect(argumentsFor({ type: ["integer", "null"] }, "None")).toEqual({ y: 1, x: null });
    expect(argumentsFor({ enum: ["none", "all"] }, "None")).toEqual({ y: 1, x: "none" });
    expect(argumentsFor({ type: "array", items: { enum: ["none", "all"] } }, "none")).toEqual({ y: 1, x: ["none"] });
  });
});

describe("the separators of a number", () => {
  test.each([
    ["2,480.75", 2480.75],
    ["3,200,000", 3_200_000],
    ["-1,234,567.5", -1_234_567.5],
    ["64_000", 64_000],
    ["1.234,56", 1234.56],
  ])("%s", (text, number) => {
    expect(fit({ type: "number" }, text)).toBe(number);
    expect(fit({ type: "string" }, text)).toBe(text);
    expect(
      parseReply(`<tool_call>{"name": "f", "arguments": {"x": 64_000}}</tool_call>`, {
        tools: [{ name: "f", parameters: { properties: { x: { type: "integer" } } } }],
      }).toolCalls,
    ).toMatchObject([{ arguments: { x: 64_000 } }]);
  });

  test.each(["2,480", "2 480", "1.250.000", "0.000,5", "1.23,56", "12,34.5", "1,2,3", "1__0", "_1", "1_", "1,234,56"])(
    "%s has two meanings or none",
    (text) => {
      expect(fit({ type: "number" }, text)).toBe("invalid-arguments");
    },
  );

  test("1.000 is one or a thousand in place of an integer", () => {
    expect(fit({ type: "integer" }, "1.000")).toBe("invalid-arguments");
    expect(fit({ type: "integer" }, "1.0")).toBe(1);
    expect(fit({ type: "number" }, "1.000")).toBe(1);
  });

  test.each(["1,000", "1,250", "100,200,300", "1,000, 2,500", "1,250, 2,500", "1,250\n2,500", "1.5, 2,5"])(
    "%s may be one number or several in a list",
    (text) => {
      expect(fit({ type: "array", items: { type: "number" } }, text)).toBe("invalid-arguments");
    },
  );

  test.each([
    ["1,2", [1, 2]],
    ["100, 200", [100, 200]],
    ["1000,200", [1000, 200]],
  ])("%s are several in a list", (text, numbers) => {
    expect(fit({ type: "array", items: { type: "integer" } }, text)).toEqual(numbers);
    expect(fit({ type: "array", items: { type: "number" } }, text)).toEqual(
      /^\d+,\d+$/.test(text) ? "invalid-arguments" : numbers,
    );
  });

  test.each([
    ["Dark-Blue", "dark blue"],
    [" dark_blue ", "dark blue"],
    ["-dark blue", "invalid-arguments"],
    ["dark blue-", "invalid-arguments"],
  ])("%j is one of listed values: %j", (value, wanted) =>
    expect(fit({ enum: ["dark blue", "red"] }, value)).toBe(wanted),
  );

  describe("an object in the place of a list", () => {
    const list = (items: object) => ({ type: "array", items });
    const named = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

    test.each([
      ["numbered items", list({ type: "integer" }), { 0: 1, 1: "5" }, [1, 5]],
      ["a list under its only key", list({ type: "string" }), { item: ["a", "b"] }, ["a", "b"]],
      ["the same as text", list({ type: "string" }), '{"values": ["a", "b"]}', ["a", "b"]],
      ["objects under one key", list(named), { items: [{ name: "A" }, { name: "B" }] }, [{ name: "A" }, { name: "B" }]],
      ["numbered objects", list(named), { 0: { name: "A" } }, [{ name: "A" }]],
      ["a list under the argument's name", list({ type: "string" }), { x: ["a"] }, ["a"]],
      ["a tuple", { type: "array", prefixItems: [{ type: "number" }, { type: "number" }] }, { 0: 1, 1: 5 }, [1, 5]],
    ])("has its items: %s", (_, schema, value, items) => expect(fit(schema, value)).toEqual(items));

    test.each([
      ["a number is missing", list({ type: "integer" }), { 0: 1, 2: 5 }],
      ["two keys", list({ type: "string" }), { item: ["a"], items: ["b"] }],
      ["a key that may say what the list is of", list({ type: "string" }), { color: ["red"] }],
      ["one key without a list", list({ type: "string" }), { item: "a" }],
      ["items that do not match", list({ type: "integer" }), { item: ["a"] }],
    ])("is wrong: %s", (_, schema, value) => expect(fit(schema, value)).toBe("invalid-arguments"));

    test("is an item where the schema allows it", () => {
      const open = list({ type: "object", properties: { name: { type: "string" } } });
      expect(fit(open, { 0: { name: "A" } })).toEqual([{ 0: { name: "A" } }]);
      expect(fit(list({}), { item: ["a"] })).toEqual([{ item: ["a"] }]);
      expect(fit(list(named), { name: "A" })).toEqual([{ name: "A" }]);
    });
  });

  test.each([
    ["hermes", '<tool_call>{"name": "f", "arguments": {"x": [1,000, 2,500]}}</tool_call>', undefined],
    ["pythonic", "[f(x=[1,000])]", undefined],
    ["hermes", '<tool_call>{"name": "f", "arguments": {"x": [1, 250]}}</tool_call>', [1, 250]],
    ["hermes", '<tool_call>{"name": "f", "arguments": {"x": [1, 05]}}</tool_call>', [1, 5]],
    ["hermes", '<tool_call>{"name": "f", "arguments": {"y": 1, "x": [007]}}</tool_call>', [7]],
  ] as const)("in JSON and Python: %s %s", (protocol, reply, x) => {
    const numbers = { type: "array", items: { type: "number" } };
    const tools = [{ name: "f", parameters: { properties: { x: numbers } } }];
    expect(parseReply(reply, { protocol, tools }).toolCalls[0]?.arguments.x).toEqual(x);
  });
});
