import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, type LanguageModel, stepCountIs, streamText, tool } from "ai";
import { describe, expect, it } from "vitest";
import { delta, event, reply, stream } from "../../endpoints/test/support/scripted-server.js";
import { call, gatewayBefore, parameters, pieces, promptOf } from "./support/gateway.js";

// The AI SDK reads each API more strictly than OpenAI's and Anthropic's own SDKs in some places, and less in others.

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const providers: [string, (url: string) => LanguageModel][] = [
  [
    "Chat Completions",
    (url) => createOpenAICompatible({ name: "gateway", baseURL: `${url}/v1`, includeUsage: true })("m"),
  ],
  ["Responses", (url) => createOpenAI({ apiKey: "none", baseURL: `${url}/v1` }).responses("m")],
  ["Messages", (url) => createAnthropic({ apiKey: "none", baseURL: `${url}/v1` })("m")],
];
const tools = {
  get_weather: tool({ description: "The weather of a city", inputSchema: jsonSchema(parameters as never) }),
  now: tool({ inputSchema: jsonSchema({ type: "object", properties: {} }) }),
};
const two = `I look.\n${call({ city: "Oslo" })}\n${call({}, "now")}`;

describe.each(providers)("the AI SDK over %s", (_, modelAt) => {
  async function partsOf(answers: Parameters<typeof gatewayBefore>[0]) {
    const { url } = await gatewayBefore(answers);
    const result = streamText({
      model: modelAt(url),
      prompt: "Weather?",
      tools: tools as never,
      maxRetries: 0,
      onError() {},
    });
    const parts: string[] = [];
    for await (const part of result.fullStream) {
      if (part.type === "tool-call")
        parts.push(`${part.toolName} ${JSON.stringify(part.input)}${part.invalid ? " invalid" : ""}`);
      if (part.type === "text-delta") parts.push(part.text);
      if (part.type === "error")
        parts.push(`error ${String((part.error as Error)?.message ?? JSON.stringify(part.error))}`);
      if (part.type === "finish") parts.push(`finish ${part.finishReason}`);
    }
    return parts;
  }

  it("streams text, two calls and one without arguments", async () => {
    const parts = await partsOf([stream(reply(...pieces(two)))]);
    expect(parts.slice(-3)).toEqual(['get_weather {"city":"Oslo"}', "now {}", "finish tool-calls"]);
    expect(parts.slice(0, -3).join("")).toBe("I look.");
  });

  it("streams an answer without a call", async () => {
    expect((await partsOf([stream(reply("It is ", "sunny."))])).join("|")).toMatch(
      /^It is\|? ?\|?sunny\.\|finish stop$/,
    );
  });

  it("reports an error in the middle", async () => {
    const broken = [delta("It is "), event({ error: { message: "The GPU is gone." } })];
    const parts = await partsOf([stream(broken)]);
    expect(parts[0]).toBe("It is");
    expect(parts.join("|")).toMatch(/error/);
    expect(parts.at(-1)).not.toBe("finish stop");
  });

  it("runs a tool and answers with its result, streamed and not", async () => {
    for (const isStream of [true, false]) {
      const { url, upstream } = await gatewayBefore([
        stream(reply(...pieces(call({ city: "Oslo" })))),
        stream(reply("It is 3 degrees.")),
      ]);
      const weather = { ...tools.get_weather, execute: async () => "3 degrees" };
      const options = {
        model: modelAt(url),
        prompt: "Weather?",
        tools: { get_weather: weather },
        maxRetries: 0,
        stopWhen: stepCountIs(3),
        providerOptions: { openai: { store: false } },
      };
      const text = isStream ? await streamText(options as never).text : (await generateText(options as never)).text;
      expect(text).toBe("It is 3 degrees.");
      const prompt = promptOf(upstream.requests[1]!);
      expect(prompt).toContain("3 degrees");
      expect(prompt).toContain('"city":');
    }
  });
});
