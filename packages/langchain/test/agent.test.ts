import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { createReactAgent, ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { createAgent, createMiddleware, toolStrategy } from "langchain";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ToolCallingOptions, withToolCalling } from "../src/index.js";
import { call, type Reply, ScriptedTextModel } from "./scripted-text-model.js";

let ran: unknown[] = [];
beforeEach(() => {
  ran = [];
});

const add = tool(
  (args) => {
    ran.push(args);
    return String(args.a + args.b);
  },
  { name: "add", description: "Adds two numbers", schema: z.object({ a: z.number(), b: z.number() }) },
);
const capital = tool(({ country }) => `The capital of ${country} is Paris.`, {
  name: "capital",
  description: "Names a capital",
  schema: z.object({ country: z.string() }),
});
const tools = [add, capital];

const wrap = (replies: Reply[], options: ToolCallingOptions = {}) => {
  const inner = new ScriptedTextModel({ replies, usage: true });
  return { inner, model: withToolCalling(inner, { protocol: "hermes", ...options }) };
};
const types = (messages: BaseMessage[]) => messages.map((message) => message.getType());
const results = (messages: BaseMessage[]) => messages.filter((message) => ToolMessage.isInstance(message));
const lastRequest = (inner: ScriptedTextModel) =>
  inner.requests
    .at(-1)
    ?.map((message) => message.text)
    .join("\n") ?? "";

const twoTurns = [
  `Let me see.\n${call("add", { a: 2, b: 3 })}`,
  `${call("capital", { country: "France" })}\n${call("add", { a: 5, b: 5 })}`,
  "5, Paris and 10.",
];
const question = { messages: [new HumanMessage("What is 2 + 3?")] };

describe("an agent on a text-only model", () => {
  it("runs several turns, parallel calls among them, in createAgent", async () => {
    const { inner, model } = wrap(twoTurns);
    const { messages } = await createAgent({ model, tools, systemPrompt: "Be brief." }).invoke(question);
    expect(types(messages)).toEqual(["human", "ai", "tool", "ai", "tool", "tool", "ai"]);
    expect(results(messages).map((message) => message.content)).toEqual(["5", "The capital of France is Paris.", "10"]);
    expect(messages.map((message) => message.text)).toEqual(
      expect.arrayContaining(["Let me see.", "5, Paris and 10."]),
    );
    expect(inner.requests[0]?.[0]?.text).toMatch(/^Be brief\..*Adds two numbers/s);
    expect(lastRequest(inner)).toContain("The capital of France is Paris.");
  });

  it("keeps the prefix of its prompt from turn to turn", async () => {
    const { inner, model } = wrap(twoTurns);
    await createAgent({ model, tools }).invoke(question);
    const prompts = inner.requests.map((messages) => messages.map((message) => message.text).join("\n"));
    expect(prompts).toHaveLength(3);
    expect(prompts[1]?.startsWith(prompts[0] ?? "?")).toBe(true);
    expect(prompts[2]?.startsWith(prompts[1] ?? "?")).toBe(true);
  });

  it("runs in createReactAgent, also pre-bound", async () => {
    for (const bind of [false, true]) {
      const { model } = wrap(twoTurns);
      const agent = createReactAgent({ llm: bind ? model.bindTools(tools) : model, tools });
      const { messages } = await agent.invoke(question);
      expect(types(messages)).toEqual(["human", "ai", "tool", "ai", "tool", "tool", "ai"]);
    }
  });

  it("runs in a graph with ToolNode, resumed from a checkpoint", async () => {
    const { model } = wrap([...twoTurns, "You asked for a sum."]);
    const bound = model.bindTools(tools);
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("model", async ({ messages }) => ({ messages: [await bound.invoke(messages)] }))
      .addNode("tools", new ToolNode(tools))
      .addEdge(START, "model")
      .addConditionalEdges("model", toolsCondition, ["tools", END])
      .addEdge("tools", "model")
      .compile({ checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "1" } };
    await graph.invoke(question, config);
    const { messages } = await graph.invoke({ messages: [new HumanMessage("What did I ask?")] }, config);
    expect(messages.at(-1)?.text).toBe("You asked for a sum.");
    expect(messages).toHaveLength(9);
  });

  it("runs through middleware that wraps the model", async () => {
    const inner = new ScriptedTextModel({ replies: twoTurns });
    const middleware = createMiddleware({
      name: "toolCalling",
      wrapModelCall: (request, handler) =>
        handler({ ...request, model: withToolCalling(request.model, { protocol: "hermes" }) }),
    });
    const { messages } = await createAgent({ model: inner, tools, middleware: [middleware] }).invoke(question);
    expect(messages).toHaveLength(7);
  });

  it("runs without tools, and shows the model none", async () => {
    const { inner, model } = wrap(["Hello."]);
    const { messages } = await createAgent({ model, tools: [] }).invoke(question);
    expect(messages.at(-1)?.text).toBe("Hello.");
    expect(inner.requests[0]?.map((message) => message.text)).toEqual(["What is 2 + 3?"]);
  });

  it("answers with a structured response", async () => {
    const replies = [call("add", { a: 2, b: 3 }), call("answer", { sum: 5 })];
    const { model } = wrap(replies);
    const responseFormat = toolStrategy(z.object({ sum: z.number() }).meta({ title: "answer" }));
    const { structuredResponse } = await createAgent({ model, tools, responseFormat }).invoke(question);
    expect(structuredResponse).toEqual({ sum: 5 });
  });

  it("hides call options of the agent and the framework from the wrapped model", async () => {
    const { inner, model } = wrap(twoTurns);
    await createAgent({ model, tools }).invoke(question, { configurable: { thread_id: "1" } });
    for (const options of inner.options) expect(Object.keys(options).filter((key) => key !== "signal")).toEqual([]);
  });
});

describe("an invalid call", () => {
  const wrong = call("add", { a: "two", b: 3 });
  const unknown = call("subtract", { a: 2, b: 3 });
  const right = call("add", { a: 2, b: 3 });

  it("is requested again, unseen by the agent, and its tokens are counted", async () => {
    const { inner, model } = wrap([wrong, unknown, right, "It is 5."]);
    const { messages } = await createAgent({ model, tools }).invoke(question);
    expect(types(messages)).toEqual(["human", "ai", "tool", "ai"]);
    expect(inner.requests).toHaveLength(4);
    expect(ran).toEqual([{ a: 2, b: 3 }]);
    const usage = (messages[1] as AIMessage).usage_metadata as { output_tokens: number } | undefined;
    expect(usage?.output_tokens).toBe(wrong.length + unknown.length + right.length);
  });

  it.each([
    ["arguments that break the schema", wrong],
    ["an unknown tool", unknown],
  ])("continues to the tool node if retries do not help: %s", async (_, invalid) => {
    const { inner, model } = wrap([invalid, right, "It is 5."], { maxInvalidCallRetries: 0 });
    const { messages } = await createAgent({ model, tools }).invoke(question);
    expect(types(messages)).toEqual(["human", "ai", "tool", "ai", "tool", "ai"]);
    expect(results(messages)[0]?.status).toBe("error");
    expect(ran).toEqual([{ a: 2, b: 3 }]);
    expect(lastRequest(inner)).not.toMatch(/node_modules|file:\/\//);
  });

  it("that cannot be read ends the agent with a message", async () => {
    const { inner, model } = wrap([{ text: right.slice(0, 40), finish: "length" }]);
    const { messages } = await createAgent({ model, tools }).invoke(question);
    expect(inner.requests).toHaveLength(1);
    expect(messages.at(-1)?.text).toMatch(/"add" was cut off/);
    expect((messages.at(-1) as AIMessage).invalid_tool_calls).toHaveLength(1);
    expect(ran).toEqual([]);
  });

  it("with two values for a key does not run, although each fits the schema", async () => {
    const twice = call("add", { a: 1, b: 2 }).replace('"a":1', '"a":1,"a":7');
    expect(twice).toContain('"a":7');
    const { model } = wrap([twice]);
    const { messages } = await createAgent({ model, tools }).invoke(question);
    expect(results(messages)).toEqual([]);
    expect((messages.at(-1) as AIMessage).invalid_tool_calls).toMatchObject([{ name: "add" }]);
    expect(ran).toEqual([]);
    const structured = wrap([twice]).model.withStructuredOutput(z.object({ a: z.number(), b: z.number() }), {
      name: "add",
    });
    await expect(structured.invoke("Go.")).rejects.toThrow(/comes twice|add/);
  });

  it("does not affect its neighbours", async () => {
    const { model } = wrap([`${right}\n${unknown}`, "Done."], { maxInvalidCallRetries: 0 });
    const { messages } = await createAgent({ model, tools }).invoke(question);
    expect(results(messages).map((message) => message.status)).toEqual(["success", "error"]);
  });

  it("is listed, under surface", async () => {
    const { inner, model } = wrap([`${right}\n${unknown}`], { onInvalidCall: "surface" });
    const message = await model.bindTools(tools).invoke("Go.");
    expect(message.tool_calls).toMatchObject([{ name: "add" }]);
    expect(message.invalid_tool_calls).toMatchObject([
      { name: "subtract", error: expect.stringContaining("subtract") },
    ]);
    expect(inner.requests).toHaveLength(1);
  });

  it("is an error, under throw", async () => {
    const { model } = wrap([unknown], { onInvalidCall: "throw" });
    await expect(model.bindTools(tools).invoke("Go.")).rejects.toMatchObject({ code: "unknown-tool" });
  });

  it("in the history is shown to the model as it was", async () => {
    const { inner, model } = wrap(["Fine."]);
    const invalid_tool_calls = [
      { type: "invalid_tool_call" as const, id: "1", name: "add", args: '{"a":1}', error: "No b." },
    ];
    await model
      .bindTools(tools)
      .invoke([
        new HumanMessage("Go."),
        new AIMessage({ content: "", invalid_tool_calls }),
        new ToolMessage({ content: "No b.", tool_call_id: "1", status: "error" }),
      ]);
    expect(lastRequest(inner)).toContain('{"a": 1}');
    expect(lastRequest(inner)).toContain("No b.");
  });
});
