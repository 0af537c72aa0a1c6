import { LLMAgent } from "@llamaindex/core/agent";
import { Settings } from "@llamaindex/core/global";
import type { ChatMessage, ChatResponseChunk } from "@llamaindex/core/llms";
import { FunctionTool } from "@llamaindex/core/tools";
import {
  agent,
  agentHandler,
  agentStreamEvent,
  agentToolCallEvent,
  createWorkflow,
  multiAgent,
  zodEvent,
} from "@llamaindex/workflow";
import { ToolSpec, tool } from "@toolingua/tools";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ToolCallingOptions, toLlamaIndexTools, withToolCalling } from "../src/index.js";
import { call, type Reply, ScriptedLLM } from "./scripted-llm.js";

// LlamaIndex's own agents, unchanged, on a model that only writes text.

let ran: unknown[] = [];
beforeEach(() => {
  ran = [];
});

const add = FunctionTool.from(
  ({ a, b }: { a: number; b: number }) => {
    ran.push({ a, b });
    return a + b;
  },
  { name: "add", description: "Adds two numbers", parameters: z.object({ a: z.number(), b: z.number() }) },
);
const capital = FunctionTool.from(({ country }: { country: string }) => `The capital of ${country} is "Paris".`, {
  name: "capital",
  description: "Names a capital",
  parameters: z.object({ country: z.string() }),
});
const tools = [add, capital];

const wrap = (replies: readonly Reply[], options: ToolCallingOptions = {}, chunk = 1) => {
  const inner = new ScriptedLLM({ replies, chunk });
  return { inner, llm: withToolCalling(inner, { protocol: "hermes", ...options }) };
};

const twoTurns = [
  `Let me see.\n${call("add", { a: 2, b: 3 })}`,
  `${call("capital", { country: "France" })}\n${call("add", { a: 5, b: 5 })}`,
  "5, Paris and 10.",
];

describe("LlamaIndex's agent", () => {
  it.each([1, 3, 7, 1000])("runs several turns, parallel calls among them, in chunks of %i", async (chunk) => {
    const { inner, llm } = wrap(twoTurns, {}, chunk);
    const { data } = await agent({ llm, tools, systemPrompt: "Be brief." }).run("What is 2 + 3?");
    expect(data.result).toBe("5, Paris and 10.");
    expect(ran).toEqual([
      { a: 2, b: 3 },
      { a: 5, b: 5 },
    ]);
    expect(inner.requests[0]?.messages[0]?.content).toMatch(/^Be brief\..*Adds two numbers/s);
    expect(inner.text(-1)).toContain('The capital of France is "Paris".');
  });

  it("keeps the prefix of its prompt from turn to turn", async () => {
    const { inner, llm } = wrap(twoTurns);
    await agent({ llm, tools }).run("What is 2 + 3?");
    const prompts = inner.requests.map((_, i) => inner.text(i));
    expect(prompts[1]?.startsWith(prompts[0] ?? "?")).toBe(true);
    expect(prompts[2]?.startsWith(prompts[1] ?? "?")).toBe(true);
  });

  it("streams text as it arrives and reports calls, in runStream", async () => {
    const { llm } = wrap(twoTurns);
    const deltas: string[] = [];
    const calls: string[] = [];
    for await (const event of agent({ llm, tools }).runStream("What is 2 + 3?")) {
      if (agentStreamEvent.include(event)) deltas.push(event.data.delta);
      if (agentToolCallEvent.include(event)) calls.push(event.data.toolName);
    }
    expect(deltas.join("")).toContain("Let me see.");
    expect(deltas.join("")).not.toContain("tool_call");
    expect(deltas.filter((delta) => delta !== "").length).toBeGreaterThan(10);
    expect(calls).toEqual(["add", "capital", "add"]);
  });

  it("answers with an object in the response format", async () => {
    const { inner, llm } = wrap(["It is 5.", call("format_output", { sum: 5, note: null })]);
    const responseFormat = z.object({ sum: z.number(), note: z.string().nullable() });
    const { data } = await agent({ llm, tools }).run("What is 2 + 3?", { responseFormat });
    expect(data.object).toEqual({ sum: 5, note: null });
    expect(inner.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  });

  it("hands off to another agent", async () => {
    const { llm: first } = wrap([call("handOff", { toAgent: "Poet", reason: "verse" }), "Sum and verse."]);
    const { llm: second } = wrap(["A verse."]);
    const poet = agent({ name: "Poet", description: "Writes verse", llm: second, tools: [capital] });
    const clerk = agent({ name: "Clerk", description: "Adds", llm: first, tools: [add], canHandoffTo: [poet] });
    const { data } = await multiAgent({ agents: [clerk, poet], rootAgent: clerk }).run("A verse, please.");
    expect(data.result).toBe("A verse.");
    expect(data.state?.currentAgentName).toBe("Poet");
  });

  it("retries if the agent to hand off to does not exist", async () => {
    const wrong = call("handOff", { to: "Poet" });
    const { inner, llm } = wrap([wrong, call("handOff", { toAgent: "Poet", reason: "verse" })]);
    const { llm: second } = wrap(["A verse."]);
    const poet = agent({ name: "Poet", description: "Writes verse", llm: second, tools: [capital] });
    const clerk = agent({ name: "Clerk", description: "Adds", llm, tools: [add], canHandoffTo: [poet] });
    const { data } = await multiAgent({ agents: [clerk, poet], rootAgent: clerk }).run("A verse, please.");
    expect(data.result).toBe("A verse.");
    expect(inner.requests).toHaveLength(2);
  });

  it("handles a step of a workflow, and sends its event", async () => {
    const start = zodEvent(z.object({ a: z.number() }), { debugLabel: "start" });
    const sum = zodEvent(z.object({ sum: z.number() }), { debugLabel: "sum" });
    const { inner, llm } = wrap([call("add", { a: 2, b: 3 }), call("send_sum", { eventData: { sum: 5 } }), "Sent."]);
    const workflow = createWorkflow();
    workflow.handle([start], agentHandler({ instructions: "Add 3.", results: [sum], tools, llm }) as never);
    const { stream, sendEvent } = workflow.createContext();
    sendEvent(start.with({ a: 2 }));
    const events = await stream.until(sum).toArray();
    expect(events.at(-1)?.data).toEqual({ sum: 5 });
    expect(inner.text(0)).toContain("Add 3.");
  });

  it("is found in Settings.llm", async () => {
    const { llm } = wrap([call("add", { a: 2, b: 3 }), "5."]);
    const answer = Settings.withLLM(llm, () => agent({ tools }).run("2 + 3?"));
    expect((await answer).data.result).toBe("5.");
  });

  it("runs a decorated class, and ends with a result that is the answer", async () => {
    class Desk extends ToolSpec {
      @tool({ description: "Opens a ticket", schema: z.object({ title: z.string() }) })
      open({ title }: { title: string }) {
        return { id: 1, title, owner: null };
      }

      @tool({ description: "Closes the case", resultAsAnswer: true })
      finish() {
        return 'All "done".\nBye.';
      }
    }
    const { inner, llm } = wrap([call("open", { title: "Leak" }), call("finish", {}), "Never said."]);
    const { data } = await agent({ llm, tools: toLlamaIndexTools(new Desk()) }).run("Go");
    expect(data.result).toBe('All "done".\nBye.');
    expect(inner.requests).toHaveLength(2);
    expect(inner.text(-1)).toContain('{"id":1,"title":"Leak","owner":null}');
  });
});

describe("LLMAgent", () => {
  it.each([false, true])("runs several turns, streaming: %s", async (stream) => {
    const { llm } = wrap(twoTurns);
    const old = new LLMAgent({ llm, tools });
    const message = "What is 2 + 3?";
    let answer = "";
    if (stream) for await (const chunk of await old.chat({ message, stream })) answer += chunk.delta;
    else answer = String((await old.chat({ message })).message.content);
    expect(answer).toBe("5, Paris and 10.");
    expect(ran).toHaveLength(2);
  });
});

describe("exec", () => {
  const question: ChatMessage = { role: "user", content: "What is 2 + 3?" };

  it("runs calls and returns their messages, unchanged", async () => {
    const { llm } = wrap([`Hm. ${call("capital", { country: "France" })}`]);
    const { newMessages, toolCalls } = await llm.exec({ messages: [question], tools });
    expect(toolCalls).toMatchObject([{ name: "capital", input: { country: "France" } }]);
    expect(newMessages).toMatchObject([
      { role: "assistant", content: "Hm.", options: { toolCall: toolCalls } },
      { role: "user", content: 'The capital of France is "Paris".', options: { toolResult: { isError: false } } },
    ]);
  });

  it.each(["exec", "exec as a stream", "streamExec"] as const)(
    "works in LlamaIndex's documented loop: %s",
    async (how) => {
      const { llm } = wrap(twoTurns);
      const messages = [question];
      let text = "";
      for (let open = true; open; ) {
        if (how === "exec") {
          const { newMessages, toolCalls } = await llm.exec({ messages, tools });
          messages.push(...newMessages);
          text += newMessages[0]?.content;
          open = toolCalls.length > 0;
        } else {
          const params = { messages, tools, stream: true } as const;
          const { stream, newMessages, toolCalls } = await (how === "streamExec"
            ? llm.streamExec(params)
            : llm.exec(params));
          for await (const { delta } of stream) text += delta;
          messages.push(...newMessages());
          open = toolCalls.length > 0;
        }
      }
      expect(text).toBe("Let me see.5, Paris and 10.");
      expect(messages).toHaveLength(7);
    },
  );

  it("streams live if there is nothing to call", async () => {
    const { llm } = wrap(["Hello there."]);
    const { stream, newMessages } = await llm.exec({ messages: [question], stream: true });
    expect(() => newMessages()).toThrow(expect.objectContaining({ name: "ExecError", code: "stream-unread" }));
    const chunks: ChatResponseChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(5);
    expect(newMessages()).toEqual([{ role: "assistant", content: "Hello there." }]);
  });

  it.each([false, true])("returns an object in the response format, next to tools, streaming: %s", async (stream) => {
    const { llm } = wrap([call("add", { a: 2, b: 3 }), call("format_output", { sum: 5 })]);
    const responseFormat = z.object({ sum: z.number().transform(String) });
    const messages = [question];
    let object: unknown;
    for (let open = true; open; ) {
      const params = { messages, tools, responseFormat };
      const done = stream ? await llm.exec({ ...params, stream }) : await llm.exec(params);
      messages.push(...(typeof done.newMessages === "function" ? done.newMessages() : done.newMessages));
      object = done.object;
      open = done.toolCalls.length > 0;
    }
    expect(object).toEqual({ sum: "5" });
    expect(ran).toHaveLength(1);
  });
});

describe("chat and complete", () => {
  const messages: ChatMessage[] = [{ role: "user", content: "What is 2 + 3?" }];

  it("requires the call that tool_choice names, in any spelling", async () => {
    for (const tool_choice of ["required", "add", { type: "function", function: { name: "add" } }]) {
      const { inner, llm } = wrap(["Five.", call("add", { a: 2, b: 3 })]);
      const { message } = await llm.chat({ messages, tools, additionalChatOptions: { tool_choice } });
      expect(message.options).toMatchObject({ toolCall: [{ name: "add", input: { a: 2, b: 3 } }] });
      expect(inner.requests).toHaveLength(2);
    }
    const { llm } = wrap(["Five."]);
    const unknown = { messages, tools, additionalChatOptions: { tool_choice: "subtract" } };
    await expect(llm.chat(unknown)).rejects.toMatchObject({ code: "unknown-tool-choice" });
  });

  it("answers with the text of a model that ignores tool_choice, like a native one", async () => {
    const required = { messages, tools, additionalChatOptions: { tool_choice: "required" } };
    const { inner, llm } = wrap(["Five."]);
    expect((await llm.chat(required)).message).toEqual({ role: "assistant", content: "Five." });
    expect(inner.requests).toHaveLength(3);
    const stream = await wrap(["Five."]).llm.chat({ ...required, stream: true });
    let text = "";
    for await (const { delta } of stream) text += delta;
    expect(text).toBe("Five.");
    const strict = withToolCalling(wrap(["Five."]).inner, { onMissingCall: "throw" });
    await expect(strict.chat(required)).rejects.toMatchObject({ code: "tool-choice-unmet" });
    expect(() => withToolCalling(inner, { onMissingCall: "retry" as "throw" })).toThrow(/onMissingCall/);
  });

  it("calls a model without tools directly, and passes on its options", async () => {
    const { inner, llm } = wrap(["Hello."]);
    const reply = await llm.chat({ messages, additionalChatOptions: { seed: 1 } as object });
    expect(reply.message).toEqual({ role: "assistant", content: "Hello." });
    expect(inner.requests).toEqual([{ messages, stream: true, additionalChatOptions: { seed: 1 } }]);
    expect((await llm.complete({ prompt: "Hi" })).text).toBe("Hello.");
  });

  it("answers in JSON if a response format asks for it", async () => {
    const { llm } = wrap([call("format_output", { sum: 5 })]);
    const responseFormat = z.object({ sum: z.number() });
    expect((await llm.complete({ prompt: "2 + 3?", responseFormat })).text).toBe('{"sum":5}');
    let text = "";
    for await (const chunk of await llm.chat({ messages, responseFormat, stream: true })) text += chunk.delta;
    expect(text).toBe('{"sum":5}');
    const { llm: stubborn } = wrap(["It is five."]);
    expect((await stubborn.complete({ prompt: "2 + 3?", responseFormat })).text).toBe("It is five.");
  });

  it("ends the model's stream when the reply is complete", async () => {
    const { inner, llm } = wrap([`${call("add", { a: 2, b: 3 })} and then a long tale`]);
    await llm.chat({ messages, tools, additionalChatOptions: { parallel_tool_calls: false } });
    expect(inner.closed).toBe(1);
  });
});
