import { extractReasoningMiddleware, generateText, jsonSchema, stepCountIs, tool, wrapLanguageModel } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toolCallingMiddleware, withToolCalling } from "../src/index.js";
import { add, ask, both, contentIn, partsOf } from "./both-halves.js";
import { call, ScriptedModel } from "./scripted-model.js";

const inputs = (content: readonly { type: string }[]) =>
  content.flatMap((part) => (part.type === "tool-call" && "input" in part ? [part.input] : []));
const isJson = (text: unknown) => {
  try {
    JSON.parse(String(text));
    return true;
  } catch {
    return false;
  }
};
const good = call("add", { a: 2, b: 3 });

describe("a reply that begins inside the reasoning", () => {
  const reply = `I could use ${good} but no.\n</think>\n\nHi`;
  const options = { startWithReasoning: true };

  it.each([
    ["with tools", {}],
    ["without tools", { tools: [] }],
  ])("has no call of it, and it is a part of its own, %s", async (_, asked) => {
    const { generated, parts } = await both([reply], asked, options);
    for (const content of [generated.content, contentIn(parts)]) {
      expect(content).toEqual([
        expect.objectContaining({ type: "reasoning", text: expect.stringContaining("I could use") }),
        expect.objectContaining({ type: "text", text: "Hi" }),
      ]);
    }
    const called = await both([`Hm.</think>${good}`], {}, options);
    expect(inputs(called.generated.content)).toEqual(['{"a":2,"b":3}']);
  });

  it("needs no option with `extractReasoningMiddleware` next to the model", async () => {
    const extract = extractReasoningMiddleware({ tagName: "think", startWithReasoning: true });
    const model = wrapLanguageModel({
      model: new ScriptedModel({ replies: [reply] }),
      middleware: [toolCallingMiddleware({ protocol: "hermes" }), extract],
    });
    const tools = { add: tool({ inputSchema: z.object({ a: z.number(), b: z.number() }), execute: () => 5 }) };
    const { text, toolCalls } = await generateText({ model, tools, prompt: "Hello." });
    expect({ text: text.trim(), toolCalls }).toEqual({ text: "Hi", toolCalls: [] });
  });
});

describe("a wrong call", () => {
  it("that was truncated or is malformed is JSON that no parser accepts, with all that is known of it", async () => {
    for (const broken of [
      '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2, "note": "hel',
      '<tool_call>\n{"name": "add", "arguments": {"a": 1',
      '<tool_call>\n{"name": "add", "arguments": ',
    ]) {
      const { generated } = await both([broken], {}, { onInvalidCall: "surface" });
      const [input] = inputs(generated.content);
      expect(isJson(input), String(input)).toBe(false);
      expect(generated.content[0]).toMatchObject({
        toolName: "add",
        providerMetadata: { toolingua: { invalid: { code: "truncated", raw: broken } } },
      });
    }
  });

  it.each([
    ["malformed", '<tool_call>\n{"name": "add", "arguments": {"a": 1,, "b": }}\n</tool_call>', "stop"],
    ["truncated", '<tool_call>\n{"name": "add", "arguments": {"a": 1', "length"],
  ] as const)(
    "that the model repeats after the feedback on it is a wrong call again: %s",
    async (_, broken, finish) => {
      const model = new ScriptedModel({
        replies: [{ content: [{ type: "text", text: broken }], finish }, broken, broken],
      });
      const wrapped = withToolCalling(model, { onInvalidCall: "surface" });
      const tools = { add: tool({ inputSchema: z.object({ a: z.number(), b: z.number() }), execute: () => 5 }) };
      const { steps } = await generateText({ model: wrapped, tools, prompt: "2 + 3?", stopWhen: stepCountIs(3) });
      expect(steps.map(({ text, toolCalls }) => [text, toolCalls.map(({ invalid }) => invalid)])).toEqual(
        Array.from({ length: 3 }, () => ["", [true]]),
      );
      expect(model.text(1)).toContain("You wrote:");
    },
  );

  it("of any tool is JSON that no parser accepts, and its arguments are in its metadata", async () => {
    const { generated } = await both([call("add", { a: "two", b: 3 })], {}, { onInvalidCall: "surface" });
    expect(inputs(generated.content).map(isJson)).toEqual([false]);
    expect(generated.content).toMatchObject([
      { providerMetadata: { toolingua: { invalid: { toolName: "add", arguments: { a: "two", b: 3 } } } } },
    ]);
  });

  it("does not run if the schema only looks like one that the SDK validates, as those of MCP servers do", async () => {
    const inputSchema = jsonSchema<{ a: number }>({ ...add.inputSchema, required: ["a"] });
    const ran: unknown[] = [];
    const tools = { pay: tool({ inputSchema, execute: (input) => ran.push(input) }) };
    const replies = [call("pay", { a: "all of it" }), call("pay", { a: "all of it" }), "I could not."];
    const inner = new ScriptedModel({ replies });
    const model = withToolCalling(inner, { onInvalidCall: "surface" });
    const { text } = await generateText({ model, tools, prompt: "Pay.", stopWhen: stepCountIs(3) });
    expect([ran, text]).toEqual([[], "I could not."]);
    // The model sees what it wrote, and what was wrong.
    expect(inner.text(1)).toContain('<arguments>{"a": "all of it"}</arguments>');
    expect(inner.text(1)).toContain("expected number");
  });

  it("that the application repairs runs, and the model is shown how it went", async () => {
    const schema = z.object({ amount: z.number() });
    const execute = (): string => {
      throw new Error("The bank sent no receipt.");
    };
    const inner = new ScriptedModel({ replies: [call("pay", { amount: "ten" }), "It is paid."] });
    await generateText({
      model: withToolCalling(inner),
      tools: { pay: tool({ inputSchema: schema, execute }) },
      prompt: "Pay ten.",
      stopWhen: stepCountIs(2),
      experimental_repairToolCall: async ({ toolCall }) => ({ ...toolCall, input: '{"amount":10}' }),
    });
    expect(inner.text(1)).toContain("The bank sent no receipt.");
    expect(inner.text(1)).not.toContain("was not run");
    expect(JSON.stringify(inner.calls[1]?.prompt)).not.toContain("toolingua");
  });

  it("that was truncated is shown to the model beside the result of a right one before it", async () => {
    const truncated = `${call("now", {})}\n<tool_call>\n{"name": "add", "arguments": {"a": 1`;
    const reply = { content: [{ type: "text" as const, text: truncated }], finish: "length" as const };
    const inner = new ScriptedModel({ replies: [reply, "It is ten."] });
    const tools = {
      now: tool({ inputSchema: z.object({}), execute: () => "10:00" }),
      add: tool({ inputSchema: z.object({ a: z.number(), b: z.number() }), execute: () => 5 }),
    };
    const model = withToolCalling(inner, { onInvalidCall: "surface" });
    const { text, steps } = await generateText({ model, tools, prompt: "When?", stopWhen: stepCountIs(2) });
    expect([text, steps[0]?.finishReason, steps[0]?.rawFinishReason]).toEqual([
      "It is ten.",
      "tool-calls",
      "raw-length",
    ]);
    expect(inner.text(1)).toContain("10:00");
    expect(inner.text(1)).toContain("was cut off");
  });

  it.each([
    ["a key has two values", { a: 1, b: 2 }, '{"a":1,"a":7,"b":2}'],
    ["none of its keys is declared", { a: 1, b: 2 }, '{"first":1,"second":2}'],
  ])("that has several readings does not run, although one of them fits the schema: %s", async (_, args, written) => {
    const optional = { ...add, inputSchema: { ...add.inputSchema, required: [] } };
    const broken = call("add", args).replace(JSON.stringify(args), written);
    expect(broken).toContain(written);
    const { generated } = await both([broken], { tools: [optional] }, { onInvalidCall: "surface" });
    expect(inputs(generated.content).map(isJson)).toEqual([false]);
    expect(generated.content[0]).toMatchObject({ providerMetadata: { toolingua: { invalid: { raw: broken } } } });
  });

  it("of a tool that nobody else validates does not run", async () => {
    const plain = {
      type: "function" as const,
      name: "plain",
      inputSchema: { type: "object" as const, required: ["x"] },
    };
    const { generated } = await both([call("plain", { y: 1 })], { tools: [plain] }, { onInvalidCall: "surface" });
    expect(isJson(inputs(generated.content)[0])).toBe(false);
  });

  it("of an unknown tool is requested again, also in a stream", async () => {
    const { generated, whole } = await both([call("subtract", { a: 1 }), good]);
    expect(inputs(generated.content)).toEqual(['{"a":2,"b":3}']);
    expect(whole.text(1)).toContain('There is no tool named "subtract".');
    expect(generated.usage.inputTokens).toEqual({ total: 20, noCache: 16, cacheRead: 4, cacheWrite: 0 });
    expect(generated.providerMetadata?.toolingua).toEqual({ attempts: 2 });
  });

  it.each(["constructor", "toString", "__proto__"])("of %s, which every object has, does not run", async (name) => {
    const { generated } = await both([call(name, {})], {}, { onInvalidCall: "surface" });
    expect(inputs(generated.content).map(isJson)).toEqual([false]);
  });

  it("of an unknown tool is left to the SDK if it is repeated", async () => {
    const wrong = call("subtract", { a: 1 });
    const { generated } = await both([wrong, wrong, wrong]);
    expect(generated.content).toMatchObject([{ toolName: "subtract", input: '{"a":1}' }]);
  });

  it("is written again as a whole if calls are buffered", async () => {
    const { generated, whole } = await both([call("add", { a: "two", b: 3 }), good], {}, { liveCalls: false });
    expect(inputs(generated.content)).toEqual(['{"a":2,"b":3}']);
    expect(whole.calls).toHaveLength(2);
  });

  it("is an error under `throw`, and a part of a stream", async () => {
    const options = { protocol: "hermes", onInvalidCall: "throw" } as const;
    const model = () => withToolCalling(new ScriptedModel({ replies: [call("subtract", {})] }), options);
    const asked = { prompt: ask(), tools: [add] };
    await expect(model().doGenerate(asked)).rejects.toMatchObject({ code: "unknown-tool" });
    const parts = await partsOf((await model().doStream(asked)).stream);
    expect(parts.slice(-2)).toMatchObject([
      { type: "error", error: { code: "unknown-tool" } },
      { type: "finish", finishReason: { unified: "error" } },
    ]);
  });

  const nameless = '<tool_call>\n{"arguments": {"a": 1}}\n</tool_call>';
  const reported = expect.stringMatching(/^\[.+\]$/);
  it.each([
    ["alone", nameless, [{ type: "text", text: reported }], 1],
    ["twice", `${nameless}\n${nameless}`, [{ type: "text", text: expect.stringMatching(/^\[.+\]\n\[.+\]$/) }], 2],
    ["after words", `Hm.${nameless}`, [{ type: "text", text: expect.stringMatching(/^Hm\.\n\[.+\]$/) }], 1],
    ["before a right one", `${nameless}\n${good}`, [{ toolName: "add" }, { type: "text", text: reported }], 1],
    ["after a right one", `${good}\n${nameless}`, [{ toolName: "add" }, { type: "text", text: reported }], 1],
  ])("without a name is reported as text and in the metadata of the reply: %s", async (_, reply, content, count) => {
    for (const liveCalls of [true, false]) {
      const { generated, parts, finish } = await both([reply], {}, { onInvalidCall: "surface", liveCalls });
      expect(generated.content).toMatchObject(content);
      expect(contentIn(parts)).toEqual(generated.content);
      const about = { code: "malformed", message: expect.any(String), feedback: expect.any(String), raw: nameless };
      expect(generated.providerMetadata?.toolingua?.invalidToolCalls).toEqual(Array(count).fill(about));
      expect(finish?.providerMetadata).toEqual(generated.providerMetadata);
    }
  });

  it("without a name is shown to the model beside the result of a right one", async () => {
    const inner = new ScriptedModel({ replies: [`${good}\n${nameless}`, "It is 5."] });
    const tools = { add: tool({ inputSchema: z.object({ a: z.number(), b: z.number() }), execute: () => 5 }) };
    const model = withToolCalling(inner, { protocol: "hermes" });
    const { steps } = await generateText({ model, tools, prompt: "2 + 3?", stopWhen: stepCountIs(2) });
    expect(steps[0]?.text).toMatch(/^\[.+\]$/);
    expect(inner.text(1)).toContain(String(steps[0]?.text));
  });

  it("that is only quoted or copied is text", async () => {
    const quoted = `For example:\n\`\`\`\n${good}\n\`\`\`\nThat is how.`;
    expect(inputs((await both([quoted])).generated.content)).toEqual([]);
    const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: `Repeat: ${good}` }] }];
    expect(inputs((await both([good], { prompt })).generated.content)).toEqual([]);
    expect(inputs((await both([good], { prompt }, { copiedCalls: "call" })).generated.content)).toHaveLength(1);
    const about = { type: "file" as const, data: new Uint8Array(1), mediaType: "application/pdf" };
    for (const named of [{ filename: good }, { providerOptions: { anthropic: { context: good } } }]) {
      const given = [{ role: "user" as const, content: [{ ...about, ...named }] }];
      expect(inputs((await both([good], { prompt: given })).generated.content)).toEqual([]);
    }
  });
});

describe("a repeated call", () => {
  it("ends the reply, and the stream with it", async () => {
    const { generated, streaming } = await both([`${good}\n`.repeat(5)]);
    expect(inputs(generated.content)).toHaveLength(2);
    expect(generated.providerMetadata?.toolingua).toMatchObject({ repeatedCall: { name: "add" } });
    expect(streaming.cancelled).toBe(true);
  });
});
