import { AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { createAgent, createMiddleware, toolStrategy } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type ToolCallingChatModel, withToolCalling } from "../src/index.js";
import { toolCallingMiddleware } from "../src/middleware.js";
import { call, ScriptedTextModel } from "./scripted-text-model.js";

const add = tool(({ a, b }) => String(a + b), { name: "add", schema: z.object({ a: z.number(), b: z.number() }) });
const replies = [`Adding. ${call("add", { a: 2, b: 3 })}`, "It is 5."];
const question = { messages: [new HumanMessage("2 + 3?")] };
const middleware = () => [toolCallingMiddleware({ protocol: "hermes" })];
const types = (messages: { getType(): string }[]) => messages.map((message) => message.getType());

describe("toolCallingMiddleware", () => {
  it("adds tool calling to an agent's model, pitfall 4: one without bindTools", async () => {
    const model = new ScriptedTextModel({ replies });
    await expect(createAgent({ model, tools: [add] }).invoke(question)).rejects.toThrow(/bindTools/);
    const agent = createAgent({ model: new ScriptedTextModel({ replies }), tools: [add], middleware: middleware() });
    expect(types((await agent.invoke(question)).messages)).toEqual(["human", "ai", "tool", "ai"]);
  });

  it("refuses an unknown option at once", () => {
    const wrong = expect.objectContaining({ code: "bad-option", message: expect.stringContaining("bogus") });
    expect(() => toolCallingMiddleware({ bogus: 1 } as never)).toThrow(wrong);
    expect(() => toolCallingMiddleware({ native: "bogus" as never })).toThrow(wrong);
  });

  it("streams, and answers with structured responses", async () => {
    const agent = createAgent({ model: new ScriptedTextModel({ replies }), tools: [add], middleware: middleware() });
    let text = "";
    for await (const [message] of await agent.stream(question, { streamMode: "messages" })) {
      if (AIMessageChunk.isInstance(message)) text += message.text;
    }
    expect(text).toBe("Adding.It is 5.");
    const structured = createAgent({
      model: new ScriptedTextModel({ replies: [call("answer", { sum: 5 })] }),
      tools: [add],
      middleware: middleware(),
      responseFormat: toolStrategy(z.object({ sum: z.number() }).meta({ title: "answer" })),
    });
    expect((await structured.invoke(question)).structuredResponse).toEqual({ sum: 5 });
  });

  it("wraps the model that earlier middleware chose, and does not wrap it twice", async () => {
    const chosen = new ScriptedTextModel({ replies });
    const choose = createMiddleware({
      name: "choose",
      wrapModelCall: (request, handler) => handler({ ...request, model: chosen }),
    });
    const agent = createAgent({
      model: new ScriptedTextModel({ replies: ["no"] }),
      tools: [add],
      middleware: [choose, ...middleware()],
    });
    await agent.invoke(question);
    expect(chosen.requests).toHaveLength(2);
    const inner = new ScriptedTextModel({ replies });
    const model = withToolCalling(inner, { protocol: "hermes" });
    await createAgent({ model, tools: [add], middleware: middleware() }).invoke(question);
    expect(inner.requests).toHaveLength(2);
    expect(inner.requests[0]?.[0]?.text.match(/# Tools/g) ?? []).toHaveLength(1);
  });

  it("passes its options to a wrapped model, which keeps its others; bindings stay", async () => {
    const wrong = call("add", { a: 2 });
    for (const bind of [
      (model: ToolCallingChatModel) => model,
      (model: ToolCallingChatModel) => model.withConfig({ tags: ["x"] }),
    ]) {
      const inner = new ScriptedTextModel({ replies: [wrong] });
      const model = bind(withToolCalling(inner, { protocol: "hermes" }) as ToolCallingChatModel);
      const middleware = [toolCallingMiddleware({ onInvalidCall: "throw" })];
      const agent = createAgent({ model: model as never, tools: [add], middleware });
      await expect(agent.invoke(question)).rejects.toThrow(/Invalid arguments/);
      expect(inner.requests[0]?.[0]?.text.match(/# Tools/g) ?? []).toHaveLength(1);
    }
  });
});
