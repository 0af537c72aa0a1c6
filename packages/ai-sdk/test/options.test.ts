import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { constraintFields, matchGrammar, toolCallGrammar } from "@toolingua/core/grammar";
import { generateText, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  ConversationError,
  GrammarError,
  ModelError,
  OptionsError,
  type ToolCallingOptions,
  ToolDefinitionError,
  toolCallingMiddleware,
  withToolCalling,
} from "../src/index.js";
import { add, ask, both } from "./both-halves.js";
import { call, ScriptedModel } from "./scripted-model.js";

const good = call("add", { a: 2, b: 3 });

describe("options", () => {
  const inner = new ScriptedModel({ replies: [] });
  it.each([
    [{ protcol: "hermes" }, 'Did you mean "protocol"?'],
    [{ temperature: 0 }, "It is an option of `generateText`"],
    [{ onInvalidCall: "ignore" }, '`onInvalidCall` is "retry", "surface" or "throw"'],
    [{ maxInvalidCallRetries: -1 }, "a whole number from 0"],
    [{ startWithReasoning: "yes" }, "`startWithReasoning` is true or false"],
    [{ startsWithReasoning: true }, 'Did you mean "startWithReasoning"?'],
    [{ liveCalls: "yes" }, "`liveCalls` is true or false"],
    [{ resultMedia: "auto" }, '`resultMedia` is "placeholder", "model" or "text"'],
    [{ toolSelection: { form: 3 } }, 'Did you mean "from"?'],
    [{ toolSelection: "words" }, "`toolSelection` is true, false, or an object"],
    [{ toolSelection: { limit: 0 } }, "`toolSelection.limit` is a whole number from 1"],
    [{ toolSelection: { by: "name" } }, '`toolSelection.by` is "auto", "text" or "words"'],
    [{ grammar: { maxItems: -1 } }, "`grammar.maxItems` is a whole number from 1"],
    [{ grammar: { maxitems: 3 } }, 'Did you mean "maxItems"?'],
    [{ protocol: "hermez" }, "There is no protocol"],
    [null, "must be an object, not null"],
    ["hermes", 'must be an object, not "hermes"'],
    [[], "must be an object, not a list"],
  ])("%j is refused at once, with the correct form", (options, message) => {
    const given: ToolCallingOptions = JSON.parse(JSON.stringify(options));
    expect(() => withToolCalling(inner, given)).toThrow(message);
    expect(() => toolCallingMiddleware(given)).toThrow(message);
    if (!String(message).startsWith("There is no protocol"))
      expect(() => withToolCalling(inner, given)).toThrow(OptionsError);
  });

  it("an invalid model is refused with an alternative", () => {
    for (const [model, way] of [
      ["openai/gpt-5", "gateway("],
      [{ specificationVersion: "v2", doGenerate: () => {} }, "wrapLanguageModel"],
      [undefined, "what a provider makes"],
      [{ specificationVersion: "v3", doGenerate: () => {} }, "has no `doStream`"],
      [{ specificationVersion: "v4" }, "has no `doGenerate`"],
      [{ specificationVersion: "v5", doGenerate: () => {}, doStream: () => {} }, 'specificationVersion "v5"'],
      [{ specificationVersion: 3, doGenerate: () => {}, doStream: () => {} }, "specificationVersion 3"],
      [{ doGenerate: () => {}, doStream: () => {} }, "no `specificationVersion`"],
    ]) {
      const wrap = Reflect.apply.bind(undefined, withToolCalling, undefined, [model]);
      expect(wrap).toThrow(ModelError);
      expect(wrap).toThrow(String(way));
    }
  });

  it("the protocol is the model's native one, by the model's name", async () => {
    const qwen = new ScriptedModel({ replies: ["Hi."], modelId: "qwen3-coder:30b" });
    await withToolCalling(qwen).doGenerate({ prompt: ask(), tools: [add] });
    expect(qwen.text(0)).toContain("<function=");
  });

  it("onTrace and generateId are called", async () => {
    const seen: string[] = [];
    const { generated } = await both([good], {}, { onTrace: ({ type }) => seen.push(type) });
    expect(generated.content).toMatchObject([{ toolCallId: "call-0" }]);
    expect(seen).toContain("request");
    expect(seen).toContain("reply");
  });

  it("onTrace receives the usage of the wrapped model, with caches and reasoning", async () => {
    const spent: unknown[] = [];
    await both([good], {}, { onTrace: (event) => event.type === "end" && spent.push(event.usage) });
    const counts = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 2, cacheWriteTokens: 0, reasoningTokens: 1 };
    expect(spent).toContainEqual(counts);
  });

  it.each([42, "", undefined, Promise.resolve("a")])("generateId that returns %j is refused, and named", async (id) => {
    const generateId = (() => id) as () => string;
    const model = withToolCalling(new ScriptedModel({ replies: [good, good] }), { protocol: "hermes", generateId });
    await expect(model.doGenerate({ prompt: ask(), tools: [add] })).rejects.toThrow(/`generateId` .*text/);
    await expect(model.doGenerate({ prompt: ask(), tools: [add] })).rejects.toThrow(OptionsError);
  });
});

/** A provider of createOpenAICompatible that gives these answers in turn, the last one again and again, and what it sends. */
function compatible(name: string, answers: string[], settings: { supportsStructuredOutputs?: boolean } = {}) {
  const bodies: Record<string, unknown>[] = [];
  const provider = createOpenAICompatible({
    ...{ name, baseURL: "http://127.0.0.1:2/v1", ...settings },
    fetch: async (_, init) => {
      const content = answers[Math.min(bodies.length, answers.length - 1)];
      bodies.push(JSON.parse(String(init?.body)));
      const message = { role: "assistant", content };
      return Response.json({ id: "1", model: "m", choices: [{ index: 0, message, finish_reason: "stop" }] });
    },
  });
  return { provider, bodies };
}

describe("constraints", () => {
  const required = { prompt: ask(), tools: [add], toolChoice: { type: "required" as const } };

  it("go to the embedded model as a grammar", async () => {
    const inner = new ScriptedModel({ replies: [good], provider: "toolingua.llama-cpp" });
    await withToolCalling(inner, { protocol: "hermes", constraint: "required" }).doGenerate(required);
    expect(inner.calls[0]?.providerOptions?.toolingua).toMatchObject({ constraint: { type: "gbnf" } });
  });

  it("go to Ollama as the schema of the reply", async () => {
    const inner = new ScriptedModel({
      replies: ['{"action":"add","arguments":{"a":1,"b":2}}'],
      provider: "ollama.chat",
    });
    await withToolCalling(inner, { protocol: "json-action", constraint: "auto" }).doGenerate(required);
    expect(inner.calls[0]?.responseFormat).toMatchObject({ type: "json", schema: expect.any(Object) });
  });

  it.each([false, true])("go to Ollama through createOpenAICompatible, structured outputs: %s", async (supported) => {
    const { provider, bodies } = compatible("ollama", ['{"action":"add","arguments":{"a":1,"b":2}}'], {
      supportsStructuredOutputs: supported,
    });
    const model = withToolCalling(provider("m"), { protocol: "json-action", constraint: "required" });
    const { content, warnings } = await model.doGenerate(required);
    expect([content, warnings]).toMatchObject([[{ type: "tool-call", toolName: "add" }], []]);
    expect(bodies).toMatchObject([
      { response_format: { type: "json_schema", json_schema: { schema: expect.any(Object) } } },
    ]);
  });

  it("of an answer that createOpenAICompatible cannot send are checked here, without its warning", async () => {
    const { provider, bodies } = compatible("my-server", ['{"a":"x"}', '{"a":1}']);
    const properties = { a: { type: "number" as const } };
    const schema = { type: "object" as const, properties, required: ["a"] };
    const responseFormat = { type: "json" as const, schema };
    const { content, warnings } = await withToolCalling(provider("m")).doGenerate({ prompt: ask(), responseFormat });
    expect([content, warnings]).toEqual([[{ type: "text", text: '{"a":1}' }], []]);
    expect(bodies.map((body) => body.response_format)).toEqual([{ type: "json_object" }, { type: "json_object" }]);
  });

  it.each(["llama.cpp", "vllm", "sglang"] as const)(
    "go to %s through createOpenAICompatible as the fields that an endpoint sends",
    async (backend) => {
      const { provider, bodies } = compatible("my-server", [good]);
      const model = withToolCalling(provider("m"), { protocol: "hermes", constraint: "required", backend });
      const inputSchema = z.object({ a: z.number(), b: z.number() });
      const tools = { add: tool({ inputSchema, execute: ({ a, b }) => a + b }) };
      for (const toolChoice of ["required", "auto"] as const) {
        const { toolCalls } = await generateText({ model, tools, toolChoice, prompt: "2 + 3?" });
        expect(toolCalls).toMatchObject([{ input: { a: 2, b: 3 } }]);
        const parameters = { ...z.toJSONSchema(inputSchema), $schema: "http://json-schema.org/draft-07/schema#" };
        const { grammar } = toolCallGrammar({ tools: [{ name: "add", parameters }], protocol: "hermes", toolChoice });
        expect(bodies.at(-1)).toMatchObject(constraintFields(backend, { grammar }) ?? {});
        expect(bodies.at(-1)).not.toHaveProperty("tools");
      }
    },
  );

  it("go to a model that cannot start a grammar late with the grammar of the whole reply", async () => {
    const inner = new ScriptedModel({ replies: [good], provider: "mine" });
    const model = withToolCalling(inner, { protocol: "hermes", constraint: "auto", backend: "gbnf" });
    await model.doGenerate({ prompt: ask(), tools: [add] });
    const { constraint } = inner.calls[0]?.providerOptions?.toolingua ?? {};
    expect(constraint).toMatchObject({ triggers: [{ type: "word", value: "<tool_call>" }] });
    const { whole }: { whole?: string } = Object(constraint);
    expect([good, "It is noon."].map((text) => matchGrammar(whole ?? "", text).matches)).toEqual([true, true]);
  });

  it.each([
    [
      "mine.chat",
      "gbnf",
      'constrains only an EmbeddedChatModel: use "ollama", "openai", "llama.cpp", "vllm" or "sglang"',
    ],
    ["openai.chat", "gbnf", 'constrains only an EmbeddedChatModel: use "openai"'],
    ["toolingua.llama-cpp", "llama.cpp", 'It reads only "gbnf", which is detected: leave `backend` out'],
    ["toolingua.llama-cpp", "openai", 'It reads only "gbnf"'],
  ] as const)(
    "that are required are an error if the model of %s cannot have the backend %s",
    (provider, backend, why) => {
      const wrap = () =>
        withToolCalling(new ScriptedModel({ replies: [], provider }), { constraint: "required", backend });
      expect(wrap).toThrow(ModelError);
      expect(wrap).toThrow(expect.objectContaining({ code: "no-constraint", message: expect.stringContaining(why) }));
    },
  );

  it("that are required are an error if it is unknown what enforces them", () => {
    const unknown = new ScriptedModel({ replies: [] });
    expect(() => withToolCalling(unknown, { constraint: "required" })).toThrow(
      "Name the server behind it with `backend`",
    );
    const openai = new ScriptedModel({ replies: [], provider: "openai.chat" });
    expect(() => withToolCalling(openai, { constraint: "auto", backend: "vllm" })).toThrow("createOpenAICompatible");
  });
});

describe("errors of a request are classes that the package exports", () => {
  const toolOf = (parameters: object) => [
    { ...add, inputSchema: { type: "object" as const, properties: { a: parameters }, required: ["a"] } },
  ];
  const toolChoice = { type: "required" as const };
  const call = { type: "tool-call" as const, toolCallId: "1", toolName: JSON.parse("7"), input: {} };

  it.each([
    ["a wrong schema", ToolDefinitionError, { prompt: ask(), tools: toolOf({ type: "strang" }) }],
    ["a call without a name", ConversationError, { prompt: [{ role: "assistant", content: [call] }], tools: [add] }],
    ["a schema that nothing matches", GrammarError, { prompt: ask(), tools: toolOf({ not: {} }), toolChoice }],
  ] as const)("%s", async (_, error, asked) => {
    const model = withToolCalling(new ScriptedModel({ replies: ["Hi."] }), {
      protocol: "hermes",
      constraint: "required",
      backend: "vllm",
    });
    await expect(model.doGenerate(JSON.parse(JSON.stringify(asked)))).rejects.toThrow(error);
  });
});
