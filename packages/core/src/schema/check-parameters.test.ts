import { describe, expect, it } from "vitest";
import { renderChatPrompt } from "../chat/index.js";
import { ToolConversation } from "../conversation/index.js";
import { constraintFor, replySchema, structuralTag, toolCallGrammar } from "../grammar/index.js";
import {
  createReplyParser,
  generateWithTools,
  listTools,
  normalizeTools,
  parseReply,
  renderPrompt,
  toolsAsJson,
  toolsAsLines,
  toolsAsSignatures,
} from "../index.js";
import type { JsonSchema, ToolDefinition } from "../types.js";
import { ToolDefinitionError } from "./errors.js";

async function* model() {
  yield "Hello";
}

/** All ways into the core that take tools. */
const doors: Record<string, (tools: readonly ToolDefinition[]) => unknown> = {
  normalizeTools: (tools) => normalizeTools(tools),
  parseReply: (tools) => parseReply("Hello", { tools }),
  createReplyParser: (tools) => createReplyParser({ tools }),
  renderPrompt: (tools) => renderPrompt({ messages: [{ role: "user", content: "Hello" }], tools }),
  renderChatPrompt: (tools) =>
    renderChatPrompt({ model: "qwen2.5:7b", messages: [{ role: "user", content: "Hello" }], tools }),
  toolCallGrammar: (tools) => toolCallGrammar({ tools, protocol: "hermes", toolChoice: "auto" }),
  replySchema: (tools) => replySchema({ tools, protocol: "json-action", toolChoice: "auto" }),
  structuralTag: (tools) => structuralTag({ tools, protocol: "hermes", toolChoice: "auto" }),
  constraintFor: (tools) => constraintFor("openai", { tools, protocol: "json-action", toolChoice: "auto" }),
  listTools: (tools) => listTools(tools, "json"),
  toolsAsJson: (tools) => toolsAsJson(tools),
  toolsAsLines: (tools) => toolsAsLines(tools),
  toolsAsSignatures: (tools) => toolsAsSignatures(tools),
  ToolConversation: (tools) => new ToolConversation({ model, tools }).run("Hello").result,
  generateWithTools: (tools) =>
    generateWithTools({ model, messages: [{ role: "user", content: "Hello" }], tools }).result(),
};

const failure = async (door: (tools: readonly ToolDefinition[]) => unknown, parameters: JsonSchema) => {
  try {
    await door([{ name: "weather", parameters }]);
  } catch (error) {
    expect(error).toBeInstanceOf(ToolDefinitionError);
    const { code, tool, path, message } = error as ToolDefinitionError;
    return { code, tool, path, message };
  }
  return undefined;
};

const object = (properties: Record<string, unknown>) => ({ type: "object", properties });

describe.each(Object.entries(doors))("%s", (name, door) => {
  it("refuses parameters that no object matches", async () => {
    for (const parameters of [
      false,
      { type: "array" },
      { type: ["string", "null"] },
      { $ref: "#/$defs/a", $defs: { a: { type: "array" } } },
      { allOf: [{ type: "object" }, { type: "string" }] },
    ]) {
      expect(await failure(door, parameters)).toMatchObject({
        code: "parameters-not-object",
        tool: "weather",
        path: "",
      });
    }
  });

  it.each<[parameters: unknown, path: string, message: string]>([
    [object({ city: "integer" }), "/properties/city", 'is "integer". Did you mean { "type": "integer" }?'],
    [
      object({ list: { items: "string" } }),
      "/properties/list/items",
      'is "string". Did you mean { "type": "string" }?',
    ],
    [object({ city: "its name" }), "/properties/city", 'is "its name".'],
  ])("refuses a text in place of a schema: %j", async (parameters, path, message) => {
    const found = await failure(door, parameters as JsonSchema);
    expect(found).toMatchObject({ code: "invalid-schema", tool: "weather", path });
    expect(found?.message).toContain(`${path} schema should be an object or a boolean, ${message}`);
  });

  it("refuses two tools of one name", async () => {
    const tools = [{ name: "weather" }, { name: "weather", parameters: object({ city: {} }) }];
    const refused = expect.objectContaining({ code: "duplicate-name", tool: "weather" });
    await expect(async () => await door(tools)).rejects.toEqual(refused);
    await expect(async () => await door(tools)).rejects.toEqual(refused);
  });

  it.each<[parameters: JsonSchema, path: string, message: string]>([
    [{ ...object({ city: {} }), required: true }, "", "required should be a list of keys, is true."],
    [object({ city: { required: true } }), "/properties/city", "/properties/city required should be a list of keys"],
    [object({ city: { enum: "x" } }), "/properties/city", 'enum should be a list of values, is "x".'],
    [{ type: "object", properties: [] }, "", "properties should be an object of schemas, is []."],
    [object({ list: { items: 5 } }), "/properties/list/items", "should be an object or a boolean, is 5."],
    [object({ city: { type: 5 } }), "/properties/city", "type should be a JSON type, is 5."],
    [object({ city: { anyOf: {} } }), "/properties/city", "anyOf should be a list of schemas, is {}."],
    [object({ city: { enum: [] } }), "/properties/city", "enum should be a list of values, is []."],
    [object({ city: { anyOf: [] } }), "/properties/city", "anyOf should be a list of schemas, is []."],
    [object({ city: { items: { oneOf: [] } } }), "/properties/city/items", "oneOf should be a list of schemas, is []."],
    [object({ count: { minimum: "1" } }), "/properties/count", 'minimum should be a number, is "1".'],
    [object({ city: { maxLength: -1 } }), "/properties/city", "maxLength should be a whole number from 0, is -1."],
    [object({ city: { pattern: 5 } }), "/properties/city", "pattern should be a regular expression"],
    [{ ...object({}), additionalProperties: "false" }, "/additionalProperties", 'is "false".'],
  ])("refuses a keyword with a value of another kind: %j", async (parameters, path, message) => {
    const found = await failure(door, parameters);
    expect(found).toMatchObject({ code: "invalid-schema", tool: "weather", path });
    expect(found?.message).toContain(message);
  });

  // Reading a reply does not write the schema.
  it.runIf(!/parse|Parser/.test(name))("refuses data in a schema that JSON lacks", async () => {
    const itself: unknown[] = [];
    itself.push(itself);
    for (const [city, message] of [
      [{ default: 1n }, "default cannot be JSON: default is a bigint."],
      [{ enum: ["a", { b: 1n }] }, "enum cannot be JSON: enum[1].b is a bigint."],
      [{ const: new Map() }, "const cannot be JSON: const is a Map."],
      [{ examples: [() => 1] }, "examples cannot be JSON: examples[0] is a function."],
      [{ description: 1n }, "description cannot be JSON: description is a bigint."],
      [{ "x-note": { id: 1n } }, "x-note cannot be JSON: x-note.id is a bigint."],
      [{ minimum: 1n }, "/properties/city minimum "],
      [{ default: itself }, "or contains itself."],
    ] as const) {
      const found = await failure(door, object({ city }));
      expect(found).toMatchObject({ code: "invalid-schema", tool: "weather", path: "/properties/city" });
      expect(found?.message).toContain(message);
    }
  });

  it.each<[parameters: JsonSchema, path: string, meant: string]>([
    [{ type: "objct" }, "", "object"],
    [object({ city: { type: "strnig" } }), "/properties/city", "string"],
    [object({ days: { type: "array", items: { type: ["intger", "null"] } } }), "/properties/days/items", "integer"],
    [{ $ref: "#/$defs/a", $defs: { a: object({ b: { type: "bolean" } }) } }, "/$defs/a/properties/b", "boolean"],
  ])("names the place of the misspelt type in %j, and the type that is meant", async (parameters, path, meant) => {
    const found = await failure(door, parameters);
    expect(found).toMatchObject({ code: "invalid-schema", tool: "weather", path });
    expect(found?.message).toContain(`${path && `${path} `}type should be a JSON type`);
    expect(found?.message).toContain(`Did you mean "${meant}"?`);
  });

  it("refuses properties that are not under `properties`", async () => {
    for (const parameters of [
      { city: { type: "string" } },
      { type: "object", city: { type: "string" }, required: ["city"] },
      { type: { type: "string" }, city: { type: "string" } },
    ]) {
      const found = await failure(door, parameters);
      expect(found).toMatchObject({ code: "invalid-schema", tool: "weather", path: "" });
      expect(found?.message).toContain(
        'city is not a keyword of JSON Schema. Did you mean "properties": { "city": … }?',
      );
    }
  });

  it.each<[parameters: JsonSchema, path: string, key: string, meant: string]>([
    [{ type: "object", proprties: { city: { type: "string" } } }, "", "proprties", "properties"],
    [{ ...object({ city: { type: "string" } }), requird: ["city"] }, "", "requird", "required"],
    [object({ at: { type: "object", properites: { city: {} } } }), "/properties/at", "properites", "properties"],
  ])("refuses a misspelt `properties` or `required`: %j", async (parameters, path, key, meant) => {
    const found = await failure(door, parameters);
    expect(found).toMatchObject({ code: "invalid-schema", tool: "weather", path });
    expect(found?.message).toContain(
      `${path && `${path} `}${key} is not a keyword of JSON Schema. Did you mean ${JSON.stringify(meant)}?`,
    );
  });

  it.each<[JsonSchema]>([
    [true],
    [{ ...object({ city: {} }), required: ["city"], requires: ["nothing"], propertys: {} }],
    [{ ...object({ city: { "x-required": true, descriptions: { en: "Its name" } } }), requird: true }],
    [{ ...object({ item: { type: "object", properties: { requird: { type: "string" } } } }), anyRequired: ["city"] }],
    [
      {
        type: "object",
        "x-properties": { city: {} },
        "x-required": ["city"],
        _required: ["city"],
        required_: ["city"],
      },
    ],
    [object({ price: { type: "number", cost: 5, formatMinimum: "2020-01-01", unit: "EUR" } })],
    [{}],
    [{ type: "object" }],
    [{ type: ["object", "null"] }],
    [{ type: "OBJECT", properties: { a: { type: "STRING" } } }],
    [{ type: "dict", properties: { a: { type: "float" }, b: { type: "any" } } }],
    [{ $ref: "#/$defs/a", $defs: { a: object({}), strnig: { description: "unused" } } }],
    [{ allOf: [object({ a: { type: "string" } }), { required: ["a"] }] }],
    [{ anyOf: [{ type: "string" }, { type: "object" }] }],
    [object({ type: { type: "string" }, properties: { type: "string" }, strnig: true })],
    [object({ a: { enum: ["strnig"], default: { type: "strnig" }, "x-note": { type: "strnig" } } })],
    [{ type: "object", "x-note": { type: "string" }, example: { type: "string" }, $comment: "none" }],
    [{ type: "object", additionalProperties: { type: "string" } }],
    [{ type: "object", properties: { a: {} }, returns: { type: "string" } }],
  ])("accepts %j", async (parameters) => {
    expect(await failure(door, parameters)).toBeUndefined();
  });
});

const { normalizeTools: strict = () => {}, ...others } = doors;

it("what normalizeTools reported to the application is accepted everywhere else", async () => {
  const problems: string[] = [];
  const tools = [
    { name: "misspelt", parameters: { type: "objct" } },
    { name: "misplaced", parameters: { city: { type: "string" } } },
  ];
  const open = object({ a: { type: "strnig" }, record: { type: "object", additionalProperties: false } });
  normalizeTools([{ name: "open", parameters: open }], { onProblem: () => {} });
  for (const door of Object.values(others)) await door([{ name: "open", parameters: open }]);
  const accepted = normalizeTools(tools, { onProblem: (tool, { keyword }) => problems.push(`${tool} ${keyword}`) });
  expect(problems).toEqual(["misspelt type", "misplaced city"]);
  for (const door of Object.values(others)) await door(accepted);
});

it("all refuse an unknown type, of which no value would be checked", async () => {
  for (const type of ["foo", "file", "varchar", "date", "url", ["string", "int32"]])
    for (const door of [strict, ...Object.values(others)])
      expect(await failure(door, object({ a: { type } }))).toMatchObject({
        code: "invalid-schema",
        path: "/properties/a",
      });
});

it.each<[city: object, key: string, meant: string]>([
  [{ type: "string", descripton: "The city" }, "descripton", "description"],
  [{ type: "number", minimun: 1 }, "minimun", "minimum"],
  [{ type: "string", maxLenght: 5 }, "maxLenght", "maxLength"],
  [{ type: "array", item: { type: "string" } }, "item", "items"],
  [{ tpye: "string" }, "tpye", "type"],
  [{ type: "number", "exclusive-minimum": 1 }, "exclusive-minimum", "exclusiveMinimum"],
  [{ any_of: [{ type: "string" }] }, "any_of", "anyOf"],
  [{ type: "integer", defualt: 3 }, "defualt", "default"],
])("normalizeTools refuses or reports any misspelt keyword, which the others accept: %j", async (city, key, meant) => {
  const problem = { path: "/properties/city", keyword: key };
  const parameters = object({ city });
  const found = await failure(strict, parameters);
  expect(found).toMatchObject({ code: "invalid-schema", path: problem.path });
  expect(found?.message).toContain(`${key} is not a keyword of JSON Schema. Did you mean "${meant}"?`);
  for (const door of Object.values(others)) expect(await failure(door, object({ city: { ...city } }))).toBeUndefined();
  const reported: unknown[] = [];
  normalizeTools([{ name: "weather", parameters }], { onProblem: (_, one) => reported.push(one) });
  expect(reported).toEqual([expect.objectContaining(problem)]);
});

it("a keyword that another one resembles is no misspelling", () => {
  for (const city of [
    { type: "string", descriptions: { en: "Its name" }, formal: true, contentMediaType: "text/plain" },
    { type: "object", item: { type: "string" }, properties: {} },
    { type: "integer", cost: 5, defaults: { a: 1 }, exclusiveMinimum: true, minimum: 1 },
    { $comment: "its name", $defs: { city: {} } },
    { type: "string", deprecated: true, readOnly: true, writeOnly: true, examples: ["Oslo"], example: "Oslo" },
    { type: "string", descriptionEn: "a", description_de: "b", isDescription: "c", myTitle: "d", requiredIf: ["e"] },
    { type: "string", titles: "a", formats: "b", patterns: "c", defaults: "d", enums: ["e"], descriptions: "f" },
    {
      type: "string",
      "x-format": "slug",
      "x-enum": ["a"],
      x_title: "a",
      "x-description": "b",
      _default: "c",
      title_: "d",
    },
    { enum: ["a"], enumNames: ["A"], markdownDescription: "a", defaultSnippets: [], errorMessage: "no", title: "a" },
  ])
    normalizeTools([{ name: "weather", parameters: object({ city }) }]);
});

it("lets nothing match an empty list of values or alternatives where the application accepts it", () => {
  for (const keyword of ["enum", "anyOf", "oneOf"]) {
    const given = { name: "weather", parameters: object({ city: { [keyword]: [] }, day: { type: "string" } }) };
    const tools = normalizeTools([given], { onProblem: () => {} });
    const read = (text: string) => parseReply(text, { tools, protocol: "hermes" });
    const call = (args: object) => `<tool_call>${JSON.stringify({ name: "weather", arguments: args })}</tool_call>`;
    expect(read(call({ day: "today" })).toolCalls).toHaveLength(1);
    expect(read(call({ day: "today", city: "Oslo" })).invalidToolCalls[0]?.error.code).toBe("invalid-arguments");
    const { grammar } = toolCallGrammar({ tools, protocol: "hermes", toolChoice: "required" });
    expect(grammar).toContain("day");
    expect(grammar).not.toContain("city");
  }
});

it("checks references that double at each level once, and one that leads to itself", async () => {
  const $defs: Record<string, JsonSchema> = { n30: { type: "object" } };
  for (let i = 0; i < 30; i++) {
    const next = { $ref: `#/$defs/n${i + 1}` };
    $defs[`n${i}`] = { allOf: [next, next], anyOf: [{ ...next }, { ...next }] };
  }
  expect(await failure(others.parseReply!, { $ref: "#/$defs/n0", $defs })).toBeUndefined();
  $defs.n30 = { type: "string" };
  expect(await failure(strict, { $ref: "#/$defs/n0", $defs: { ...$defs } })).toMatchObject({
    code: "parameters-not-object",
  });
  const itself = { anyOf: [{ $ref: "#" }, { type: "object" }] };
  expect(await failure(others.parseReply!, itself)).toBeUndefined();
});

it.each<JsonSchema>([
  { type: "object", properties: { type: {}, numbers: {} }, dependentRequired: { type: ["numbers"] } },
  { type: "object", _meta: { type: "object" } },
  { type: "object", additionalProperties: { type: "string" }, uiSchema: { type: "object" } },
  object({ city: { enum: null, items: null, required: null, description: null, pattern: null, type: null } }),
  object({ city: null, day: undefined, at: { default: new Date(0), exclusiveMinimum: true, minimum: 1 } }),
  object({ city: { pattern: "(?<=a", allOf: [], prefixItems: [], $ref: "#/nowhere" } }),
])("accepts keywords of other systems where replies are read: %j", async (parameters) => {
  for (const door of Object.values(others)) expect(await failure(door, parameters)).toBeUndefined();
});
