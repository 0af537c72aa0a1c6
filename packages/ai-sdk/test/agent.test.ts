import {
  dynamicTool,
  generateObject,
  generateText,
  hasToolCall,
  type ModelMessage,
  NoSuchToolError,
  Output,
  readUIMessageStream,
  stepCountIs,
  streamObject,
  streamText,
  ToolLoopAgent,
  tool,
  type UIMessage,
  wrapLanguageModel,
} from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type ToolCallingOptions, toolCallingMiddleware, withToolCalling } from "../src/index.js";
import { call, type Reply, ScriptedModel } from "./scripted-model.js";

const added: unknown[] = [];
const add = tool({
  description: "Adds two numbers",
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => {
    added.push({ a, b });
    return a + b;
  },
});
const two = call("add", { a: 2, b: 3 });
const wrapped = (...replies: Reply[]) => {
  const inner = new ScriptedModel({ replies });
  return { inner, model: withToolCalling(inner, { protocol: "hermes" }) };
};
const answers = "It is 5.";

describe("generateText and streamText", () => {
  it("call tools until the answer, and count every attempt", async () => {
    const { model, inner } = wrapped(two, answers);
    const whole = await generateText({ model, tools: { add }, stopWhen: stepCountIs(5), prompt: "2 + 3?" });
    expect(whole.text).toBe(answers);
    expect(whole.steps.map(({ finishReason }) => finishReason)).toEqual(["tool-calls", "stop"]);
    expect(whole.totalUsage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
    expect(whole.response).toMatchObject({ id: "response-2", modelId: "scripted" });
    expect(inner.text(1)).toContain("<tool_response>\n5\n</tool_response>");

    const streamed = streamText({
      model: wrapped(two, answers).model,
      tools: { add },
      stopWhen: stepCountIs(5),
      prompt: "?",
    });
    expect(await streamed.text).toBe(answers);
    expect((await streamed.steps).map(({ finishReason }) => finishReason)).toEqual(["tool-calls", "stop"]);
    expect(await streamed.totalUsage).toEqual(whole.totalUsage);
  });

  it("work with the middleware of wrapLanguageModel and with withToolCalling", async () => {
    const inner = new ScriptedModel({ replies: [two, answers] });
    const model = wrapLanguageModel({ model: inner, middleware: toolCallingMiddleware({ protocol: "hermes" }) });
    const { text } = await generateText({ model, tools: { add }, stopWhen: stepCountIs(5), prompt: "2 + 3?" });
    expect(text).toBe(answers);
    expect(model.modelId).toBe("scripted");
  });

  it("stream the input to a tool's callbacks as it is written", async () => {
    let written = "";
    const listening = tool({
      ...add,
      onInputDelta: ({ inputTextDelta }) => {
        written += inputTextDelta;
      },
    });
    const { model } = wrapped(two, answers);
    await streamText({ model, tools: { add: listening }, prompt: "2 + 3?" }).consumeStream();
    expect(JSON.parse(written)).toEqual({ a: 2, b: 3 });
  });

  it.each([generateText, streamText])("repair a call with the application's own function: %o", async (ask) => {
    const { model } = wrapped(call("add", { a: "two", b: 3 }), answers);
    added.length = 0;
    const answer = await ask({
      model,
      tools: { add },
      stopWhen: stepCountIs(3),
      prompt: "2 + 3?",
      experimental_repairToolCall: async ({ toolCall, error }) => {
        expect(NoSuchToolError.isInstance(error)).toBe(false);
        const { arguments: args } = Object(toolCall.providerMetadata?.toolingua?.invalid);
        return { ...toolCall, input: JSON.stringify({ ...args, a: 2 }) };
      },
    });
    expect(await answer.text).toBe(answers);
    expect(added).toEqual([{ a: 2, b: 3 }]);
  });

  it("run no truncated call, and report the error to the model in the next step", async () => {
    const { model, inner } = wrapped(two.slice(0, -18), two, answers);
    added.length = 0;
    const { text } = await generateText({ model, tools: { add }, stopWhen: stepCountIs(5), prompt: "2 + 3?" });
    expect(text).toBe(answers);
    expect(added).toEqual([{ a: 2, b: 3 }]);
    expect(inner.text(1)).toContain("cut off");
  });

  it("keep keys that record and loose object schemas allow", async () => {
    let saved: unknown;
    const save = tool({
      inputSchema: z.object({ scores: z.record(z.string(), z.number()), more: z.looseObject({}) }),
      execute: (input) => {
        saved = input;
        return "saved";
      },
    });
    const args = { scores: { ann: 1 }, more: { any: ["thing"] } };
    await generateText({ model: wrapped(call("save", args)).model, tools: { save }, prompt: "Save." });
    expect(saved).toEqual(args);
  });

  it("pass several calls of one reply to their tools, and none if toolChoice forbids them", async () => {
    const other = call("add", { a: 1, b: 1 });
    const { model } = wrapped(`${two}\n${other}`, answers);
    const { steps } = await generateText({ model, tools: { add }, stopWhen: stepCountIs(3), prompt: "?" });
    expect(steps[0]?.toolResults.map(({ output }) => output)).toEqual([5, 2]);
    const none = await generateText({ model: wrapped(two).model, tools: { add }, toolChoice: "none", prompt: "?" });
    expect(none.toolCalls).toEqual([]);
    const required = streamText({
      model: wrapped(answers, two).model,
      tools: { add },
      toolChoice: "required",
      prompt: "?",
    });
    expect((await required.toolCalls).map(({ input }) => input)).toEqual([{ a: 2, b: 3 }]);
    const choices = ["auto", "none", { type: "tool", toolName: "add" }] as const;
    for (const toolChoice of choices) {
      const streamed = streamText({ model: wrapped(two).model, tools: { add }, toolChoice, prompt: "?" });
      expect(await streamed.toolCalls).toHaveLength(toolChoice === "none" ? 0 : 1);
    }
  });

  it("show only the tools of `activeTools`, and those that `prepareStep` selects", async () => {
    const search = tool({ description: "Searches", inputSchema: z.object({}), execute: () => "found" });
    const { model, inner } = wrapped(two, answers);
    await generateText({
      model,
      tools: { add, search },
      activeTools: ["add"],
      stopWhen: stepCountIs(3),
      prepareStep: ({ stepNumber }) => (stepNumber === 1 ? { activeTools: ["search"] } : {}),
      prompt: "2 + 3?",
    });
    expect(inner.text(0)).toContain("Adds two numbers");
    expect(inner.text(0)).not.toContain("Searches");
    expect(inner.text(1)).toContain("Searches");
    expect(inner.text(1)).not.toContain("Adds two numbers");
  });

  it("support dynamic tools, and stop at a tool", async () => {
    const any = dynamicTool({ inputSchema: z.unknown(), execute: async (input) => input });
    const { model } = wrapped(call("any", { free: ["form"] }), answers);
    const { toolResults, text } = await generateText({
      model,
      tools: { any },
      stopWhen: hasToolCall("any"),
      prompt: "?",
    });
    expect(toolResults).toMatchObject([{ output: { free: ["form"] }, dynamic: true }]);
    expect(text).toBe("");
  });
});

describe("approval", () => {
  it("waits for a person: an approved call runs, and a denied one is reported to the model", async () => {
    const risky = tool({ ...add, needsApproval: true });
    for (const approved of [true, false]) {
      added.length = 0;
      const { model, inner } = wrapped(two, approved ? answers : "As you wish.");
      const agent = new ToolLoopAgent({ model, tools: { add: risky } });
      const messages: ModelMessage[] = [{ role: "user", content: "2 + 3?" }];
      const first = await agent.generate({ messages });
      const request = first.content.find((part) => part.type === "tool-approval-request");
      expect(request).toBeDefined();
      expect(added).toEqual([]);
      const approvalId = request?.approvalId ?? "";
      messages.push(...first.response.messages, {
        role: "tool",
        content: [{ type: "tool-approval-response", approvalId, approved, reason: "I said so." }],
      });
      const second = await agent.generate({ messages });
      expect(second.text).toBe(approved ? answers : "As you wish.");
      expect(added).toEqual(approved ? [{ a: 2, b: 3 }] : []);
      if (!approved) expect(inner.text(1)).toContain("denied and did not run. Reason: I said so.");
    }
  });
});

describe("structured answers", () => {
  const schema = z.object({ sum: z.number(), note: z.string().optional() });

  it("come from generateObject and streamObject, also from a code block, and are requested again if they do not match", async () => {
    const fenced = '```json\n{"sum": "5"}\n```';
    expect((await generateObject({ model: wrapped(fenced).model, schema, prompt: "?" })).object).toEqual({ sum: 5 });
    const { model, inner } = wrapped("No idea.", '{"sum": 5}');
    const streamed = streamObject({ model, schema, prompt: "?" });
    for await (const _ of streamed.partialObjectStream);
    expect(await streamed.object).toEqual({ sum: 5 });
    expect(inner.text(1)).toContain("It is not valid JSON.");
  });

  it("stream from streamObject as they are written, and come whole if there are calls", async () => {
    const said = '{"sum": 5, "note": "It is the sum of two and three, which are numbers."}';
    const partials = async (options: ToolCallingOptions) => {
      const inner = new ScriptedModel({ replies: [said], size: 4 });
      const model = withToolCalling(inner, { protocol: "hermes", ...options });
      const seen: object[] = [];
      const { partialObjectStream, object } = streamObject({ model, schema, prompt: "?" });
      for await (const partial of partialObjectStream) seen.push(partial);
      expect(await object).toEqual(JSON.parse(said));
      return seen;
    };
    const seen = await partials({});
    expect(seen.length).toBeGreaterThan(8);
    expect(seen).toContainEqual({ sum: 5, note: expect.stringMatching(/^It is the sum of t/) });
    expect(await partials({ liveCalls: false })).toHaveLength(1);
  });

  it("come next to tools", async () => {
    const { model, inner } = wrapped(two, '{"sum": 5}');
    const agent = new ToolLoopAgent({ model, tools: { add }, output: Output.object({ schema }) });
    expect((await agent.generate({ prompt: "?" })).output).toEqual({ sum: 5 });
    expect(inner.calls[0]?.responseFormat).toBeUndefined();
    expect(inner.text(0)).toContain("When you answer without a call");
  });
});

describe("the UI message stream", () => {
  it("shows the arguments of a call as they are written, then its result and the answer", async () => {
    const echo = tool({ inputSchema: z.object({ text: z.string() }), execute: ({ text }) => text.toUpperCase() });
    const { model } = wrapped(call("echo", { text: "a long sentence" }), answers);
    const result = streamText({ model, tools: { echo }, stopWhen: stepCountIs(3), prompt: "?" });
    const seen: string[] = [];
    let message: UIMessage | undefined;
    for await (message of readUIMessageStream({ stream: result.toUIMessageStream() })) {
      for (const part of message.parts) {
        if (part.type === "tool-echo" && "state" in part && part.state === "input-streaming")
          seen.push(String((part.input as { text?: string } | undefined)?.text ?? ""));
      }
    }
    expect(new Set(seen).size).toBeGreaterThan(8);
    expect(message?.parts.filter(({ type }) => type !== "step-start")).toMatchObject([
      { type: "tool-echo", state: "output-available", output: "A LONG SENTENCE" },
      { type: "text", text: answers },
    ]);
  });
});
