import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { withToolCalling } from "../src/index.js";
import { call, ScriptedTextModel } from "./scripted-text-model.js";

const ran: unknown[] = [];
const add = tool(
  ({ a, b }) => {
    ran.push({ a, b });
    return String(a + b);
  },
  { name: "add", description: "Adds two numbers", schema: z.object({ a: z.number(), b: z.number() }) },
);
const city = tool(({ country }) => `The capital of ${country} is Paris.`, {
  name: "capital",
  description: "Names a capital",
  schema: z.object({ country: z.string() }),
});

const script = () =>
  new ScriptedTextModel({
    replies: [
      `Let me see.\n${call("add", { a: 2, b: 3 })}`,
      `${call("capital", { country: "France" })}\n${call("add", { a: 5, b: 5 })}`,
      "5, Paris and 10.",
    ],
    usage: true,
  });

const question = { messages: [new HumanMessage("What is 2 + 3?")] };

describe("an agent on a text-only model", () => {
  it("runs several tool turns, parallel calls among them, in createAgent", async () => {
    const inner = script();
    const agent = createAgent({
      model: withToolCalling(inner, { protocol: "hermes" }),
      tools: [add, city],
      systemPrompt: "Be brief.",
    });
    const { messages } = await agent.invoke(question);
    expect(messages.map((message) => message.getType())).toEqual(["human", "ai", "tool", "ai", "tool", "tool", "ai"]);
    expect(messages.filter((m) => ToolMessage.isInstance(m)).map((m) => m.content)).toEqual([
      "5",
      "The capital of France is Paris.",
      "10",
    ]);
    expect(messages.at(-1)?.content).toBe("5, Paris and 10.");
    expect(messages[1]?.content).toBe("Let me see.\n");
    console.log(inner.options[0]);
  });

  it("runs in createReactAgent", async () => {
    const agent = createReactAgent({ llm: withToolCalling(script(), { protocol: "hermes" }), tools: [add, city] });
    const { messages } = await agent.invoke(question);
    expect(messages.at(-1)?.content).toBe("5, Paris and 10.");
  });
});
