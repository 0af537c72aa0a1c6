import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { ChatOpenAI } from "@langchain/openai";
import { describe, expect, it } from "vitest";
import { reply, stream } from "../../endpoints/test/support/scripted-server.js";
import { gatewayBefore, parameters } from "./support/gateway.js";

const models: [string, (url: string) => BaseChatModel][] = [
  [
    "ChatOpenAI",
    (url) => new ChatOpenAI({ model: "m", apiKey: "none", maxRetries: 0, configuration: { baseURL: `${url}/v1` } }),
  ],
  [
    "ChatOpenAI with Responses",
    (url) =>
      new ChatOpenAI({
        model: "m",
        apiKey: "none",
        maxRetries: 0,
        useResponsesApi: true,
        zdrEnabled: true,
        configuration: { baseURL: `${url}/v1` },
      }),
  ],
  ["ChatAnthropic", (url) => new ChatAnthropic({ model: "m", apiKey: "none", maxRetries: 0, anthropicApiUrl: url })],
];

describe.each(models)("a model of LangChain, %s", (_, modelAt) => {
  it("returns structured output", async () => {
    const { url } = await gatewayBefore([stream(reply('{"city": "Oslo"}'))]);
    const structured = modelAt(url).withStructuredOutput(parameters, { name: "city" });
    expect(await structured.invoke("Which city?")).toEqual({ city: "Oslo" });
  });
});
