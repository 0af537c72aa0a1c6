import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { type AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import {
  Command,
  END,
  getCurrentTaskInput,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { createReactAgent, ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { createAgent, humanInTheLoopMiddleware, toolStrategy } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { withToolCalling } from "../src/index.js";
import { NativeModel, type NativeTurn } from "./native-model.js";
import { call, ScriptedTextModel } from "./scripted-text-model.js";

// Each graph runs with a native model and with a wrapped one with the same replies: the results are equal.

const asText = ({ text = "", calls = [] }: NativeTurn) =>
  [text, ...calls.map(({ name, args }) => call(name, args))].filter((part) => part !== "").join("\n");

/** The two models that say these things, one turn each. */
const both = (turns: NativeTurn[]): [string, BaseChatModel][] => [
  ["native", new NativeModel({ turns })],
  ["wrapped", withToolCalling(new ScriptedTextModel({ replies: turns.map(asText) }), { protocol: "hermes" })],
];

const shape = (messages: BaseMessage[]) =>
  messages.map((message) => ({
    type: message.getType(),
    text: message.text,
    name: message.name,
    calls: ((message as AIMessage).tool_calls ?? []).map(({ name, args }) => ({ name, args })),
    status: ToolMessage.isInstance(message) ? message.status : undefined,
    invalid: ((message as AIMessage).invalid_tool_calls ?? []).length,
  }));

async function same(turns: NativeTurn[], run: (model: BaseChatModel) => Promise<unknown>): Promise<unknown> {
  const results: unknown[] = [];
  for (const [, model] of both(turns)) results.push(await run(model));
  expect(results[1]).toEqual(results[0]);
  return results[0];
}

const add = tool(({ a, b }) => String(a + b), {
  name: "add",
  description: "Adds",
  schema: z.object({ a: z.number(), b: z.number() }),
});
const fail = tool(
  () => {
    throw new Error("out of order");
  },
  { name: "fail", description: "Fails", schema: z.object({}) },
);
const tools = [add, fail];
const question = { messages: [new HumanMessage("Go.")] };
const several: NativeTurn[] = [
  { text: "First.", calls: [{ name: "add", args: { a: 1, b: 2 } }] },
  {
    calls: [
      { name: "add", args: { a: 3, b: 4 } },
      { name: "add", args: { a: 5, b: 6 } },
    ],
  },
  { text: "3, 7 and 11." },
];

describe("the same as with a native model", () => {
  it("createAgent: several turns, parallel calls", async () => {
    const result = await same(several, async (model) =>
      shape((await createAgent({ model, tools }).invoke(question)).messages),
    );
    expect(result).toHaveLength(7);
  });

  it("createReactAgent, with a tool that fails", async () => {
    const turns = [{ calls: [{ name: "fail", args: {} }] }, { text: "It failed." }];
    const result = await same(turns, async (llm) =>
      shape((await createReactAgent({ llm, tools }).invoke(question)).messages),
    );
    expect(result).toMatchObject([{}, {}, { status: "error", text: expect.stringContaining("out of order") }, {}]);
  });

  it("a graph with ToolNode and a checkpointer, over two conversations", async () => {
    await same([...several, { text: "You said go." }], async (model) => {
      const bound = model.bindTools?.(tools) ?? model;
      const graph = new StateGraph(MessagesAnnotation)
        .addNode("model", async ({ messages }) => ({ messages: [await bound.invoke(messages)] }))
        .addNode("tools", new ToolNode(tools))
        .addEdge(START, "model")
        .addConditionalEdges("model", toolsCondition, ["tools", END])
        .addEdge("tools", "model")
        .compile({ checkpointer: new MemorySaver() });
      const config = { configurable: { thread_id: "1" } };
      await graph.invoke(question, config);
      return shape((await graph.invoke({ messages: [new HumanMessage("What did I say?")] }, config)).messages);
    });
  });

  it("a supervisor that hands over to agents by tools", async () => {
    const handOver = (to: string) =>
      tool(
        (_, { toolCall }) => {
          const { messages } = getCurrentTaskInput() as typeof MessagesAnnotation.State;
          const done = new ToolMessage({
            content: `Handed over to ${to}.`,
            name: `to_${to}`,
            tool_call_id: toolCall?.id ?? "",
          });
          return new Command({ goto: to, graph: Command.PARENT, update: { messages: [...messages, done] } });
        },
        { name: `to_${to}`, description: `Hands over to ${to}`, schema: z.object({}) },
      );
    const turns = [
      { calls: [{ name: "to_adder", args: {} }] },
      ...several.slice(0, 1),
      { text: "3." },
      { text: "It is 3." },
    ];
    const result = await same(turns, async (model) => {
      const supervisor = createReactAgent({ llm: model, tools: [handOver("adder")], name: "supervisor" });
      const adder = createReactAgent({ llm: model, tools: [add], name: "adder" });
      const team = new StateGraph(MessagesAnnotation)
        .addNode("supervisor", supervisor, { ends: ["adder", END] })
        .addNode("adder", adder)
        .addEdge(START, "supervisor")
        .addEdge("adder", "supervisor")
        .compile();
      return shape((await team.invoke(question)).messages);
    });
    expect(JSON.stringify(result)).toContain("Handed over to adder.");
    expect((result as { text: string }[]).at(-1)?.text).toBe("It is 3.");
  });

  it("a structured response", async () => {
    const turns = [...several.slice(0, 1), { calls: [{ name: "answer", args: { sum: 3 } }] }];
    const responseFormat = toolStrategy(z.object({ sum: z.number() }).meta({ title: "answer" }));
    const result = await same(turns, async (model) => {
      const state = await createAgent({ model, tools, responseFormat }).invoke(question);
      return { messages: shape(state.messages), structured: state.structuredResponse };
    });
    expect(result).toMatchObject({ structured: { sum: 3 } });
  });

  it("a person who must approve, and edits the arguments", async () => {
    const turns = [...several.slice(0, 1), { text: "Done." }];
    const result = await same(turns, async (model) => {
      // Its type is written for another version of zod.
      const middleware = [humanInTheLoopMiddleware({ interruptOn: { add: true } } as never) as never];
      const agent = createAgent({ model, tools, middleware, checkpointer: new MemorySaver() });
      const config = { configurable: { thread_id: "1" } };
      const waiting = await agent.invoke(question, config);
      const [{ value } = { value: undefined }] =
        (waiting as { __interrupt__?: { value: unknown }[] }).__interrupt__ ?? [];
      const edit = { type: "edit", editedAction: { name: "add", args: { a: 40, b: 2 } } };
      const { messages } = await agent.invoke(new Command({ resume: { decisions: [edit] } }), config);
      return { asked: (value as { actionRequests: unknown[] }).actionRequests, messages: shape(messages) };
    });
    expect(JSON.stringify(result)).toContain('"text":"42"');
  });
});
