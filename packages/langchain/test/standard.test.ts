import { readFileSync } from "node:fs";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { BaseMessage } from "@langchain/core/messages";
import { ChatOllama } from "@langchain/ollama";
import { ChatOpenAI } from "@langchain/openai";
import { EmbeddedChatModel } from "@toolingua/llama-cpp/langchain";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ScriptedTextModel } from "./scripted-text-model.js";
import { notApplicable, standardTests, type Target } from "./standard-tests.js";
import { type Brain, TextServer } from "./text-server.js";
import { tinyEngine } from "./tiny-engine.js";

const server = new TextServer();
beforeAll(async () => {
  await server.start();
  vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterAll(() => server.stop());
const served = () =>
  ((server.requests.at(-1)?.messages ?? []) as { content: string }[]).map(({ content }) => content).join("\n");

let scripted: ScriptedTextModel;
const fake: Target = {
  make: (brain) => {
    let request = 0;
    const replies = () => brain([], request++);
    // Pieces that end inside every marker and between the halves of every pair.
    const chunk = (text: string) => text.split(/(?<=<)|(?<=tool_)|(?=})|(?<=")|(?<=\n)/);
    scripted = new ScriptedTextModel({ replies, chunk, usage: true });
    return scripted;
  },
  lastRequest: () =>
    scripted.requests
      .at(-1)
      ?.map((message) => message.text)
      .join("\n") ?? "",
  lsParams: { ls_model_type: "chat", ls_provider: "ScriptedTextModel" },
};
const openAI: Target = {
  make: (brain) => {
    server.reset(brain);
    return new ChatOpenAI({ model: "m", apiKey: "k", maxRetries: 0, configuration: { baseURL: `${server.url}/v1` } });
  },
  lastRequest: served,
  lsParams: { ls_model_type: "chat", ls_provider: "openai", ls_model_name: "m" },
};
const ollama: Target = {
  make: (brain) => {
    server.reset(brain);
    return new ChatOllama({ model: "gemma3", baseUrl: server.url, maxRetries: 0 });
  },
  lastRequest: served,
  lsParams: { ls_model_type: "chat", ls_provider: "ollama", ls_model_name: "gemma3" },
};

/** The embedded engine on a model of a few hundred kilobytes, which a grammar holds to the brain's words. */
class Forced extends EmbeddedChatModel {
  static sent = "";
  request = 0;

  constructor(private readonly brain: Brain) {
    super({ engine: engine(), maxTokens: 400 });
  }

  override _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]) {
    return super._generate(messages, this.forced(messages, options));
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    manager?: CallbackManagerForLLMRun,
  ) {
    yield* super._streamResponseChunks(messages, this.forced(messages, options), manager);
  }

  private forced(messages: BaseMessage[], options: this["ParsedCallOptions"]) {
    Forced.sent = messages.map((message) => message.text).join("\n");
    return { ...options, grammar: `root ::= ${JSON.stringify(this.brain([], this.request++))}` };
  }
}

const engine = tinyEngine();
const embedded: Target = {
  make: (brain) => new Forced(brain),
  lastRequest: () => Forced.sent,
  lsParams: { ls_model_type: "chat" },
};

describe("LangChain's standard tests, on the embedded model", () => standardTests(embedded));
describe("LangChain's standard tests, on a fake with adversarial chunking", () => standardTests(fake));
describe("the same if arguments stream", () => standardTests(fake, { onInvalidCall: "surface" }));
describe("LangChain's standard tests, on ChatOpenAI and a text-only server", () => standardTests(openAI));
describe("LangChain's standard tests, on ChatOllama and a text-only server", () => standardTests(ollama));
describe("the same if its own tools are tried first, and refused", () => standardTests(openAI, { native: "auto" }));

it("every method of LangChain's suite is called here, or listed with a reason", () => {
  const written = readFileSync(new URL("standard-tests.ts", import.meta.url), "utf8");
  const named = (name: string) => written.includes(`("${name}"`) || name in notApplicable;
  expect(methods.filter((name) => !named(name))).toEqual([]);
});

/** The methods of `ChatModelUnitTests` and `ChatModelIntegrationTests`. */
const methods =
  "testChatModelInit testChatModelInitApiKey testChatModelInitStreaming testChatModelWithBindTools testChatModelWithStructuredOutput testStandardParams testInvokeThrowsWithAbortedSignal testStreamReturnsEarlyWithAbortedSignal testInvoke testStream testBatch testConversation testUsageMetadata testUsageMetadataStreaming testToolMessageHistoriesStringContent testToolMessageHistoriesListContent testStructuredFewShotExamples testWithStructuredOutput testWithStructuredOutputIncludeRaw testBindToolsWithOpenAIFormattedTools testBindToolsWithRunnableToolLike testCacheComplexMessageTypes testStreamTokensWithToolCalls testModelCanUseToolUseAIMessage testModelCanUseToolUseAIMessageWithStreaming testInvokeMoreComplexTools testParallelToolCalling testModelCanAcceptStructuredToolParamsSchema testStreamTools testStandardTextContentBlocks testStandardImageContentBlocks testStandardAudioContentBlocks testStandardFileContentBlocks testStreamEvents testDoubleMessageConversation testStopSequence testToolCalling".split(
    " ",
  );
