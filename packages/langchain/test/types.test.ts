import type { BaseChatModel, BindToolsInput } from "@langchain/core/language_models/chat_models";
import { type AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { createAgent, createMiddleware, initChatModel } from "langchain";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { type ParsedToolCall, ToolCallingChatModel, ToolCallOutputParser, withToolCalling } from "../src/index.js";
import { call, ScriptedTextModel } from "./scripted-text-model.js";

const model = () => new ScriptedTextModel({ replies: [call("extract", { city: "Oslo" })] });

// That this compiles is the test; `tsc` runs over it.
describe("the types", () => {
  it("accept models, bindings, fallbacks, chains and a middleware's model without a cast", async () => {
    const models = [
      withToolCalling(model()),
      withToolCalling(new FakeListChatModel({ responses: ["hi"] })),
      withToolCalling(model().withRetry()),
      withToolCalling(model().withFallbacks([model()])),
      withToolCalling(model().withConfig({ temperature: 1 })),
      withToolCalling(model() as BaseChatModel),
      withToolCalling(model().pipe(RunnableLambda.from((message: AIMessageChunk) => message))),
      withToolCalling(model().pipe(new StringOutputParser())),
      new ToolCallingChatModel({ model: model() }),
    ];
    for (const wrapped of models) {
      expectTypeOf(wrapped).toExtend<BaseChatModel>();
      expect((await wrapped.invoke([new HumanMessage("Hi")])).getType()).toBe("ai");
    }
    const configurable = async () => withToolCalling(await initChatModel("gpt-4", { modelProvider: "openai" }));
    expect(configurable).toBeTypeOf("function");
    const middleware = createMiddleware({
      name: "toolCalling",
      wrapModelCall: (request, handler) => handler({ ...request, model: withToolCalling(request.model) }),
    });
    expect(createAgent({ model: model(), tools: [], middleware: [middleware] })).toBeDefined();
    expect(createAgent({ model: withToolCalling(model()), tools: [] })).toBeDefined();
  });

  it("keep the wrapped model's call options next to their own", () => {
    const wrapped = withToolCalling(model());
    wrapped.withConfig({ temperature: 0.5, tool_choice: "any", parallel_tool_calls: false, stop: ["x"] });
    wrapped.bindTools([], { temperature: 0.5, tool_choice: "auto" });
    // @ts-expect-error: tools are objects
    wrapped.withConfig({ tools: "none" });
  });

  it("include the result of structured output", async () => {
    const wrapped = withToolCalling(model(), { protocol: "hermes" });
    const schema = z.object({ city: z.string() });
    const parsed = await wrapped.withStructuredOutput(schema).invoke("Where?");
    expectTypeOf(parsed).toEqualTypeOf<{ city: string }>();
    const { raw, parsed: again } = await wrapped.withStructuredOutput(schema, { includeRaw: true }).invoke("Where?");
    expectTypeOf(again).toEqualTypeOf<{ city: string }>();
    expect([parsed, again, raw.getType()]).toEqual([{ city: "Oslo" }, { city: "Oslo" }, "ai"]);
    interface Place {
      city: string;
    }
    expectTypeOf(
      wrapped.withStructuredOutput<Place>({ type: "object" }).invoke,
    ).returns.resolves.toEqualTypeOf<Place>();
  });

  it("of parsed calls are those of the tools", async () => {
    const add = tool(() => "", { name: "add", schema: z.object({ a: z.number() }) });
    const say = tool(() => "", { name: "say", schema: z.object({ text: z.string() }) });
    const plain = { name: "plain", description: "", schema: { type: "object" } } as const;
    const parser = new ToolCallOutputParser({ tools: [add, say, plain], protocol: "hermes" });
    const [first] = await parser.parse(call("add", { a: 1 }));
    if (first?.type === "add") expectTypeOf(first.args).toEqualTypeOf<{ a: number }>();
    if (first?.type === "say") expectTypeOf(first.args).toEqualTypeOf<{ text: string }>();
    if (first?.type === "plain") expectTypeOf(first.args).toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf(first?.type).toEqualTypeOf<"add" | "say" | "plain" | undefined>();
    expect(first?.type).toBe("add");
    const any = new ToolCallOutputParser({ tools: [add] as BindToolsInput[] });
    expectTypeOf(any.parse).returns.resolves.toEqualTypeOf<ParsedToolCall[]>();
    expectTypeOf(new ToolCallOutputParser().parse).returns.resolves.toEqualTypeOf<ParsedToolCall[]>();
  });
});
