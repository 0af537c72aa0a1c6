import { InMemoryCache } from "@langchain/core/caches";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { concat } from "@langchain/core/utils/stream";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ToolCallingChatModel, type ToolCallingOptions, withToolCalling } from "../src/index.js";
import { call } from "./scripted-text-model.js";
import type { Brain } from "./text-server.js";

/** A kind of text-only model to put the wrapper on. */
export interface Target {
  /** A model that answers by this brain. */
  make(brain: Brain): BaseChatModel;
  /** What the last request said to it, all messages joined. */
  lastRequest(): string;
  /** Its parameters for LangSmith. */
  lsParams: Record<string, unknown>;
}

/** Methods of LangChain's suite that say nothing about a wrapper, or about text, and why. */
export const notApplicable: Record<string, string> = {
  testChatModelInitApiKey: "the wrapper has no key; that of the wrapped model is tested by its own package",
  testStandardAudioContentBlocks: "asks a model about a sound; whether blocks get through is in images.test.ts",
  testStandardFileContentBlocks: "asks a model about a file; whether blocks get through is in images.test.ts",
  testStandardImageContentBlocks: "asks a model about a picture; whether blocks get through is in images.test.ts",
};

/** What its arguments are called upstream; the tool's own result is checked by the agent tests. */
const addSchema = z.object({ a: z.number().describe("The first number"), b: z.number().describe("The second number") });
const adder = tool(({ a, b }) => String(a + b), {
  name: "math_addition",
  description: "Adds numbers",
  schema: addSchema,
});
const weatherSchema = z.object({ location: z.string().describe("The city") });
const weather = tool(async () => "sunny", {
  name: "get_current_weather",
  description: "The weather",
  schema: weatherSchema,
});
const addition = call("math_addition", { a: 2, b: 3 });
const forecast = call("get_current_weather", { location: "San Francisco" });

/**
 * LangChain's `standard-tests` (internal to its repository, never published), written again: the same names and
 * meanings, with the answers of the model given.
 */
export function standardTests(target: Target, options: ToolCallingOptions = {}): void {
  const wrap = (...replies: string[]) => {
    const brain: Brain = (_, request) => replies[Math.min(request, replies.length - 1)] ?? "Hello.";
    return withToolCalling(target.make(brain), { protocol: "hermes", ...options });
  };
  const streamed = async (stream: Promise<AsyncIterable<AIMessageChunk>>) => {
    let whole: AIMessageChunk | undefined;
    let count = 0;
    for await (const chunk of await stream) {
      expect(AIMessageChunk.isInstance(chunk)).toBe(true);
      whole = whole ? concat(whole, chunk) : chunk;
      count++;
    }
    return { whole: whole!, count };
  };
  const expectCall = (message: AIMessage, name: string, args: Record<string, unknown>) => {
    expect(message.tool_calls).toMatchObject([{ name, args, type: "tool_call", id: expect.any(String) }]);
    expect(message.invalid_tool_calls).toEqual([]);
  };

  describe("unit", () => {
    it("testChatModelInit", () => {
      const fields = { temperature: 0, maxTokens: 100, timeout: 60, stopSequences: [], maxRetries: 2 };
      expect(new ToolCallingChatModel({ model: target.make(() => ""), ...fields })).toBeDefined();
    });
    it("testChatModelInitStreaming", () => {
      expect(new ToolCallingChatModel({ model: target.make(() => ""), streaming: true } as never)).toBeDefined();
    });
    it("testChatModelWithBindTools", () => {
      expect(wrap("").bindTools([adder]).invoke).toBeTypeOf("function");
    });
    it("testChatModelWithStructuredOutput", () => {
      expect(wrap("").withStructuredOutput(addSchema).invoke).toBeTypeOf("function");
    });
    it("testStandardParams", () => {
      expect(wrap("").getLsParams({})).toMatchObject(target.lsParams);
    });
    it("testInvokeThrowsWithAbortedSignal", async () => {
      await expect(wrap("").invoke("Hello", { signal: AbortSignal.abort() })).rejects.toThrow();
    });
    it("testStreamReturnsEarlyWithAbortedSignal", async () => {
      const read = async () => {
        let count = 0;
        for await (const _ of await wrap("Hello").stream("Hello", { signal: AbortSignal.abort() })) count++;
        return count;
      };
      expect(await read().catch(() => 0)).toBe(0);
    });
  });

  describe("integration", () => {
    it("testInvoke", async () => {
      const message = await wrap("Hello there.").invoke("Hello");
      expect(AIMessage.isInstance(message)).toBe(true);
      expect(message.content).toBe("Hello there.");
    });
    it("testStream", async () => {
      const { whole, count } = await streamed(wrap("Hello there.").stream("Hello"));
      expect(whole.content).toBe("Hello there.");
      expect(count).toBeGreaterThan(1);
    });
    it("testBatch", async () => {
      const messages = await wrap("Hello.").batch(["Hello", "Hey"]);
      expect(messages.map((message) => message.content)).toEqual(["Hello.", "Hello."]);
    });
    it("testConversation", async () => {
      const messages = [new HumanMessage("hello"), new AIMessage("hello"), new HumanMessage("how are you")];
      expect((await wrap("Fine.").invoke(messages)).content).toBe("Fine.");
    });
    it("testDoubleMessageConversation", async () => {
      const messages = [new SystemMessage("Be brief."), new HumanMessage("hi"), new HumanMessage("how are you")];
      expect((await wrap("Fine.").invoke(messages)).content).toBe("Fine.");
    });
    it("testStopSequence", async () => {
      expect((await wrap("one two three").invoke("Count.", { stop: ["two"] })).content).toBe("one ");
    });
    it("testUsageMetadata", async () => {
      const message = await wrap("Hello.").invoke("Hello");
      const usage = message.usage_metadata as unknown as Record<
        "input_tokens" | "output_tokens" | "total_tokens",
        number
      >;
      expect(usage.output_tokens).toBeGreaterThan(0);
      expect(usage.total_tokens).toBe(usage.input_tokens + usage.output_tokens);
    });
    it("testUsageMetadataStreaming", async () => {
      const { whole } = await streamed(wrap("Hello.").stream("Hello"));
      expect((whole.usage_metadata as unknown as { output_tokens: number }).output_tokens).toBeGreaterThan(0);
    });
    const history = (content: AIMessage["content"]) => [
      new HumanMessage("What is 1 + 2?"),
      new AIMessage({ content, tool_calls: [{ name: "math_addition", args: { a: 1, b: 2 }, id: "abc123" }] }),
      new ToolMessage({ name: "math_addition", content: "3", tool_call_id: "abc123" }),
    ];
    it("testToolMessageHistoriesStringContent", async () => {
      expect((await wrap("It is 3.").bindTools([adder]).invoke(history(""))).content).toBe("It is 3.");
      expect(target.lastRequest()).toContain('"a": 1');
    });
    it("testToolMessageHistoriesListContent", async () => {
      const content = [
        { type: "text", text: "some text" },
        { type: "tool_use", id: "abc123", name: "math_addition", input: { a: 1, b: 2 } },
      ];
      expect(
        (
          await wrap("It is 3.")
            .bindTools([adder])
            .invoke(history(content as never))
        ).content,
      ).toBe("It is 3.");
      expect(target.lastRequest().match(/"a": 1/g)).toHaveLength(1);
    });
    it("testStructuredFewShotExamples", async () => {
      const messages = [...history(""), new AIMessage("3"), new HumanMessage("What is 3 + 4?")];
      expect((await wrap("7").bindTools([adder]).invoke(messages)).content).toBe("7");
    });
    it("testWithStructuredOutput", async () => {
      const model = wrap(addition).withStructuredOutput(addSchema, { name: "math_addition" });
      expect(await model.invoke("What is 2 + 3?")).toEqual({ a: 2, b: 3 });
    });
    it("testWithStructuredOutputIncludeRaw", async () => {
      const model = wrap(addition).withStructuredOutput(addSchema, { name: "math_addition", includeRaw: true });
      const { raw, parsed } = await model.invoke("What is 2 + 3?");
      expect(parsed).toEqual({ a: 2, b: 3 });
      expect(AIMessage.isInstance(raw)).toBe(true);
    });
    it("testBindToolsWithOpenAIFormattedTools", async () => {
      const parameters = { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } };
      const formatted = { type: "function", function: { name: "math_addition", description: "Adds", parameters } };
      expectCall(await wrap(addition).bindTools([formatted]).invoke("2 + 3?"), "math_addition", { a: 2, b: 3 });
    });
    it("testBindToolsWithRunnableToolLike", async () => {
      const runnable = RunnableLambda.from(({ a, b }: z.infer<typeof addSchema>) => String(a + b));
      const like = runnable.asTool({ name: "math_addition", description: "Adds", schema: addSchema });
      expectCall(await wrap(addition).bindTools([like]).invoke("2 + 3?"), "math_addition", { a: 2, b: 3 });
    });
    it("testCacheComplexMessageTypes", async () => {
      const cache = new InMemoryCache(new Map());
      const model = new ToolCallingChatModel({ model: target.make((_, i) => `Hello ${i}.`), cache });
      const messages = [new HumanMessage({ content: [{ type: "text", text: "Hello there!" }] })];
      const [first, second] = [await model.invoke(messages), await model.invoke(messages)];
      expect(second.content).toBe(first.content);
    });
    it("testStreamTokensWithToolCalls", async () => {
      const { whole } = await streamed(wrap(`Let me see.\n${forecast}`).bindTools([weather]).stream("Weather?"));
      expect(whole.content).toBe("Let me see.");
      expectCall(whole, "get_current_weather", { location: "San Francisco" });
    });
    it("testModelCanUseToolUseAIMessage", async () => {
      const model = wrap(addition, "It is 5.").bindTools([adder]);
      const messages: (HumanMessage | AIMessage | ToolMessage)[] = [new HumanMessage("2 + 3?")];
      messages.push(await model.invoke(messages));
      const [asked] = (messages[1] as AIMessage).tool_calls ?? [];
      messages.push(new ToolMessage({ content: "5", tool_call_id: asked?.id ?? "", name: "math_addition" }));
      expect((await model.invoke(messages)).content).toBe("It is 5.");
    });
    it("testModelCanUseToolUseAIMessageWithStreaming", async () => {
      const model = wrap(addition, "It is 5.").bindTools([adder]);
      const { whole } = await streamed(model.stream("2 + 3?"));
      const result = new ToolMessage({ content: "5", tool_call_id: whole.tool_calls?.[0]?.id ?? "" });
      const { whole: answer } = await streamed(model.stream([new HumanMessage("2 + 3?"), whole, result]));
      expect(answer.content).toBe("It is 5.");
    });
    it("testInvokeMoreComplexTools", async () => {
      const schema = z.object({
        decision: z.enum(["UseAPI", "UseFetch"]).describe("The choice"),
        reasoning: z.string(),
        apiDetails: z
          .object({ serviceName: z.string(), endpointName: z.string(), parameters: z.record(z.string(), z.unknown()) })
          .optional(),
      });
      const args = {
        decision: "UseAPI",
        reasoning: 'It says "<weather>".',
        apiDetails: { serviceName: "weather", endpointName: "now", parameters: { city: "Oslo", days: [1, 2] } },
      };
      const choose = { name: "service_tool", description: "Chooses", schema };
      expectCall(await wrap(call("service_tool", args)).bindTools([choose]).invoke("Weather?"), "service_tool", args);
    });
    it("testParallelToolCalling", async () => {
      const model = wrap(`${addition}\n${forecast}`).bindTools([adder, weather]);
      const names = ["math_addition", "get_current_weather"];
      expect((await model.invoke("Both.")).tool_calls?.map(({ name }) => name)).toEqual(names);
      const { whole } = await streamed(model.stream("Both."));
      expect(whole.tool_calls?.map(({ name }) => name)).toEqual(names);
    });
    it("testModelCanAcceptStructuredToolParamsSchema", async () => {
      const parameters = { name: "math_addition", description: "Adds", schema: addSchema };
      expectCall(await wrap(addition).bindTools([parameters]).invoke("2 + 3?"), "math_addition", { a: 2, b: 3 });
    });
    it("testToolCalling", async () => {
      const template = ChatPromptTemplate.fromMessages([["human", "{input}"]]);
      expectCall(await template.pipe(wrap(addition).bindTools([adder])).invoke({ input: "2 + 3?" }), "math_addition", {
        a: 2,
        b: 3,
      });
    });
    it("testStreamTools", async () => {
      const { whole } = await streamed(wrap(forecast).bindTools([weather]).stream("Weather?"));
      expectCall(whole, "get_current_weather", { location: "San Francisco" });
    });
    it("testStreamEvents", async () => {
      const events: string[] = [];
      for await (const { event } of wrap("Hello.").streamEvents("Hello", { version: "v2" })) events.push(event);
      expect(events[0]).toBe("on_chat_model_start");
      expect(events).toContain("on_chat_model_stream");
      expect(events.at(-1)).toBe("on_chat_model_end");
    });
    it("testStandardTextContentBlocks", async () => {
      const content = [
        { type: "text", text: "Say" },
        { type: "text", text: "hello" },
      ];
      expect((await wrap("Hello.").invoke([new HumanMessage({ content })])).content).toBe("Hello.");
      expect(target.lastRequest()).toMatch(/Say\s+hello/);
    });
  });
}
