import { describe, expect, it } from "vitest";
import { anthropic, gemini, openai, openaiFunctions, openaiResponses, ProviderFormatError } from "../index.js";

// Whole responses, as the APIs answer a question with a call.

const call = { id: "c1", name: "now", arguments: { zone: "UTC" } };
const args = '{"zone":"UTC"}';
const tools = [{ name: "clock.now" }];
const usage = { inputTokens: 12, outputTokens: 5, cacheReadTokens: 6 };
const reasoned = { ...usage, reasoningTokens: 2 };

const completion = {
  id: "chatcmpl-1",
  object: "chat.completion",
  model: "gpt",
  choices: [
    {
      index: 0,
      finish_reason: "tool_calls",
      message: {
        role: "assistant",
        content: "Let me see.",
        refusal: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "now", arguments: args } }],
      },
    },
  ],
  usage: {
    ...{ prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 },
    prompt_tokens_details: { cached_tokens: 6, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 2 },
  },
};
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  content: [
    { type: "text", text: "Let me see." },
    { type: "tool_use", id: "c1", name: "now", input: { zone: "UTC" } },
  ],
  stop_reason: "tool_use",
  usage: { input_tokens: 2, cache_creation_input_tokens: 4, cache_read_input_tokens: 6, output_tokens: 5 },
};
const generated = {
  candidates: [
    {
      content: {
        role: "model",
        parts: [{ text: "Let me see." }, { functionCall: { id: "c1", name: "now", args: { zone: "UTC" } } }],
      },
      finishReason: "STOP",
      index: 0,
    },
  ],
  usageMetadata: {
    ...{ promptTokenCount: 12, candidatesTokenCount: 3, thoughtsTokenCount: 2, totalTokenCount: 17 },
    cachedContentTokenCount: 6,
  },
};
const response = {
  id: "resp_1",
  object: "response",
  status: "completed",
  incomplete_details: null,
  output: [
    {
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Let me see.", annotations: [] }],
    },
    { type: "function_call", call_id: "c1", name: "now", arguments: args },
  ],
  usage: {
    ...{ input_tokens: 12, output_tokens: 5, total_tokens: 17 },
    input_tokens_details: { cached_tokens: 6 },
    output_tokens_details: { reasoning_tokens: 2 },
  },
};

describe("a whole response", () => {
  it.each([
    ["openai", () => openai.fromResponse(completion), reasoned],
    ["openai-responses", () => openaiResponses.fromResponse(response), reasoned],
    ["anthropic", () => anthropic.fromResponse(message), { ...usage, cacheWriteTokens: 4 }],
    ["gemini", () => gemini.fromResponse(generated), reasoned],
  ])("is read as the messages to add to the conversation: %s", (_, read, usage) => {
    expect(read()).toEqual({
      value: { messages: [{ role: "assistant", content: "Let me see.", toolCalls: [call] }], finish: "stop", usage },
      losses: [],
    });
  });

  it("is read in the deprecated form", () => {
    const message = { role: "assistant", content: null, function_call: { name: "now", arguments: args } };
    const { value } = openaiFunctions.fromResponse({ choices: [{ message, finish_reason: "function_call" } as never] });
    expect(value.messages).toMatchObject([{ toolCalls: [{ name: "now", arguments: { zone: "UTC" } }] }]);
  });

  it("reports that it was truncated", () => {
    const cut = { ...completion, choices: [{ ...completion.choices[0], finish_reason: "length" }] };
    expect(openai.fromResponse(JSON.parse(JSON.stringify(cut))).value.finish).toBe("length");
    expect(anthropic.fromResponse({ ...message, stop_reason: "max_tokens" } as typeof message).value.finish).toBe(
      "length",
    );
    const blocked = { candidates: [{ finishReason: "MAX_TOKENS" }] };
    expect(gemini.fromResponse(blocked).value).toEqual({
      messages: [{ role: "assistant", content: "" }],
      finish: "length",
    });
    for (const content of [{}, { parts: [{ text: "hi" }] }, { role: null, parts: [{ text: "hi" }] }]) {
      const message = { role: "assistant", content: "parts" in content ? "hi" : "" };
      expect(gemini.fromResponse({ candidates: [{ content }] }).value.messages).toEqual([message]);
    }
    const incomplete = { ...response, status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    expect(openaiResponses.fromResponse(incomplete).value.finish).toBe("length");
  });

  it("has the tools' own names again, and reports choices that are not read", () => {
    const [written] = openai.toTools(tools).value;
    const named = { id: "c1", type: "function", function: { name: written?.function.name, arguments: args } };
    const choice = { message: { role: "assistant", content: null, tool_calls: [named] } };
    const { value, losses } = openai.fromResponse({ choices: [choice, choice] }, { tools });
    expect(value.messages[0]?.toolCalls?.[0]?.name).toBe("clock.now");
    expect(losses).toMatchObject([{ path: "/choices/1", what: "choices" }]);
  });

  it("keeps several turns of Responses apart, with their encrypted thoughts", () => {
    const output = [
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "ZW5j" },
      { type: "function_call", id: "fc_1", call_id: "c1", name: "now", arguments: args },
      { type: "reasoning", id: "rs_2", summary: [], encrypted_content: "ZW5jMg" },
      { type: "function_call", id: "fc_2", call_id: "c2", name: "now", arguments: args },
    ];
    const { value, losses } = openaiResponses.fromResponse({ output });
    expect(losses).toEqual([]);
    expect(value.messages.map(({ toolCalls }) => toolCalls?.map(({ id }) => id))).toEqual([["c1"], ["c2"]]);
    expect(openaiResponses.toRequest(value).value.input).toEqual(output);
  });

  it("is a ProviderFormatError with the place if it is not a response", () => {
    const error = { error: { message: "no such model" } };
    for (const format of [openai, openaiResponses, anthropic, gemini]) {
      const { fromResponse } = format as { fromResponse(response: unknown): unknown };
      expect(() => fromResponse(error), format.name).toThrow(ProviderFormatError);
      expect(() => fromResponse(error)).toThrow(/^\/(choices|output|content|candidates): expected /);
    }
  });
});

describe("Gemini's parametersJsonSchema", () => {
  const parameters = {
    type: "object",
    properties: {
      to: { $ref: "#/$defs/to" },
      size: { const: 1 },
      tags: { type: "object", additionalProperties: { type: "string" } },
    },
    required: ["to"],
    $defs: { to: { type: ["string", "null"], minLength: 2 } },
  };

  it("is written with the option `jsonSchema`, and keeps more keywords than Gemini's own schemas", () => {
    const { value, losses } = gemini.toTools([{ name: "send", parameters }, { name: "now" }], { jsonSchema: true });
    expect(value[0]?.functionDeclarations).toEqual([
      {
        name: "send",
        parametersJsonSchema: {
          type: "object",
          properties: { to: { $ref: "#/$defs/to" }, size: { enum: [1] }, tags: parameters.properties.tags },
          required: ["to"],
          $defs: { to: { type: ["string", "null"] } },
        },
      },
      { name: "now" },
    ]);
    expect(losses.map(({ path }) => path)).toEqual([
      "/0/parameters/properties/size/const",
      "/0/parameters/$defs/to/minLength",
    ]);
  });

  it("is read back, in a request as well", () => {
    const plain = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };
    const conversation = {
      messages: [{ role: "user" as const, content: "Hi" }],
      tools: [{ name: "send", parameters: plain }],
    };
    const { value, losses } = gemini.toRequest(conversation, { jsonSchema: true });
    expect(losses).toEqual([]);
    expect(value.config.tools?.[0]?.functionDeclarations[0]?.parametersJsonSchema).toEqual(plain);
    expect(gemini.fromRequest(value)).toEqual({ value: conversation, losses: [] });
  });
});
