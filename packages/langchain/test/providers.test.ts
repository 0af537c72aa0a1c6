import { ChatCloudflareWorkersAI } from "@langchain/cloudflare";
import { ChatFriendli } from "@langchain/community/chat_models/friendli";
import { ChatMinimax } from "@langchain/community/chat_models/minimax";
import { ChatMoonshot } from "@langchain/community/chat_models/moonshot";
import { ChatPerplexity } from "@langchain/community/chat_models/perplexity";
import { PortkeyChat } from "@langchain/community/chat_models/portkey";
import { ChatTencentHunyuan } from "@langchain/community/chat_models/tencent_hunyuan";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOllama } from "@langchain/ollama";
import { ChatOpenAI } from "@langchain/openai";
import { ChatYandexGPT } from "@langchain/yandex";
import { createAgent } from "langchain";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { withToolCalling } from "../src/index.js";
import { call } from "./scripted-text-model.js";
import { TextServer } from "./text-server.js";

// The real classes of packages on npm, against a stand-in of their HTTP APIs. Of those without bindTools these have none:
// ChatLlamaCpp runs weights in this process (the embedded model replaces it in the standard tests), ChatWebLLM in a
// browser's GPU, ChatIflytekXinghuo talks over a WebSocket, ArcjetRedact wraps another model; ChatPrem and
// ChatBaiduQianfan are an SDK's callers.

const server = new TextServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  server.reset((messages) =>
    messages.at(-1)?.content.includes("<tool_response>") ? "It is 5." : `Adding.\n${call("add", { a: 2, b: 3 })}`,
  );
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** For classes in which the address is fixed. */
function redirect(address: string, path = ""): void {
  const real = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation((url, init) =>
    real(String(url).replace(address, server.url + path), init),
  );
}

const models: [string, () => BaseChatModel, RegExp][] = [
  [
    "ChatCloudflareWorkersAI",
    () =>
      new ChatCloudflareWorkersAI({
        baseUrl: `${server.url}/cf`,
        model: "@cf/meta/llama-2-7b-chat-int8",
        cloudflareAccountId: "a",
        cloudflareApiToken: "t",
      }),
    /bindTools/,
  ],
  ["ChatFriendli", () => new ChatFriendli({ baseUrl: server.url, friendliToken: "t", model: "m" }), /bindTools/],
  [
    "ChatPerplexity",
    () => {
      const model = new ChatPerplexity({ model: "sonar", apiKey: "k" });
      Object.assign((model as unknown as { client: object }).client, { baseURL: `${server.url}/v1` });
      return model;
    },
    /bindTools/,
  ],
  [
    "ChatMoonshot",
    () => Object.assign(new ChatMoonshot({ apiKey: "k" }), { apiUrl: `${server.url}/v1/chat/completions` }),
    /bindTools/,
  ],
  [
    "ChatYandexGPT",
    () => {
      redirect("https://llm.api.cloud.yandex.net");
      return new ChatYandexGPT({ apiKey: "k", folderID: "f" });
    },
    /bindTools/,
  ],
  [
    "PortkeyChat",
    () => {
      // The class needs Portkey's client from before version 1.1, which reads the key from the environment at construction.
      vi.stubEnv("PORTKEY_API_KEY", "k");
      return new PortkeyChat({ apiKey: "k", baseURL: server.url, mode: "single", llms: [{ provider: "openai" }] });
    },
    /bindTools/,
  ],
  [
    "ChatMinimax",
    () =>
      new ChatMinimax({
        minimaxApiKey: "k",
        minimaxGroupId: "g",
        proVersion: true,
        configuration: { basePath: `${server.url}/minimax` },
      }),
    /bindTools/,
  ],
  [
    "ChatTencentHunyuan",
    () => {
      redirect("https://hunyuan.tencentcloudapi.com", "/hunyuan/");
      return new ChatTencentHunyuan({ tencentSecretId: "i", tencentSecretKey: "k", streaming: true });
    },
    /bindTools/,
  ],
  // These have bindTools; it is the model that refuses.
  [
    "ChatOllama",
    () => new ChatOllama({ model: "gemma3", baseUrl: server.url, maxRetries: 0 }),
    /does not support tools/,
  ],
  [
    "ChatOpenAI",
    () =>
      new ChatOpenAI({ model: "gemma", apiKey: "k", maxRetries: 0, configuration: { baseURL: `${server.url}/v1` } }),
    /does not support tools/,
  ],
];

const add = tool(({ a, b }) => String(a + b), {
  name: "add",
  description: "Adds two numbers",
  schema: z.object({ a: z.number(), b: z.number() }),
});
const question = { messages: [new HumanMessage("2 + 3?")] };

describe.each(models)("%s", (_, make, failure) => {
  it("fails in an agent unwrapped", async () => {
    const agent = createAgent({ model: make(), tools: [add] });
    await expect(agent.invoke(question)).rejects.toThrow(failure);
  });

  it.each(["never", "auto"] as const)("wrapped, runs in the same agent, native: %s", async (native) => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const agent = createAgent({
      model: withToolCalling(make(), { protocol: "hermes", native }),
      tools: [add],
      systemPrompt: "Be brief.",
    });
    const { messages } = await agent.invoke(question);
    expect(messages.map((message) => message.getType())).toEqual(["human", "ai", "tool", "ai"]);
    expect(messages.map((message) => message.text)).toEqual(["2 + 3?", "Adding.", "5", "It is 5."]);
    const seen: string[] = [];
    for await (const [message] of await agent.stream(question, { streamMode: "messages" })) {
      if (AIMessageChunk.isInstance(message)) seen.push(message.text);
    }
    expect(seen.join("")).toBe("Adding.It is 5.");
    // Refused once, for good.
    expect(server.requests.filter(({ tools }) => Array.isArray(tools)).length).toBeLessThanOrEqual(1);
  });
});

it("a stop after the first call closes ChatOpenAI's HTTP request", async () => {
  server.reset(() => `${call("add", { a: 2, b: 3 })}\n${"and so on ".repeat(5000)}`);
  const inner = new ChatOpenAI({ model: "m", apiKey: "k", configuration: { baseURL: `${server.url}/v1` } });
  const bound = withToolCalling(inner, { protocol: "hermes" }).bindTools([add], { parallel_tool_calls: false });
  expect((await bound.invoke("Go.")).tool_calls).toHaveLength(1);
  await expect.poll(() => server.closed).toBe(1);
});
