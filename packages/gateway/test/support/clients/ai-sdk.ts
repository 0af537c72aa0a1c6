import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, type LanguageModel, stepCountIs, streamText, tool } from "ai";
import { type Asking, type Client, type Got, nothing, question, runTool, tools } from "./client.js";

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const askWith =
  (modelAt: (url: string) => LanguageModel) =>
  async ({ url, stream, signal, onPiece }: Asking): Promise<Got> => {
    const got = nothing();
    const options = {
      model: modelAt(url),
      prompt: question,
      tools: Object.fromEntries(
        tools.map(({ name, description, schema }) => {
          const execute = async (input: unknown) => runTool(got, name, input);
          return [name, tool({ description, inputSchema: jsonSchema(schema as never), execute })];
        }),
      ),
      maxRetries: 0,
      stopWhen: stepCountIs(5),
      abortSignal: signal,
      providerOptions: {
        openai: { store: false },
        anthropic: { thinking: { type: "enabled" as const, budgetTokens: 1024 } },
      },
    };
    const streamed = async () => {
      const result = streamText({ ...options, onError() {} });
      for await (const part of result.fullStream) {
        if (part.type === "text-delta") onPiece?.(part.text);
        if (part.type === "tool-input-delta") onPiece?.(part.delta);
        if (part.type === "error")
          throw part.error instanceof Error ? part.error : new Error(JSON.stringify(part.error));
        if (part.type === "abort") throw new Error("aborted");
      }
      return result.steps;
    };
    const steps = stream ? await streamed() : (await generateText(options)).steps;
    for (const { text, reasoningText } of steps) {
      got.text += text;
      got.reasoning += reasoningText ?? "";
    }
    const last = steps.at(-1)?.finishReason;
    if (last !== "stop") throw new Error(`ended by ${last}`);
    return got;
  };

export const aiSdkClients: Client[] = [
  {
    of: "AI SDK",
    package: "@ai-sdk/openai-compatible",
    api: "Chat Completions",
    ask: askWith((url) => createOpenAICompatible({ name: "gateway", baseURL: `${url}/v1`, includeUsage: true })("m")),
  },
  {
    of: "AI SDK",
    package: "@ai-sdk/openai",
    api: "Responses",
    ask: askWith((url) => createOpenAI({ apiKey: "none", baseURL: `${url}/v1` }).responses("m")),
  },
  {
    of: "AI SDK",
    package: "@ai-sdk/anthropic",
    api: "Messages",
    ask: askWith((url) => createAnthropic({ apiKey: "none", baseURL: `${url}/v1` })("m")),
  },
];
