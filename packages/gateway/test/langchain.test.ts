import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { reply, stream } from "../../endpoints/test/support/scripted-server.js";
import { call, gatewayBefore, parameters, pieces, promptOf } from "./support/gateway.js";

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

const getWeather = tool(async ({ city }: { city: string }) => `3 degrees in ${city}`, {
  name: "get_weather",
  description: "The weather of a city",
  schema: parameters as never,
});

describe.each(models)("an agent of LangChain on %s", (_, modelAt) => {
  const answers = () => [
    stream(reply(...pieces(`I look.\n${call({ city: "Oslo" })}\n${call({ city: "Rome" })}`))),
    stream(reply("Both are cold.")),
  ];

  it("runs two tools and answers", async () => {
    const { url, upstream } = await gatewayBefore(answers());
    const agent = createAgent({ model: modelAt(url), tools: [getWeather] });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Weather?" }] });
    expect(messages.at(-1)?.text).toBe("Both are cold.");
    const prompt = promptOf(upstream.requests[1]!);
    for (const part of ["I look.", "3 degrees in Oslo", "3 degrees in Rome"]) expect(prompt).toContain(part);
  });

  it("streams", async () => {
    const { url } = await gatewayBefore(answers());
    const agent = createAgent({ model: modelAt(url), tools: [getWeather] });
    const inputs = { messages: [{ role: "user" as const, content: "Weather?" }] };
    let text = "";
    for await (const [message] of await agent.stream(inputs, { streamMode: "messages" })) text += message.text;
    expect(text).toContain("I look.");
    expect(text).toMatch(/Both are cold\.$/);
  });

  it("gives structured output", async () => {
    const { url } = await gatewayBefore([stream(reply('{"city": "Oslo"}'))]);
    const structured = modelAt(url).withStructuredOutput(parameters, { name: "city" });
    expect(await structured.invoke("Which city?")).toEqual({ city: "Oslo" });
  });
});
