import type Anthropic from "@anthropic-ai/sdk";
import type {
  Content,
  FunctionCallingConfigMode,
  Tool as GeminiSdkTool,
  GenerateContentParameters,
  Part,
  Schema,
  ToolConfig,
  Type,
} from "@google/genai";
import type OpenAI from "openai";
import { describe, expectTypeOf, it } from "vitest";
import {
  type anthropic,
  type Conversation,
  type GivenConversation,
  gemini,
  type openai,
  type openaiFunctions,
  type openaiResponses,
} from "./index.js";

// What we write goes into the SDKs' functions, and what those give or take can be read: as TypeScript sees it, without a
// cast. Nothing of this runs; the type check of `npm test` is the test.

type Chat = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
type Responses = OpenAI.Responses.ResponseCreateParamsNonStreaming;

describe("a conversation", () => {
  it("is read the same way from every provider, and can be changed and written", () => {
    type Read = ReturnType<(typeof openai | typeof openaiResponses | typeof anthropic | typeof gemini)["fromRequest"]>;
    expectTypeOf<Read["value"]>().toEqualTypeOf<Conversation>();
    const names = ({ tools = [] }: Conversation) => tools.map(({ name }) => name);
    expectTypeOf(names).returns.toEqualTypeOf<string[]>();
    const without = (read: Conversation, name: string): Conversation => ({
      ...read,
      tools: read.tools?.filter((tool) => tool.name !== name),
    });
    expectTypeOf(without).returns.toExtend<GivenConversation>();
    expectTypeOf<GivenConversation>().toEqualTypeOf<Parameters<typeof openai.toRequest>[0]>();
  });
});

describe("the shapes of the SDKs", () => {
  it("OpenAI's Chat Completions", () => {
    expectTypeOf<ReturnType<typeof openai.toTools>["value"]>().toExtend<OpenAI.Chat.Completions.ChatCompletionTool[]>();
    expectTypeOf<
      ReturnType<typeof openai.toToolChoice>["value"]
    >().toExtend<OpenAI.Chat.Completions.ChatCompletionToolChoiceOption>();
    expectTypeOf<ReturnType<typeof openai.toCalls>["value"]>().toExtend<
      OpenAI.Chat.Completions.ChatCompletionMessageToolCall[]
    >();
    expectTypeOf<ReturnType<typeof openai.toResults>["value"]>().toExtend<
      OpenAI.Chat.Completions.ChatCompletionToolMessageParam[]
    >();
    expectTypeOf<ReturnType<typeof openai.toRequest>["value"] & { model: string }>().toExtend<Chat>();

    expectTypeOf<OpenAI.Chat.Completions.ChatCompletionTool[]>().toExtend<Parameters<typeof openai.fromTools>[0]>();
    expectTypeOf<OpenAI.Chat.Completions.ChatCompletionToolChoiceOption>().toExtend<
      Parameters<typeof openai.fromToolChoice>[0]
    >();
    expectTypeOf<OpenAI.Chat.Completions.ChatCompletionMessageToolCall[]>().toExtend<
      Parameters<typeof openai.fromCalls>[0]
    >();
    expectTypeOf<OpenAI.Chat.Completions.ChatCompletionToolMessageParam[]>().toExtend<
      Parameters<typeof openai.fromResults>[0]
    >();
    expectTypeOf<Chat>().toExtend<Parameters<typeof openai.fromRequest>[0]>();
    expectTypeOf<{ messages: OpenAI.Chat.Completions.ChatCompletionMessage[] }>().toExtend<
      Parameters<typeof openai.fromRequest>[0]
    >();
  });

  it("OpenAI's deprecated functions", () => {
    expectTypeOf<ReturnType<typeof openaiFunctions.toTools>["value"]>().toExtend<
      OpenAI.Chat.Completions.ChatCompletionCreateParams.Function[]
    >();
    expectTypeOf<
      ReturnType<typeof openaiFunctions.toCalls>["value"][number]
    >().toExtend<OpenAI.Chat.Completions.ChatCompletionMessage.FunctionCall>();
    expectTypeOf<ReturnType<typeof openaiFunctions.toResults>["value"]>().toExtend<
      OpenAI.Chat.Completions.ChatCompletionFunctionMessageParam[]
    >();
    expectTypeOf<ReturnType<typeof openaiFunctions.toRequest>["value"] & { model: string }>().toExtend<Chat>();

    expectTypeOf<OpenAI.Chat.Completions.ChatCompletionCreateParams.Function[]>().toExtend<
      Parameters<typeof openaiFunctions.fromTools>[0]
    >();
    expectTypeOf<OpenAI.Chat.Completions.ChatCompletionMessage.FunctionCall[]>().toExtend<
      Parameters<typeof openaiFunctions.fromCalls>[0]
    >();
    expectTypeOf<OpenAI.Chat.Completions.ChatCompletionFunctionMessageParam[]>().toExtend<
      Parameters<typeof openaiFunctions.fromResults>[0]
    >();
    expectTypeOf<NonNullable<Chat["function_call"]>>().toExtend<Parameters<typeof openaiFunctions.fromToolChoice>[0]>();
    expectTypeOf<Chat>().toExtend<Parameters<typeof openaiFunctions.fromRequest>[0]>();
  });

  it("OpenAI's Responses", () => {
    expectTypeOf<ReturnType<typeof openaiResponses.toTools>["value"]>().toExtend<OpenAI.Responses.Tool[]>();
    expectTypeOf<ReturnType<typeof openaiResponses.toToolChoice>["value"]>().toExtend<
      NonNullable<Responses["tool_choice"]>
    >();
    expectTypeOf<ReturnType<typeof openaiResponses.toCalls>["value"]>().toExtend<
      OpenAI.Responses.ResponseInputItem[]
    >();
    expectTypeOf<ReturnType<typeof openaiResponses.toResults>["value"]>().toExtend<
      OpenAI.Responses.ResponseInputItem[]
    >();
    expectTypeOf<ReturnType<typeof openaiResponses.toRequest>["value"] & { model: string }>().toExtend<Responses>();

    expectTypeOf<OpenAI.Responses.Tool[]>().toExtend<Parameters<typeof openaiResponses.fromTools>[0]>();
    expectTypeOf<NonNullable<Responses["tool_choice"]>>().toExtend<
      Parameters<typeof openaiResponses.fromToolChoice>[0]
    >();
    expectTypeOf<OpenAI.Responses.ResponseFunctionToolCall[]>().toExtend<
      Parameters<typeof openaiResponses.fromCalls>[0]
    >();
    expectTypeOf<OpenAI.Responses.ResponseInputItem.FunctionCallOutput[]>().toExtend<
      Parameters<typeof openaiResponses.fromResults>[0]
    >();
    expectTypeOf<Responses>().toExtend<Parameters<typeof openaiResponses.fromRequest>[0]>();
    expectTypeOf<{ input: OpenAI.Responses.ResponseOutputItem[] }>().toExtend<
      Parameters<typeof openaiResponses.fromRequest>[0]
    >();
  });

  it("Anthropic's Messages", () => {
    expectTypeOf<ReturnType<typeof anthropic.toTools>["value"]>().toExtend<Anthropic.Tool[]>();
    expectTypeOf<ReturnType<typeof anthropic.toToolChoice>["value"]>().toExtend<Anthropic.ToolChoice>();
    expectTypeOf<ReturnType<typeof anthropic.toCalls>["value"]>().toExtend<Anthropic.ToolUseBlockParam[]>();
    expectTypeOf<ReturnType<typeof anthropic.toResults>["value"]>().toExtend<Anthropic.ToolResultBlockParam[]>();
    expectTypeOf<
      ReturnType<typeof anthropic.toRequest>["value"] & { model: string; max_tokens: number }
    >().toExtend<Anthropic.MessageCreateParamsNonStreaming>();

    expectTypeOf<Anthropic.ToolUnion[]>().toExtend<Parameters<typeof anthropic.fromTools>[0]>();
    expectTypeOf<Anthropic.ToolChoice>().toExtend<Parameters<typeof anthropic.fromToolChoice>[0]>();
    expectTypeOf<Anthropic.ToolUseBlock[]>().toExtend<Parameters<typeof anthropic.fromCalls>[0]>();
    expectTypeOf<Anthropic.ToolResultBlockParam[]>().toExtend<Parameters<typeof anthropic.fromResults>[0]>();
    expectTypeOf<Anthropic.MessageCreateParams>().toExtend<Parameters<typeof anthropic.fromRequest>[0]>();
    expectTypeOf<{ messages: Anthropic.Message[] }>().toExtend<Parameters<typeof anthropic.fromRequest>[0]>();
  });

  it("Gemini", () => {
    const given = { messages: [] };
    const tools = () => gemini.toTools<Type>([]).value;
    const choice = () => gemini.toToolChoice<FunctionCallingConfigMode>("auto").value;
    const request = () => gemini.toRequest<Type, FunctionCallingConfigMode>(given).value;
    const schema = () => gemini.formatSchema<Type>(true).value;
    expectTypeOf<ReturnType<typeof tools>>().toExtend<GeminiSdkTool[]>();
    expectTypeOf<ReturnType<typeof choice>>().toExtend<ToolConfig>();
    expectTypeOf<ReturnType<typeof schema>>().toExtend<Schema>();
    expectTypeOf<ReturnType<typeof request> & { model: string }>().toExtend<GenerateContentParameters>();
    expectTypeOf<ReturnType<typeof gemini.toCalls>["value"]>().toExtend<Part[]>();
    expectTypeOf<ReturnType<typeof gemini.toResults>["value"]>().toExtend<Part[]>();
    // In JSON the enums are texts.
    const overHttp = () => gemini.formatSchema(true).value;
    expectTypeOf<NonNullable<ReturnType<typeof overHttp>["type"]>>().toExtend<`${Type}`>();

    expectTypeOf<GeminiSdkTool[]>().toExtend<Parameters<typeof gemini.fromTools>[0]>();
    expectTypeOf<ToolConfig>().toExtend<Parameters<typeof gemini.fromToolChoice>[0]>();
    expectTypeOf<Part[]>().toExtend<Parameters<typeof gemini.fromCalls>[0]>();
    expectTypeOf<Part[]>().toExtend<Parameters<typeof gemini.fromResults>[0]>();
    expectTypeOf<GenerateContentParameters>().toExtend<Parameters<typeof gemini.fromRequest>[0]>();
    expectTypeOf<{ contents: Content[] }>().toExtend<Parameters<typeof gemini.fromRequest>[0]>();
  });
});
