import { describe, expect, it } from "vitest";
import { z } from "zod";
import { SchemaError, ToolDefinitionError } from "../../schema/errors.js";
import type { ToolDefinition } from "../../types.js";
import {
  anthropic,
  conversationFromYaml,
  conversationToJson,
  conversationToYaml,
  formatJsonSchemaForProvider,
  gemini,
  openai,
  openaiResponses,
  ProviderFormatError,
  parseToolCallArguments,
  providers,
  validateArguments,
} from "../index.js";

const paths = ({ losses }: { losses: { path: string }[] }) => losses.map(({ path }) => path);
const calling = (args: unknown) => {
  const toolCalls = [{ id: "1", name: "a", arguments: args as Record<string, unknown> }];
  return { messages: [{ role: "assistant" as const, content: "", toolCalls }] };
};
const itself: Record<string, unknown> = {};
itself.again = { itself };

describe("what is misspelt in a request", () => {
  const parameters = { type: "object", properties: {} };

  it("is named with what was probably meant", () => {
    const tools = [{ type: "function", function: { name: "now", paramters: parameters } }];
    expect(openai.fromRequest({ messages: [], tools } as never).losses).toEqual([
      {
        path: "/tools/0/function/paramters",
        what: "paramters",
        why: 'has no counterpart here. Did you mean "parameters"?',
        meant: "parameters",
      },
    ]);
  });

  it.each(["user", "system", "developer"])("a message of the %s without content is an error", (role) => {
    for (const message of [{ role }, { role, content: null }, { role, contents: "Hi" }]) {
      const hint = "contents" in message ? ' (there is "contents": did you mean "content"?)' : "";
      const error = `/0/content: expected a text or a list of parts${hint}, got`;
      expect(() => openai.fromRequest({ messages: [message] } as never)).toThrow(`/messages${error}`);
      expect(() => openaiResponses.fromRequest({ input: [message] } as never)).toThrow(`/input${error}`);
    }
  });

  it("is named in a content of Gemini's, the user's, the model's or the system's", () => {
    const why = 'has no counterpart here. Did you mean "parts"?';
    const part = [{ text: "Hi" }];
    const lostIn = (request: object) => gemini.fromRequest(request as never).losses;
    for (const role of ["user", "model"])
      expect(lostIn({ contents: [{ role, part }] })).toEqual([
        { path: "/contents/0/part", what: "part", why, meant: "parts" },
      ]);
    expect(lostIn({ contents: { role: "user", part } })).toEqual([
      { path: "/contents/part", what: "part", why, meant: "parts" },
    ]);
    expect(lostIn({ contents: "Hi", systemInstruction: { role: "user", part } })).toEqual([
      { path: "/systemInstruction/part", what: "part", why, meant: "parts" },
    ]);
  });

  it.each([
    ["/tools/0/type", () => openai.fromRequest({ messages: [], tools: [{ name: "now", parameters }] } as never)],
    ["/tools/0/type", () => openaiResponses.fromRequest({ input: [], tools: [{ name: "now", parameters }] } as never)],
  ])("a tool without a type is an error: %s", (path, read) => {
    expect(read).toThrow(ProviderFormatError);
    expect(read).toThrow(`${path}: expected the type of the tool: "function" with`);
  });

  it("a request of the Responses API without input is an error, unless the server knows the messages", () => {
    const read = (request: object) => () => openaiResponses.fromRequest(request as never);
    const messages = [{ role: "user", content: "Hi" }];
    expect(read({ messages })).toThrow('/input: expected a text or a list of items (there is "messages": did you mean');
    expect(read({ inptu: "Hi" })).toThrow('(there is "inptu": did you mean "input"?), got nothing.');
    expect(read({})).toThrow("/input: expected a text or a list of items, got nothing.");
    expect(read({ previous_response_id: "1" })().losses).toHaveLength(1);
  });
});

describe.each(Object.values(providers))("arguments that are not JSON, for $name", (provider) => {
  it("are reported, and written as JSON can have them", () => {
    const written = provider.toRequest(calling({ a: Number.NaN, b: new Date(0), c: 1n, d: 1 }));
    const at = "/messages/0/toolCalls/0/arguments";
    expect(paths(written)).toEqual(expect.arrayContaining([`${at}/a`, `${at}/b`, `${at}/c`]));
    const read = provider.fromRequest(JSON.parse(JSON.stringify(written.value)) as never).value.messages[0];
    expect(read).toMatchObject({
      toolCalls: [{ arguments: { a: null, b: "1970-01-01T00:00:00.000Z", c: "1", d: 1 } }],
    });
  });

  it("are an error if they contain themselves", () => {
    expect(() => provider.toRequest(calling(itself))).toThrow(ProviderFormatError);
  });
});

describe("input without a counterpart is reported", () => {
  it("next to a function's name and arguments", () => {
    const call = { id: "1", type: "function", function: { name: "a", arguments: "{}", thought_signature: "c2ln" } };
    expect(paths(openai.fromCalls([call]))).toEqual(["/0/function/thought_signature"]);
    const choice = { type: "function", function: { name: "a", strict: true } };
    expect(paths(openai.fromToolChoice(choice))).toEqual(["/function/strict"]);
  });

  it("next to a tool's function, and next to a message's role and content", () => {
    const tool = { type: "function", function: { name: "a" }, cache_control: { type: "ephemeral" } };
    expect(paths(openai.fromTools([tool]))).toEqual(["/0/cache_control"]);
    const message = { role: "user", content: "Hi", cache_control: { type: "ephemeral" } };
    expect(paths(anthropic.fromRequest({ messages: [message] }))).toEqual(["/messages/0/cache_control"]);
  });

  it("if something other than the model made the call, for Anthropic", () => {
    const call = (caller: object) => ({ type: "tool_use", id: "1", name: "a", input: {}, caller });
    expect(paths(anthropic.fromCalls([call({ type: "code_execution_20250825", tool_id: "t" })]))).toEqual([
      "/0/caller",
    ]);
    expect(paths(anthropic.fromCalls([call({ type: "direct" })]))).toEqual([]);
  });

  it("if both forms of the tool choice are given", () => {
    const request = { messages: [], tool_choice: "auto", function_call: "none" };
    expect(openai.fromRequest(request)).toMatchObject({
      value: { toolChoice: "auto" },
      losses: [{ path: "/function_call" }],
    });
  });

  it("if a refusal becomes text", () => {
    const content = [{ type: "refusal", refusal: "No." }];
    expect(
      paths(
        openaiResponses.fromRequest({ input: [{ type: "message", role: "assistant", content } as { type: string }] }),
      ),
    ).toEqual(["/input/0/content/0"]);
  });

  it("if messages are on the server", () => {
    expect(
      paths(openaiResponses.fromRequest({ input: "Hi", previous_response_id: "r1" } as { input: string })),
    ).toEqual(["/previous_response_id"]);
  });
});

describe.each(Object.values(providers))("parameters that are not JSON, for $name", (provider) => {
  it("are reported, and written as JSON can have them", () => {
    const a = { type: "integer", default: Number.NaN, enum: [1n, 2] };
    const { value, losses } = provider.toTools([{ name: "a", parameters: { type: "object", properties: { a } } }]);
    expect(() => JSON.stringify(value)).not.toThrow();
    const at = losses.map(({ path }) => path.slice("/0/parameters/properties/a/".length).split("/")[0]);
    expect(at).toEqual(expect.arrayContaining(["default", "enum"]));
  });
});

it("parameters that contain themselves are a typed error, or truncated where the schema is expanded anyway", () => {
  const node: Record<string, unknown> = { type: "object", description: "a node" };
  node.properties = { next: node };
  const tools = [{ name: "a", parameters: node }];
  expect(() => openai.toTools(tools)).toThrow(ProviderFormatError);
  expect(() => JSON.stringify(gemini.toTools(tools).value)).not.toThrow();
});

it("names of properties that Anthropic refuses are reported", () => {
  const parameters = { properties: { "a.b-c_1": {}, "x y": {}, städte: {}, ["l".repeat(65)]: {} } };
  const at = ["/properties/x y", "/properties/städte", `/properties/${"l".repeat(65)}`];
  expect(paths(anthropic.formatSchema(parameters))).toEqual(at);
  expect(paths(anthropic.toTools([{ name: "a", parameters }]))).toEqual(at.map((path) => `/0/parameters${path}`));
});

it.each(Object.values(providers))("an unknown role is a typed error for $name", (provider) => {
  const messages = [{ role: "weird", content: "Hi" } as unknown as { role: "user"; content: string }];
  expect(() => provider.toRequest({ messages })).toThrow(ProviderFormatError);
  expect(() => provider.toRequest({ messages })).toThrow('/messages/0/role: expected "system"');
});

it("a user's message without parts stays a message", () => {
  const empty = { messages: [{ role: "user", content: "" }] };
  expect(anthropic.fromRequest({ messages: [{ role: "user", content: [] } as { role: string }] }).value).toEqual(empty);
  expect(gemini.fromRequest({ contents: [{ role: "user", parts: [] }] }).value).toEqual(empty);
});

it("a reference to nothing is not reported as expanded", () => {
  const { losses } = formatJsonSchemaForProvider({ properties: { a: { $ref: "#/nowhere" } } }, "gemini");
  expect(losses.find(({ what }) => what === "$ref")?.why).toContain("refers to nothing");
});

it("an enum with the empty string is omitted for Gemini, which refuses it", () => {
  const schema = { properties: { a: { type: "string", enum: ["", "a"] } } };
  const { value, losses } = formatJsonSchemaForProvider(schema, "gemini");
  expect(value).toEqual({ type: "OBJECT", properties: { a: { type: "STRING" } } });
  expect(losses).toMatchObject([{ path: "/properties/a/enum" }]);
});

describe("a log", () => {
  it("in YAML is a typed error if it has unknown or exploding aliases, or several documents", () => {
    const tens = (name: string) => `[${Array(10).fill(`*${name}`).join(",")}]`;
    const grow = ["b", "c", "d"].map((name, i) => `${name}: &${name} ${tens("abc"[i]!)}`);
    const bomb = ["a: &a [x,x,x,x,x,x,x,x,x,x]", ...grow, "messages: [*d]"].join("\n");
    for (const yaml of ["messages: *x", bomb, "messages: []\n---\nmessages: []"]) {
      expect(() => conversationFromYaml(yaml)).toThrow(ProviderFormatError);
    }
  });

  it("of data that contains itself or is too deep is a typed error", () => {
    let deep: Record<string, unknown> = {};
    for (let i = 0; i < 20_000; i++) deep = { deep };
    const list: unknown[] = [];
    list.push(list);
    for (const args of [itself, deep, { list }]) {
      expect(() => conversationToJson(calling(args))).toThrow(ProviderFormatError);
      expect(() => conversationToYaml(calling(args))).toThrow(ProviderFormatError);
    }
  });
});

describe("a tool's parameters", () => {
  const withParameters = (parameters: unknown) => ({ name: "a", parameters }) as ToolDefinition;

  it("may be a schema of a library", () => {
    const tool = withParameters(z.object({ a: z.number() }));
    expect(validateArguments(tool, { a: "x" })).toMatchObject([{ path: "/a" }]);
    expect(openai.toTools([tool]).value[0]?.function.parameters).toMatchObject({
      type: "object",
      properties: { a: { type: "number" } },
    });
    expect(gemini.formatSchema(tool.parameters!).value).toMatchObject({ properties: { a: { type: "NUMBER" } } });
  });

  it("may be null", () => {
    expect(validateArguments(withParameters(null), {})).toEqual([]);
    for (const provider of Object.values(providers))
      expect(provider.toTools([withParameters(null)]).losses).toEqual([]);
  });

  it("are a typed error if they are not a schema", () => {
    expect(() => validateArguments(withParameters(42), {})).toThrow(ToolDefinitionError);
    for (const provider of Object.values(providers)) {
      expect(() => provider.toTools([withParameters(42)])).toThrow(SchemaError);
    }
  });
});

it("an unknown provider is an error that lists the known ones", () => {
  const wrong = "mistral" as "openai";
  expect(() => formatJsonSchemaForProvider({}, wrong)).toThrow(/"openai".*"gemini", got string "mistral"/);
  expect(() => parseToolCallArguments({ name: "a" }, "{}", wrong)).toThrow(ProviderFormatError);
});

describe("a request of OpenAI's", () => {
  const tools = ["a", "b", "c"].map((name) => ({ type: "function", function: { name } }));
  const messages = [{ role: "user", content: "Hi" }];

  it("is read with the allowed tools only, and reports the others", () => {
    const named = ["a", "c"].map((name) => ({ type: "function", function: { name } }));
    const tool_choice = { type: "allowed_tools", allowed_tools: { mode: "required", tools: named } };
    const { value, losses } = openai.fromRequest({ messages, tools, tool_choice });
    expect(value.tools?.map(({ name }) => name)).toEqual(["a", "c"]);
    expect(value.toolChoice).toBe("required");
    expect(losses).toMatchObject([{ path: "/tool_choice/allowed_tools/tools", what: "allowed_tools" }]);
    const flat = ["a", "b", "c"].map((name) => ({ type: "function", name }));
    const responses = openaiResponses.fromRequest({
      input: "Hi",
      tools: flat,
      tool_choice: { type: "allowed_tools", mode: "auto", tools: [flat[1]] } as { type: string },
    });
    expect(responses.value.tools?.map(({ name }) => name)).toEqual(["b"]);
  });

  it("is read with the thoughts that servers of open models write next to the content", () => {
    for (const field of ["reasoning_content", "reasoning"]) {
      const thought = { role: "assistant", content: "Hi", [field]: "They greet." };
      const { value, losses } = openai.fromRequest({ messages: [thought] });
      expect(value.messages).toEqual([{ role: "assistant", content: "Hi", reasoning: "They greet." }]);
      expect(losses).toEqual([]);
    }
  });

  it("is read with the tools of a namespace as ordinary tools, and reports it", () => {
    const inside = { type: "function", name: "run", parameters: {} };
    const namespace = { type: "namespace", name: "shell", description: "", tools: [inside] };
    const { value, losses } = openaiResponses.fromRequest({ input: "Hi", tools: [namespace, { type: "web_search" }] });
    expect(value.tools?.map(({ name }) => name)).toEqual(["run"]);
    expect(losses.map(({ path, what }) => [path, what])).toEqual([
      ["/tools/0", "namespace"],
      ["/tools/1", "web_search"],
    ]);
  });
});
