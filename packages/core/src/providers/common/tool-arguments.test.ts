import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../types.js";
import { ProviderFormatError, parseToolCallArguments, ToolArgumentsError, validateArguments } from "../index.js";

const add = {
  name: "add",
  parameters: {
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "array", items: { type: "string" } } },
    required: ["a"],
  },
};

function errorOf(run: () => unknown): ToolArgumentsError {
  try {
    run();
  } catch (error) {
    if (error instanceof ToolArgumentsError) return error;
  }
  throw new Error("There was no error.");
}

describe("parseToolCallArguments", () => {
  it("reads OpenAI's text, and lists the repairs", () => {
    expect(parseToolCallArguments(add, '{"a": 1}', "openai")).toEqual({ arguments: { a: 1 }, repairs: [] });
    expect(parseToolCallArguments(add, "{a: '1'}", "openai-responses")).toEqual({
      arguments: { a: 1 },
      repairs: [{ code: "json" }, { code: "to-number", path: "/a" }],
    });
    expect(parseToolCallArguments({ name: "now" }, "", "openai").arguments).toEqual({});
  });

  it("reads the objects of Anthropic and Gemini", () => {
    expect(parseToolCallArguments(add, { a: 1 }, "anthropic").arguments).toEqual({ a: 1 });
    expect(parseToolCallArguments({ name: "now" }, undefined, "gemini").arguments).toEqual({});
  });

  it("throws with path, expected form and value if they do not match", () => {
    const error = errorOf(() => parseToolCallArguments(add, '{"a": "x", "b": [1, {}]}', "openai"));
    expect(error.code).toBe("invalid-arguments");
    expect(error.issues[0]).toMatchObject({ path: "/a", expected: "integer", value: "x" });
    expect(error.feedback).toContain('expected integer, got string "x"');
  });

  it.each([
    ["[1]", "openai"],
    ["{", "openai"],
    [7, "openai"],
    ['{"a": 1}', "anthropic"],
    [undefined, "anthropic"],
    [null, "gemini"],
  ] as const)("throws for %j of %s", (given, provider) => {
    const error = errorOf(() => parseToolCallArguments(add, given, provider));
    expect(error.code).toBe("malformed");
    expect(error.issues).toMatchObject([{ path: "", value: given }]);
    expect(error.issues[0]?.expected).toContain("object");
  });
});

describe("duplicate keys and integers with too many digits, read as in replies", () => {
  const tool = (n: JsonSchema) => ({
    name: "pay",
    parameters: { properties: { n, o: { type: "object", properties: { n } } } },
  });

  it.each(['{"n": 1, "n": 2}', '{"o": {"n": 1, "n": 2}}', "{n: 1, 'n': 2}", '{"n": 1, "\\u006e": 2}'])(
    "%s is no call",
    (text) => {
      const error = errorOf(() => parseToolCallArguments(tool({ type: "integer" }), text, "openai"));
      expect(error.code).toBe("invalid-arguments");
      expect(error.feedback).toContain('the key "n" comes twice, with different values');
    },
  );

  it("accept one value given twice", () => {
    const read = parseToolCallArguments(tool({ type: "integer" }), '{"n": 1, "n": 1}', "openai-responses");
    expect(read).toEqual({ arguments: { n: 1 }, repairs: [] });
  });

  it("refuse an integer that no number can represent, round a fraction and report it, or keep a string of digits", () => {
    const digits = "12345678901234567890";
    const read = (n: JsonSchema, text: string) => parseToolCallArguments(tool(n), text, "openai");
    for (const schema of [{ type: "integer" }, { type: "number" }, {}])
      expect(() => read(schema, `{"n": ${digits}}`)).toThrow("cannot be kept exactly");
    expect(() => read({}, `{"o": {"n": ${digits}}}`)).toThrow("cannot be kept exactly");
    expect(read({ type: "number" }, `{"n": ${digits}.5}`)).toEqual({
      arguments: { n: Number(digits) },
      repairs: [{ code: "rounded-number", path: "/n" }],
    });
    expect(read({}, `{"o": {"n": ${digits}.5}}`).repairs).toEqual([{ code: "rounded-number", path: "/o/n" }]);
    expect(read({ type: "string" }, `{"o": {"n": ${digits}}}`).arguments).toEqual({ o: { n: digits } });
  });

  it("read any other JSON like JSON.parse", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (args, indent) => {
        const text = JSON.stringify(args, null, indent);
        const read = parseToolCallArguments({ name: "any", parameters: true }, text, "openai");
        expect(JSON.stringify(read.arguments)).toBe(JSON.stringify(JSON.parse(text)));
        expect(read.repairs).toEqual([]);
      }),
    );
  });
});

describe("numbers that JSON does not have", () => {
  it("are an issue at any depth", () => {
    const error = errorOf(() => parseToolCallArguments(add, '{"a": 1e400}', "openai"));
    expect(error.code).toBe("invalid-arguments");
    expect(error.issues).toMatchObject([{ path: "/a", value: "1e400" }]);
    const issues = validateArguments({ name: "a" }, { x: [1, Number.NaN], "y/z": { n: 1n } });
    expect(issues.map(({ path }) => path)).toEqual(["/x/1", "/y~1z/n"]);
  });

  it("are an issue, not a raw error, if the schema lists values", () => {
    const listing = (values: unknown[]) => ({ name: "a", parameters: { properties: { n: { enum: values } } } });
    expect(validateArguments(listing([1, 2]), { n: 1n })).toMatchObject([{ path: "/n" }]);
    expect(validateArguments(listing([1n, 2]), { n: 1n })).not.toEqual([]);
    expect(validateArguments(listing([1n, 2]), { n: "x" })).not.toEqual([]);
    for (const values of [
      [1, 2],
      [1n, 2],
    ]) {
      const error = errorOf(() => parseToolCallArguments(listing(values), { n: 3n }, "anthropic"));
      expect(error.feedback).toContain("3");
      expect(() => parseToolCallArguments(listing(values), { n: [3n] }, "gemini")).toThrow(ToolArgumentsError);
    }
  });

  it("are found in arguments that contain themselves", () => {
    const args: Record<string, unknown> = { a: 1 };
    args.again = { args };
    expect(validateArguments({ name: "a", parameters: true }, args)).toEqual([]);
    const tool = { name: "a", parameters: { properties: { again: { enum: [1] } } } };
    expect(() => parseToolCallArguments(tool, args, "anthropic")).toThrow(ProviderFormatError);
  });
});

it("an invalid tool is a typed error", () => {
  const none = null as unknown as { name: string };
  expect(() => validateArguments(none, {})).toThrow(ProviderFormatError);
  expect(() => parseToolCallArguments(none, "{}", "openai")).toThrow("tool: expected a tool");
});

describe("validateArguments", () => {
  it("returns no issues for arguments that match", () => {
    expect(validateArguments(add, { a: 1, b: ["x"] })).toEqual([]);
    expect(validateArguments({ name: "now" }, {})).toEqual([]);
  });

  it("names path, expected form and value", () => {
    expect(validateArguments(add, { b: ["x", 2] })).toMatchObject([
      { path: "/a", keyword: "required", value: undefined },
      { path: "/b/1", expected: "string", value: 2, message: "expected string, got number 2" },
    ]);
    expect(validateArguments(add, "text")).toMatchObject([{ path: "", value: "text" }]);
  });
});
