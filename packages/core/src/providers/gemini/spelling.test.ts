import { describe, expect, it } from "vitest";
import { gemini } from "../index.js";

const camel = {
  systemInstruction: { parts: [{ text: "Be brief." }] },
  contents: [
    { role: "user", parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }, { text: "What is it?" }] },
    {
      role: "model",
      parts: [{ functionCall: { id: "c", name: "look_up", args: { max_items: 3 } }, thoughtSignature: "s" }],
    },
    { role: "user", parts: [{ functionResponse: { id: "c", name: "look_up", response: { output: "a cat" } } }] },
  ],
  tools: [
    {
      functionDeclarations: [
        {
          name: "look_up",
          parameters: {
            type: "OBJECT",
            properties: { max_items: { anyOf: [{ type: "ARRAY", items: { type: "STRING" }, maxItems: "3" }] } },
          },
        },
        { name: "other", parametersJsonSchema: { properties: { any_of: { type: "string" } } } },
      ],
    },
  ],
  toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["look_up"] } },
};

const snake = {
  system_instruction: camel.systemInstruction,
  contents: [
    { role: "user", parts: [{ inline_data: { mime_type: "image/png", data: "AAAA" } }, { text: "What is it?" }] },
    {
      role: "model",
      parts: [{ function_call: { id: "c", name: "look_up", args: { max_items: 3 } }, thought_signature: "s" }],
    },
    { role: "user", parts: [{ function_response: { id: "c", name: "look_up", response: { output: "a cat" } } }] },
  ],
  tools: [
    {
      function_declarations: [
        {
          name: "look_up",
          parameters: {
            type: "OBJECT",
            properties: { max_items: { any_of: [{ type: "ARRAY", items: { type: "STRING" }, max_items: "3" }] } },
          },
        },
        { name: "other", parameters_json_schema: { properties: { any_of: { type: "string" } } } },
      ],
    },
  ],
  tool_config: { function_calling_config: { mode: "ANY", allowed_function_names: ["look_up"] } },
};

const read = (request: object) => gemini.fromRequest(request as never, { images: true });

describe("a request to Gemini in snake_case", () => {
  it("is read like one in camelCase", () => {
    const expected = read(camel);
    expect(expected.losses).toEqual([]);
    expect(expected.value).toMatchObject({ toolChoice: { name: "look_up" }, tools: [{ name: "look_up" }, {}] });
    expect(read(snake)).toEqual(expected);
    const { contents, ...config } = snake;
    expect(read({ contents, config })).toEqual(expected);
  });

  it("has losses and errors at the places of its own fields", () => {
    const tool_config = { function_calling_config: { mode: "SOME", stream_arguments: true } };
    expect(read({ contents: "Hi", tool_config }).losses.map(({ path }) => path)).toEqual([
      "/tool_config/function_calling_config/stream_arguments",
      "/tool_config/function_calling_config/mode",
    ]);
    const path = "/contents/0/parts/0/function_call/name";
    const contents = [{ role: "model", parts: [{ function_call: { name: 5 } }] }];
    expect(() => read({ contents })).toThrow(expect.objectContaining({ path, message: expect.stringContaining(path) }));
  });

  it("reports the other of two spellings of one field", () => {
    const tools = [{ functionDeclarations: [{ name: "a" }], function_declarations: [{ name: "b" }] }];
    const { value, losses } = read({ contents: "Hi", tools });
    expect(value.tools).toEqual([{ name: "a" }]);
    expect(losses).toMatchObject([{ path: "/tools/0/function_declarations" }]);
  });
});

it("tools, choices, calls, results and responses are read in snake_case too", () => {
  expect(gemini.fromTools(snake.tools)).toEqual(gemini.fromTools(camel.tools));
  expect(gemini.fromToolChoice(snake.tool_config)).toEqual(gemini.fromToolChoice(camel.toolConfig));
  const [, call, result] = snake.contents;
  const [, sameCall, sameResult] = camel.contents;
  expect(gemini.fromCalls(call!.parts).value).toEqual(gemini.fromCalls(sameCall!.parts).value);
  expect(gemini.fromResults(result!.parts)).toEqual(gemini.fromResults(sameResult!.parts));
  const usage = { prompt_token_count: 3, candidates_token_count: 4 };
  const candidates = [{ content: call, finish_reason: "MAX_TOKENS" }];
  expect(gemini.fromResponse({ candidates, usage_metadata: usage }).value).toMatchObject({
    messages: [{ toolCalls: [{ name: "look_up", arguments: { max_items: 3 } }] }],
    finish: "length",
    usage: { inputTokens: 3, outputTokens: 4 },
  });
});

it("settings next to `config` are read, or reported where `config` has them too", () => {
  const [tools, others] = ["a", "b"].map((name) => [{ functionDeclarations: [{ name }] }]);
  const systemInstruction = "Be brief.";
  const both = read({ contents: "Hi", systemInstruction, tools, config: { tools: others, temperature: 1 } });
  expect(both.value).toEqual({
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi" },
    ],
    tools: [{ name: "b" }],
  });
  expect(both.losses).toMatchObject([{ path: "/tools", what: "tools" }]);
  expect(() => read({ contents: "Hi", config: [] })).toThrow(expect.objectContaining({ path: "/config" }));
});

it.each(["cachedContent", "cached_content"])("reports %s, which only the server knows", (key) => {
  expect(read({ contents: "Hi", [key]: "cachedContents/1" }).losses).toMatchObject([{ path: `/${key}` }]);
});

it("a schema that contains itself, or is very deep, is renamed in linear time", () => {
  const schema: { [key: string]: unknown } = { type: "OBJECT", max_items: "3" };
  schema.properties = { a: schema, b: schema };
  const [deep] = Array.from({ length: 100_000 }).reduce<object[]>(([inner]) => [{ content: inner }], [{}]);
  for (const extra of [{ content: deep }, { config: { parameters: schema } }])
    expect(read({ contents: "Hi", ...extra }).value.messages).toEqual([{ role: "user", content: "Hi" }]);
});
