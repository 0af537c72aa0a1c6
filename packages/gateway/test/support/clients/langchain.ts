import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { type Asking, type Client, type Got, nothing, question, runTool, tools } from "./client.js";

function thoughtIn({ contentBlocks, additional_kwargs }: BaseMessage): string {
  const blocks = contentBlocks.map((block) => (block.type === "reasoning" ? block.reasoning : ""));
  return blocks.join("") || String(additional_kwargs.reasoning_content ?? "");
}

const askWith =
  (modelAt: (url: string) => BaseChatModel) =>
  async ({ url, stream, signal, onPiece }: Asking): Promise<Got> => {
    const got = nothing();
    const agent = createAgent({
      model: modelAt(url),
      tools: tools.map(({ name, description, schema }) =>
        tool(async (input: unknown) => runTool(got, name, input), { name, description, schema: schema as never }),
      ),
    });
    const inputs = { messages: [{ role: "user" as const, content: question }] };
    if (stream) {
      for await (const [message] of await agent.stream(inputs, { streamMode: "messages", signal })) {
        if (!AIMessageChunk.isInstance(message)) continue;
        onPiece?.(message.text + (message.tool_call_chunks ?? []).map(({ args }) => args ?? "").join(""));
        got.text += message.text;
        got.reasoning += thoughtIn(message);
      }
      return got;
    }
    const { messages } = await agent.invoke(inputs, { signal });
    for (const message of messages) {
      if (!AIMessage.isInstance(message)) continue;
      got.text += message.text;
      got.reasoning += thoughtIn(message);
    }
    return got;
  };

const openai = (url: string) => ({
  model: "m",
  apiKey: "none",
  maxRetries: 0,
  configuration: { baseURL: `${url}/v1` },
});

export const langchainClients: Client[] = [
  {
    of: "LangChain's `createAgent`",
    package: "@langchain/openai",
    api: "Chat Completions",
    ask: askWith((url) => new ChatOpenAI(openai(url))),
  },
  {
    of: "LangChain's `createAgent`",
    package: "@langchain/openai",
    api: "Responses",
    ask: askWith((url) => new ChatOpenAI({ ...openai(url), useResponsesApi: true, zdrEnabled: true })),
  },
  {
    of: "LangChain's `createAgent`",
    package: "@langchain/anthropic",
    api: "Messages",
    ask: askWith(
      (url) =>
        new ChatAnthropic({
          model: "m",
          apiKey: "none",
          maxRetries: 0,
          maxTokens: 2000,
          anthropicApiUrl: url,
          thinking: { type: "enabled", budget_tokens: 1024 },
        }),
    ),
  },
];
