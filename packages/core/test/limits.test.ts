import { describe, expect, it, test } from "vitest";
import { GrammarError, jsonSchemaToGbnf, replySchema, toolCallGrammar } from "../src/grammar/index.js";
import {
  listTools,
  normalizeTools,
  parseReply,
  protocols,
  renderPrompt,
  SchemaError,
  ToolDefinitionError,
  validateValue,
} from "../src/index.js";
import { providers } from "../src/providers/index.js";
import type { JsonSchema } from "../src/types.js";

type Schema = Record<string, unknown>;

const keyed = (count: number, of: (i: number) => unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, of(i)]));
const listed = (count: number, of: (i: number) => unknown) => Array.from({ length: count }, (_, i) => of(i));
const nested = (levels: number, around: (inner: Schema) => Schema): Schema => {
  let schema: Schema = { type: "string" };
  for (let i = 0; i < levels; i++) schema = around(schema);
  return { type: "object", properties: { a: schema } };
};
const objects = (inner: Schema) => ({ type: "object", properties: { x: inner } });
const twice = (inner: Schema) => ({ type: "object", properties: { x: inner, y: inner } });

/** Beyond the limits, with the place that the error names. */
const beyond: Record<string, [JsonSchema, where: string]> = {
  "nested 10,000 deep": [nested(10_000, objects), "/properties/a/properties/x"],
  "arrays 10,000 deep": [nested(10_000, (items) => ({ type: "array", items })), "/properties/a/items/items"],
  "unions 10,000 deep": [nested(10_000, (inner) => ({ anyOf: [inner, { type: "null" }] })), "/properties/a/anyOf"],
  "10,000 properties": [{ type: "object", properties: keyed(10_000, () => ({ type: "string" })) }, "/properties"],
  "10,000 patterns": [{ type: "object", patternProperties: keyed(10_000, () => true) }, "/patternProperties"],
  "10,000 parts": [{ type: "object", allOf: listed(10_000, (i) => ({ required: [`k${i}`] })) }, "/allOf"],
  "10,000 alternatives": [
    { type: "object", properties: { a: { oneOf: listed(10_000, (i) => ({ const: i })) } } },
    "/properties/a/oneOf",
  ],
  "unions of unions, 160,000 alternatives": [
    {
      type: "object",
      properties: { a: { anyOf: listed(400, () => ({ anyOf: listed(400, (i) => ({ const: i })) })) } },
    },
    "/properties/a/anyOf",
  ],
  "a key of 100,000 characters": [{ type: "object", properties: { ["k".repeat(100_000)]: {} } }, "/properties"],
  "shared parts, exponentially many": [nested(60, twice), "/properties/a"],
};

/** References that lead deeper, or to more, than can be written out. */
const chain = (length: number, of: (ref: Schema) => Schema): JsonSchema => ({
  type: "object",
  properties: { a: { $ref: "#/$defs/k0" } },
  $defs: keyed(length, (i) => (i === length - 1 ? { type: "string" } : of({ $ref: `#/$defs/k${i + 1}` }))),
});

/** As large as they may be. */
const within: Record<string, JsonSchema> = {
  "nested 98 deep": nested(98, objects),
  "2,000 properties": { type: "object", properties: keyed(2_000, () => ({ type: "string" })) },
  "2,000 required": {
    type: "object",
    properties: keyed(2_000, (i) => ({ type: "integer", minimum: i })),
    required: Object.keys(keyed(2_000, () => true)),
    additionalProperties: false,
  },
  "unions of unions, 19,700 alternatives": {
    type: "object",
    properties: { a: { anyOf: listed(100, (i) => ({ anyOf: listed(196, (j) => ({ const: 196 * i + j })) })) } },
  },
  "a list of 100,000": { type: "object", properties: { a: { enum: listed(100_000, (i) => `v${i}`) } } },
  "a long text": {
    type: "object",
    description: "x".repeat(1_000_000),
    properties: { a: { const: "y".repeat(100_000) } },
  },
};

const messages = [{ role: "user" as const, content: "Hi" }];
const toolWith = (parameters: JsonSchema) => [{ name: "fine" }, { name: "huge", parameters }];

const caught = (make: () => unknown): unknown => {
  try {
    make();
    return undefined;
  } catch (error) {
    return error;
  }
};

describe.each(Object.entries(beyond))("a schema beyond the limits: %s", (_, [parameters, where]) => {
  const tools = toolWith(parameters);
  const isLimit = (error: unknown, type: typeof ToolDefinitionError | typeof GrammarError) => {
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ code: "limit", tool: "huge", message: expect.stringContaining(where.slice(0, 40)) });
  };

  it("is refused when tools are defined, even if problems are only reported", () => {
    isLimit(
      caught(() => normalizeTools(tools)),
      ToolDefinitionError,
    );
    isLimit(
      caught(() => normalizeTools(tools, { onProblem: () => {} })),
      ToolDefinitionError,
    );
  });

  it("is refused in a prompt", () => {
    isLimit(
      caught(() => renderPrompt({ protocol: "hermes", messages, tools })),
      ToolDefinitionError,
    );
  });

  it("is refused in every style, grammar and provider's format", () => {
    for (const style of ["json", "signature", "compact"] as const)
      isLimit(
        caught(() => listTools(tools, style)),
        ToolDefinitionError,
      );
    isLimit(
      caught(() => toolCallGrammar({ tools, protocol: "hermes", toolChoice: "required" })),
      GrammarError,
    );
    isLimit(
      caught(() => replySchema({ tools, protocol: "json-action", toolChoice: "required" })),
      GrammarError,
    );
    expect(caught(() => jsonSchemaToGbnf(parameters))).toMatchObject({ code: "limit" });
    for (const format of Object.values(providers)) {
      const error = caught(() => format.toTools(tools));
      expect(error).toBeInstanceOf(SchemaError);
      expect(error).toMatchObject({ code: "limit", message: expect.stringContaining("/1/parameters") });
    }
  });

  it("matches no call, but does not prevent reading one", () => {
    const reply = '<tool_call>{"name": "huge", "arguments": {"a": 1}}</tool_call>';
    const { toolCalls, invalidToolCalls } = parseReply(reply, { protocol: "hermes", tools });
    expect([toolCalls.length, invalidToolCalls.length]).toEqual([0, 1]);
    expect(validateValue({}, parameters)).toMatchObject([{ message: "cannot be checked: the schema is too large" }]);
  });
});

test.each(Object.values(protocols).map((protocol) => [protocol.name, protocol] as const))(
  "a schema beyond the limits is refused in a prompt of %s",
  (_, protocol) => {
    for (const name of ["shared parts, exponentially many", "unions 10,000 deep", "10,000 patterns"])
      expect(() => renderPrompt({ protocol, messages, tools: toolWith(beyond[name]![0]) })).toThrow(
        expect.objectContaining({ code: "limit", tool: "huge" }),
      );
  },
);

describe("references", () => {
  it.each([
    ["one after the other", chain(5000, (ref) => ref), ["cannot be checked: the schema is too large"]],
    ["through properties", chain(5000, objects), []],
    ["doubling", chain(60, twice), ["expected object, got number 1"]],
  ])("with long chains are resolved, named or refused: %s", (_, parameters, issues) => {
    const tools = toolWith(parameters);
    for (const make of [
      () => normalizeTools(tools),
      ...Object.values(protocols).map((protocol) => () => renderPrompt({ protocol, messages, tools })),
      ...(["json", "signature", "compact"] as const).map((style) => () => listTools(tools, style)),
      () => toolCallGrammar({ tools, protocol: "hermes", toolChoice: "required" }),
      () => replySchema({ tools, protocol: "json-action", toolChoice: "required" }),
      ...Object.values(providers).map((format) => () => format.toTools(tools)),
    ]) {
      const error = caught(make);
      if (error !== undefined) expect(error).toMatchObject({ code: "limit" });
    }
    expect(validateValue({ a: { x: { y: 1 } } }, parameters).map(({ message }) => message)).toEqual(issues);
  });
});

describe.each(Object.entries(within))("a schema within the limits: %s", (_, parameters) => {
  it("can be used everywhere", () => {
    const tools = normalizeTools(toolWith(parameters));
    for (const protocol of Object.values(protocols)) renderPrompt({ protocol, messages, tools });
    for (const style of ["json", "signature", "compact"] as const) listTools(tools, style);
    for (const protocol of ["hermes", "qwen3-coder", "pythonic"] as const)
      expect(toolCallGrammar({ tools, protocol, toolChoice: "required" }).grammar).not.toBe("");
    const [root] = Object.keys((parameters as { properties: object }).properties);
    for (const format of Object.values(providers)) {
      const written = JSON.stringify(format.toTools(tools).value);
      for (const part of ['"fine"', '"huge"', `"${root}":{"`]) expect(written).toContain(part);
    }
    expect(validateValue({}, parameters).every(({ keyword }) => keyword === "required")).toBe(true);
  });
});
