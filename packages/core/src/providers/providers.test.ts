import { describe, expect, it } from "vitest";
import type { ChatMessage, ToolDefinition } from "../types.js";
import {
  anthropic,
  conversationFromJson,
  conversationFromYaml,
  conversationToJson,
  conversationToYaml,
  formatJsonSchemaForProvider,
  gemini,
  openai,
  openaiFunctions,
  openaiResponses,
  ProviderFormatError,
} from "./index.js";

const weather: ToolDefinition = {
  name: "get_weather",
  description: "The weather",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const messages: ChatMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Weather in Rome and Oslo?" },
  {
    role: "assistant",
    content: "I look.",
    toolCalls: [
      { id: "call_1", name: "get_weather", arguments: { city: "Rome" } },
      { id: "call_2", name: "get_weather", arguments: { city: "Oslo" } },
    ],
  },
  { role: "tool", toolCallId: "call_1", name: "get_weather", content: "22 °C" },
  { role: "tool", toolCallId: "call_2", name: "get_weather", content: "no such city", isError: true },
  { role: "assistant", content: "Rome has 22 °C." },
];
const conversation = { messages, tools: [weather], toolChoice: { name: "get_weather" } };

describe("the deprecated choice of Chat Completions", () => {
  it.each([
    ["/function_call/name", { name: 5 }],
    ["/function_call", 5],
    ["/function_call", "any"],
  ])("is refused at %s", (path, choice) => {
    const request = { messages: [], function_call: choice } as never;
    for (const format of [openai, openaiFunctions])
      expect(() => format.fromRequest(request)).toThrow(expect.objectContaining({ path }));
    const inside = path.replace("/function_call", "");
    expect(() => openaiFunctions.fromToolChoice(choice as never)).toThrow(expect.objectContaining({ path: inside }));
  });
});

describe("a conversation with parallel calls", () => {
  it("is written for OpenAI's Chat Completions", () => {
    const { value, losses } = openai.toRequest(conversation);
    const { parameters } = weather;
    expect(value).toEqual({
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Weather in Rome and Oslo?" },
        {
          role: "assistant",
          content: "I look.",
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Rome"}' } },
            { id: "call_2", type: "function", function: { name: "get_weather", arguments: '{"city":"Oslo"}' } },
          ],
        },
        { role: "tool", tool_call_id: "call_1", content: "22 °C" },
        { role: "tool", tool_call_id: "call_2", content: "no such city" },
        { role: "assistant", content: "Rome has 22 °C." },
      ],
      tools: [{ type: "function", function: { name: "get_weather", description: "The weather", parameters } }],
      tool_choice: { type: "function", function: { name: "get_weather" } },
    });
    expect(losses).toEqual([
      { path: "/messages/4/isError", what: "isError", why: "results cannot be marked as errors" },
    ]);
  });

  it("is written with one call per message for the deprecated functions", () => {
    const { value, losses } = openaiFunctions.toRequest(conversation);
    expect(value.messages.slice(2, 6)).toEqual([
      {
        role: "assistant",
        content: "I look.",
        function_call: { name: "get_weather", arguments: '{"city":"Rome"}' },
      },
      { role: "function", name: "get_weather", content: "22 °C" },
      { role: "assistant", content: null, function_call: { name: "get_weather", arguments: '{"city":"Oslo"}' } },
      { role: "function", name: "get_weather", content: "no such city" },
    ]);
    expect(value.function_call).toEqual({ name: "get_weather" });
    expect(losses.map(({ path }) => path)).toEqual([
      "/messages/2/toolCalls/0/id",
      "/messages/2/toolCalls/1/id",
      "/messages/2/toolCalls",
      "/messages/3/toolCallId",
      "/messages/4/toolCallId",
      "/messages/4/isError",
    ]);
    const read = openaiFunctions.fromRequest(value).value.messages;
    expect(
      read
        .slice(2, 6)
        .map((one) => ("toolCallId" in one ? one.toolCallId : "toolCalls" in one && one.toolCalls?.[0]?.id)),
    ).toEqual(["function_2", "function_2", "function_4", "function_4"]);
  });

  it("is written as items for OpenAI's Responses", () => {
    const { input } = openaiResponses.toRequest(conversation).value;
    expect(input.slice(2, 6)).toEqual([
      { type: "message", role: "assistant", content: "I look." },
      { type: "function_call", call_id: "call_1", name: "get_weather", arguments: '{"city":"Rome"}' },
      { type: "function_call", call_id: "call_2", name: "get_weather", arguments: '{"city":"Oslo"}' },
      { type: "function_call_output", call_id: "call_1", output: "22 °C" },
    ]);
  });

  it("is written for Anthropic, all results in one message", () => {
    const { value, losses } = anthropic.toRequest(conversation);
    expect(value).toEqual({
      system: "Be brief.",
      messages: [
        { role: "user", content: "Weather in Rome and Oslo?" },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I look." },
            { type: "tool_use", id: "call_1", name: "get_weather", input: { city: "Rome" } },
            { type: "tool_use", id: "call_2", name: "get_weather", input: { city: "Oslo" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "call_1", content: "22 °C" },
            { type: "tool_result", tool_use_id: "call_2", content: "no such city", is_error: true },
          ],
        },
        { role: "assistant", content: "Rome has 22 °C." },
      ],
      tools: [{ name: "get_weather", description: "The weather", input_schema: weather.parameters }],
      tool_choice: { type: "tool", name: "get_weather" },
    });
    expect(losses).toEqual([]);
    expect(anthropic.fromRequest(value)).toEqual({ value: conversation, losses: [] });
  });

  it("is written for Gemini, with the schema in its subset", () => {
    const { value, losses } = gemini.toRequest(conversation);
    expect(value.config).toEqual({
      systemInstruction: { parts: [{ text: "Be brief." }] },
      tools: [
        {
          functionDeclarations: [
            {
              name: "get_weather",
              description: "The weather",
              parameters: { type: "OBJECT", properties: { city: { type: "STRING" } }, required: ["city"] },
            },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["get_weather"] } },
    });
    expect(value.contents[2]).toEqual({
      role: "user",
      parts: [
        { functionResponse: { id: "call_1", name: "get_weather", response: { output: "22 °C" } } },
        { functionResponse: { id: "call_2", name: "get_weather", response: { error: "no such city" } } },
      ],
    });
    expect(losses).toEqual([]);
    expect(gemini.fromRequest(value)).toEqual({ value: conversation, losses: [] });
  });
});

describe("an API's conversation", () => {
  it("is read from Anthropic with its thoughts, and reports the signature", () => {
    const content = [
      { type: "thinking", thinking: "Rome?", signature: "c2ln" },
      { type: "text", text: "I look." },
      { type: "tool_use", id: "toolu_1", name: "get_weather", input: { city: "Rome" } },
      { type: "server_tool_use", id: "srv_1", name: "web_search", input: {} },
    ];
    const { value, losses } = anthropic.fromRequest({ messages: [{ role: "assistant", content } as { role: string }] });
    expect(value.messages).toEqual([
      {
        role: "assistant",
        content: "I look.",
        reasoning: "Rome?",
        toolCalls: [{ id: "toolu_1", name: "get_weather", arguments: { city: "Rome" } }],
      },
    ]);
    expect(losses.map(({ path }) => path)).toEqual(["/messages/0/content/0/signature", "/messages/0/content/3"]);
  });

  it("is read from Gemini without ids, each result with its call", () => {
    const contents = [
      {
        role: "model",
        parts: [
          { functionCall: { name: "now" }, thoughtSignature: "c2ln" },
          { functionCall: { name: "now", args: { zone: "UTC" } } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "now", response: { output: "1" } } },
          { functionResponse: { name: "now", response: { output: "2" } } },
        ],
      },
    ];
    const { value, losses } = gemini.fromRequest({ contents });
    expect(value.messages).toEqual([
      {
        role: "assistant",
        content: "",
        toolCalls: [
          { id: "function_0_0", name: "now", arguments: {} },
          { id: "function_0_1", name: "now", arguments: { zone: "UTC" } },
        ],
        original: { format: "gemini", parts: contents[0]?.parts },
      },
      { role: "tool", toolCallId: "function_0_0", name: "now", content: "1" },
      { role: "tool", toolCallId: "function_0_1", name: "now", content: "2" },
    ]);
    expect(losses).toEqual([]);
  });

  it("is read from Responses, the model's thoughts, text and calls as one message", () => {
    const input = [
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Rome?" }] },
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        content: [{ type: "output_text", text: "I look.", annotations: [] }],
      },
      { type: "function_call", id: "fc_1", call_id: "call_1", name: "now", arguments: "{}" },
    ];
    expect(openaiResponses.fromRequest({ instructions: "Be brief.", input }).value.messages).toEqual([
      { role: "system", content: "Be brief." },
      {
        role: "assistant",
        content: "I look.",
        reasoning: "Rome?",
        toolCalls: [{ id: "call_1", name: "now", arguments: {} }],
      },
    ]);
  });

  it("reports parts that are not text, and tools of the server", () => {
    const content = [
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: "data:" } },
    ];
    const { value, losses } = openai.fromRequest({
      messages: [{ role: "user", content } as { role: string }],
      tools: [{ type: "web_search" }],
    });
    expect(value).toEqual({ messages: [{ role: "user", content: "What is this?" }], tools: [] });
    expect(losses.map(({ path, what }) => [path, what])).toEqual([
      ["/tools/0", "web_search"],
      ["/messages/0/content/1", "image_url"],
    ]);
  });

  it("is an error with path, expected form and value if it has another shape", () => {
    const call = { type: "function", function: { name: 7, arguments: "{}" }, id: "1" };
    const given = { messages: [{ role: "assistant", tool_calls: [call] } as { role: string }] };
    const read = () => openai.fromRequest(given);
    expect(read).toThrow(ProviderFormatError);
    expect(read).toThrow("/messages/0/tool_calls/0/function/name: expected the tool's name, got number 7.");
    expect(() => anthropic.fromToolChoice({ type: "all" })).toThrow(/\/type: expected "auto", "any", "none" or "tool"/);
  });
});

describe("a name that a provider refuses", () => {
  const tools = [{ name: "kom.memory.v1.search_memory" }, { name: "kom_memory.v1.search_memory" }];

  it("is replaced by the same name everywhere, and restored with the tools", () => {
    const { value, losses } = openai.toRequest({ messages: [], tools, toolChoice: { name: tools[0]!.name } });
    const names = value.tools!.map((tool) => tool.function.name);
    expect(names.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true);
    expect(new Set(names).size).toBe(2);
    expect(losses.map(({ path }) => path)).toEqual(["/tools/0/name", "/tools/1/name", "/toolChoice/name"]);
    expect(openai.fromToolChoice(value.tool_choice!, { tools }).value).toEqual({ name: tools[0]!.name });
    const call = { id: "1", type: "function", function: { name: names[1], arguments: "{}" } };
    expect(openai.fromCalls([call], { tools }).value[0]?.name).toBe(tools[1]!.name);
  });

  it("is unchanged for providers that accept it", () => {
    expect(gemini.toTools(tools).losses).toEqual([]);
  });
});

describe("formatJsonSchemaForProvider", () => {
  it("returns an object's schema unchanged for OpenAI and Anthropic", () => {
    const schema = { type: "object", properties: { a: { not: {} } } };
    expect(formatJsonSchemaForProvider(schema, "openai")).toEqual({ value: schema, losses: [] });
    expect(formatJsonSchemaForProvider({ $ref: "#/$defs/a", $defs: { a: {} } }, "anthropic").value.type).toBe("object");
    expect(formatJsonSchemaForProvider({ type: "string" }, "openai").losses).toHaveLength(1);
  });
});

describe("a log", () => {
  it("is readable YAML", () => {
    const { value } = conversationToYaml({ messages: [{ role: "user", content: "Two\nlines" }] });
    expect(value).toBe("messages:\n  - role: user\n    content: |-\n      Two\n      lines\n");
  });

  it("reports values that JSON does not have", () => {
    const toolCalls = [{ id: "1", name: "add", arguments: { a: Number.NaN, b: new Date(0), c: () => 1 } }];
    const { value, losses } = conversationToJson({ messages: [{ role: "assistant", content: "", toolCalls }] });
    expect(conversationFromJson(value).value.messages[0]).toMatchObject({
      toolCalls: [{ arguments: { a: null, b: "1970-01-01T00:00:00.000Z" } }],
    });
    expect(losses.map(({ path }) => path.slice("/messages/0/toolCalls/0/arguments".length))).toEqual([
      "/c",
      "/a",
      "/b",
    ]);
  });

  it("is an error with the place if it is not a log", () => {
    expect(() => conversationFromJson("{")).toThrow(ProviderFormatError);
    expect(() => conversationFromYaml("messages:\n  - role: owl\n    content: Hu")).toThrow(
      "/messages/0/role: expected",
    );
    expect(() => conversationFromYaml("a: [")).toThrow(ProviderFormatError);
    expect(conversationFromYaml("messages: []\nmodel: x").losses).toHaveLength(1);
  });
});
