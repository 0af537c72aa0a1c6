import { AIMessage, type BaseMessage, HumanMessage, type ToolMessage } from "@langchain/core/messages";
import { DynamicTool, tool as langChainTool } from "@langchain/core/tools";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import type { Tool } from "@toolingua/core";
import { defineTool, ToolSpec, tool } from "@toolingua/tools";
import { createAgent } from "langchain";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { fromLangChainTools, ToolDefinitionError, toLangChainTools, withToolCalling } from "../src/index.js";
import { call, ScriptedTextModel } from "./scripted-text-model.js";

const schema = z.object({ a: z.number(), b: z.number().default(1) });
const add = tool("add", { description: "Adds two numbers", schema }, ({ a, b }) => a + b);

class Desk extends ToolSpec {
  tickets: string[] = [];

  @tool({ description: "Opens a ticket", schema: z.object({ title: z.string() }) })
  open({ title }: { title: string }) {
    return `ticket ${this.tickets.push(title)}`;
  }

  @tool({ description: "Closes the case", resultAsAnswer: true })
  finish() {
    if (this.tickets.length === 0) throw new Error("there is no ticket");
    return "All done.";
  }
}

const agent = (tools: readonly Tool[] | ToolSpec, replies: string[]) => {
  const model = new ScriptedTextModel({ replies });
  const made = createAgent({ model: withToolCalling(model), tools: toLangChainTools(tools) });
  return { model, ask: async () => (await made.invoke({ messages: [new HumanMessage("Go")] })).messages };
};
const toolCall = (name: string, args: Record<string, unknown>) => ({ type: "tool_call" as const, id: "1", name, args });

describe("toLangChainTools", () => {
  it.each([undefined, null, "add", {}])("refuses %j, which is no list of tools", (given) => {
    expect(() => Reflect.apply(toLangChainTools, undefined, [given])).toThrow(ToolDefinitionError);
  });

  it("refuses a tool that nothing can run, in both directions", () => {
    const refused = expect.objectContaining({ name: "ToolDefinitionError", code: "missing-execute" });
    const framework = langChainTool(() => "", { name: "say", schema: z.object({}) });
    for (const one of [{ name: "say" }, framework]) {
      expect(() => toLangChainTools([add, one] as never)).toThrow('"say" has no function `execute`');
      expect(() => toLangChainTools([one] as never)).toThrow(refused);
    }
    expect(() => fromLangChainTools([{ name: "say", schema: z.object({}) }] as never)).toThrow(refused);
  });

  it("converts tools of every form", async () => {
    const now = defineTool("now")
      .description("The time")
      .execute(() => "noon");
    const [first, second] = toLangChainTools([add, now]);
    expect(first).toMatchObject({ name: "add", description: "Adds two numbers", schema: { required: ["a"] } });
    expect(await first?.invoke({ a: 2 })).toBe(3);
    expect(await first?.invoke(toolCall("add", { a: 2, b: 3 }))).toMatchObject({ content: "5", tool_call_id: "1" });
    expect(await second?.invoke({})).toBe("noon");
  });

  it("lets an agent on a model without tools use a decorated class", async () => {
    const desk = new Desk();
    const { ask } = agent(desk, [call("open", { title: "Leak" }), "Opened."]);
    const messages = await ask();
    expect(messages.map(({ text }) => text)).toEqual(["Go", "", "ticket 1", "Opened."]);
    expect(desk.tickets).toEqual(["Leak"]);
  });

  it("ends the agent's run with a result that is the answer, unless the call failed", async () => {
    const desk = new Desk();
    const { model, ask } = agent(desk, [
      call("finish", {}),
      call("open", { title: "Leak" }),
      call("finish", {}),
      "No.",
    ]);
    const messages = await ask();
    expect(messages.at(2)).toMatchObject({ status: "error", text: 'The tool "finish" failed: there is no ticket' });
    expect(messages.at(-1)?.text).toBe("All done.");
    expect(model.requests).toHaveLength(3);
  });

  it("leaves an error to LangChain under the policy throw", async () => {
    const strict = tool("strict", { description: "x", failurePolicy: "throw" }, () => {
      throw new Error("no luck");
    });
    await expect(toLangChainTools([strict])[0]?.invoke(toolCall("strict", {}))).rejects.toThrow("no luck");
  });

  it("runs one of the parallel calls of a tool that may be used once", async () => {
    const run = vi.fn(() => "ran");
    const once = tool("once", { description: "x", maxUsageCount: 1 }, run);
    const node = new ToolNode(toLangChainTools([once]));
    const tool_calls = Array.from({ length: 50 }, (_, i) => ({ ...toolCall("once", {}), id: String(i) }));
    const { messages } = (await node.invoke({ messages: [new AIMessage({ content: "", tool_calls })] })) as {
      messages: ToolMessage[];
    };
    expect(run).toHaveBeenCalledTimes(1);
    expect(messages.filter(({ status }) => status === "error")).toHaveLength(49);
  });

  it("passes on the call's id and signal", async () => {
    const execute = vi.fn();
    const [bare] = toLangChainTools([{ name: "bare", execute }]);
    const { signal } = new AbortController();
    expect(await bare?.invoke(toolCall("bare", {}), { signal })).toMatchObject({ content: "" });
    expect(execute.mock.calls[0]?.[1]).toEqual({ toolCallId: "1", signal: expect.any(AbortSignal) });
  });

  it("lets LangGraph interrupt inside a tool, and resume", async () => {
    const ask = tool("ask", { description: "Asks a person" }, () => interrupt<string, string>("Really?"));
    const made = createAgent({
      model: withToolCalling(new ScriptedTextModel({ replies: [call("ask", {}), "Good."] })),
      tools: toLangChainTools([ask]),
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "1" } };
    const stopped = await made.invoke({ messages: "Go" }, config);
    expect(stopped).toMatchObject({ __interrupt__: [{ value: "Really?" }] });
    const resumed: unknown = await made.invoke(new Command({ resume: "yes" }), config);
    const { messages } = resumed as { messages: BaseMessage[] };
    expect(messages.slice(-2).map(({ text }) => text)).toEqual(["yes", "Good."]);
  });

  it("passes on schemas unchanged", async () => {
    const parameters = Object.freeze({ type: "object", properties: Object.freeze({ n: { type: "number" } }) });
    const [frozen] = toLangChainTools([{ name: "frozen", parameters, execute: ({ n }) => n }]);
    expect(await frozen?.invoke({ n: 1 })).toBe(1);
    await expect(frozen?.invoke({ n: "one" })).rejects.toThrow(/did not match expected schema/);
  });

  it("refuses two tools of one name", () => {
    expect(() => toLangChainTools([add, add])).toThrow(ToolDefinitionError);
  });
});

describe("fromLangChainTools", () => {
  const context = { toolCallId: "1" };
  const [length, echo] = fromLangChainTools([
    langChainTool(async ({ text }: { text: string }) => ({ length: text.length }), {
      name: "length",
      description: "Counts",
      schema: z.object({ text: z.string() }),
      returnDirect: true,
    }),
    new DynamicTool({ name: "echo", description: "Says it again", func: async (input) => input }),
  ]);

  it("returns the core's tools, with results as a model reads them", async () => {
    expect(length).toMatchObject({ name: "length", resultAsAnswer: true, parameters: { required: ["text"] } });
    expect(await length?.execute({ text: "four" }, context)).toBe('{"length":4}');
    expect(echo).not.toHaveProperty("resultAsAnswer");
    expect(await echo?.execute({ input: "hi" }, context)).toBe("hi");
    expect(await Reflect.apply(echo!.execute, echo, [{ input: "hi" }])).toBe("hi");
  });

  it("returns the original of a converted tool", async () => {
    const [back] = fromLangChainTools(toLangChainTools([add]));
    expect(back?.parameters).toEqual(add.parameters);
    expect(await back?.execute({ a: 1, b: 2 }, context)).toBe("3");
    const [failing] = fromLangChainTools(toLangChainTools(new Desk().toToolList(["finish"])));
    expect(await failing?.execute({}, context)).toEqual(new Error('The tool "finish" failed: there is no ticket'));
  });

  it("throws the tool's error", async () => {
    const [broken] = fromLangChainTools([
      langChainTool(
        () => {
          throw new Error("down");
        },
        { name: "broken", schema: z.object({}) },
      ),
    ]);
    await expect(broken?.execute({}, context)).rejects.toThrow("down");
  });
});
