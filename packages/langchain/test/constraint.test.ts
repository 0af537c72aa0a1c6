import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import type { AIMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { ChatOllama } from "@langchain/ollama";
import { ChatOpenAI } from "@langchain/openai";
import { type ConstraintTarget, protocols } from "@toolingua/core";
import { constraintFor } from "@toolingua/core/grammar";
import { EmbeddedChatModel } from "@toolingua/llama-cpp/langchain";
import { createAgent } from "langchain";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { ModelError, toToolDefinitions, withToolCalling } from "../src/index.js";
import { toolCallingMiddleware } from "../src/middleware.js";
import { call, ScriptedTextModel } from "./scripted-text-model.js";
import { TextServer } from "./text-server.js";
import { tinyEngine } from "./tiny-engine.js";

const server = new TextServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  vi.unstubAllEnvs();
  server.reset(() => call("add", { a: 2, b: 3 }));
});

const add = tool(({ a, b }) => String(a + b), {
  name: "add",
  description: "Adds two numbers",
  schema: z.object({ a: z.number().int(), b: z.number().int() }),
});
const tools = toToolDefinitions([add]);
const any = { tool_choice: "any" as const };
const openAI = (fields: object = {}) =>
  new ChatOpenAI({
    model: "gemma",
    apiKey: "k",
    maxRetries: 0,
    configuration: { baseURL: `${server.url}/v1` },
    ...fields,
  });
const ollama = () => new ChatOllama({ model: "gemma3", baseUrl: server.url, maxRetries: 0 });
const action = protocols["json-action"].renderCalls([{ name: "add", arguments: { a: 2, b: 3 } }], { tools });

describe("a constraint", () => {
  it.each(["llama.cpp", "vllm", "sglang"] as const)("goes to %s in ChatOpenAI's requests", async (backend) => {
    const model = withToolCalling(openAI(), { protocol: "hermes", constraint: "required", backend });
    const forced = constraintFor(backend, {
      tools,
      protocol: protocols.hermes,
      toolChoice: "required",
      parallel: true,
    });
    const free = constraintFor(backend, { tools, protocol: protocols.hermes, toolChoice: "auto", parallel: true });
    const bound = model.bindTools([add]);
    expect((await bound.invoke("2 + 3?", any)).tool_calls).toMatchObject([{ args: { a: 2, b: 3 } }]);
    await bound.invoke("2 + 3?");
    for await (const _ of await bound.stream("2 + 3?", any));
    expect(server.requests).toMatchObject([forced, free, forced]);
    expect(Object.keys(forced).length).toBeGreaterThan(0);
  });

  it("bounds what the schema leaves open, by option", async () => {
    const sum = tool(({ terms }) => String(terms.length), {
      name: "sum",
      description: "Adds numbers",
      schema: z.object({ terms: z.array(z.number().int()) }),
    });
    const options = { protocol: "hermes", constraint: "required", backend: "llama.cpp" } as const;
    const model = withToolCalling(openAI(), { ...options, grammar: { maxItems: 4 } });
    await model.bindTools([sum]).invoke("2 + 3?", any);
    const definition = { tools: toToolDefinitions([sum]), protocol: protocols.hermes, parallel: true };
    const given = { ...definition, toolChoice: "required" } as const;
    expect(server.requests.at(-1)).toMatchObject(constraintFor("llama.cpp", { ...given, maxItems: 4 }));
    expect(server.requests.at(-1)).not.toMatchObject(constraintFor("llama.cpp", given));
  });

  it("is kept with the model's own options, bindings and fallbacks, and does not change the model", async () => {
    const inner = openAI({ modelKwargs: { top_k: 3 } });
    const options = { protocol: "hermes", constraint: "auto", backend: "llama.cpp" } as const;
    for (const model of [inner, inner.withRetry(), inner.withFallbacks([openAI()]), inner.withConfig({ seed: 1 })]) {
      await withToolCalling(model, options).bindTools([add]).invoke("2 + 3?", any);
      expect(server.requests.at(-1)).toMatchObject({ top_k: 3, grammar: expect.stringContaining("root ::=") });
    }
    await inner.invoke("Hi.");
    expect(server.requests.at(-1)).not.toHaveProperty("grammar");
  });

  it("goes to Ollama as a JSON Schema if the format is JSON", async () => {
    server.reset(() => action);
    const model = withToolCalling(ollama(), { protocol: "json-action", constraint: "required" });
    const reply = await model.bindTools([add]).invoke("2 + 3?", any);
    expect(reply.tool_calls).toMatchObject([{ name: "add", args: { a: 2, b: 3 } }]);
    const { format } = constraintFor("ollama", { tools, protocol: protocols["json-action"], toolChoice: "required" });
    expect(server.requests[0]).toMatchObject({ format });
  });

  it("goes to OpenAI's own address by default, and to no other without an option", async () => {
    server.reset(() => action);
    vi.stubEnv("OPENAI_BASE_URL", "");
    const own = openAI({ configuration: { fetch: redirected } });
    const options = { protocol: "json-action", constraint: "auto" } as const;
    await withToolCalling(own, options).bindTools([add]).invoke("2 + 3?", any);
    expect(server.requests.at(-1)).toMatchObject({ response_format: { type: "json_schema" } });
    await withToolCalling(openAI(), options).bindTools([add]).invoke("2 + 3?", any);
    expect(server.requests.at(-1)).not.toHaveProperty("response_format");
  });

  it("that is required is an error if nothing is known to enforce it, or the format has none", async () => {
    const required = { protocol: "hermes", constraint: "required" } as const;
    const unknown = expect.objectContaining({ code: "no-constraint", message: expect.stringContaining("backend") });
    expect(() => withToolCalling(openAI(), required)).toThrow(unknown);
    expect(() => withToolCalling(new ScriptedTextModel({ replies: [] }), required)).toThrow(unknown);
    const lambda = RunnableLambda.from(() => "text");
    expect(() => withToolCalling(lambda as never, { ...required, backend: "vllm" })).toThrow(
      /^The runnable cannot send/,
    );
    const nowhere = expect.objectContaining({ code: "no-constraint", message: expect.stringContaining("ChatOpenAI") });
    expect(() => withToolCalling(ollama(), { constraint: "auto", backend: "vllm" })).toThrow(nowhere);
    const agent = createAgent({ model: openAI(), tools: [add], middleware: [toolCallingMiddleware(required)] });
    await expect(agent.invoke({ messages: "2 + 3?" })).rejects.toThrow(/backend/);
    const bound = withToolCalling(ollama(), required).bindTools([add]);
    await expect(bound.invoke("2 + 3?", any)).rejects.toMatchObject({ code: "unsupported" });
    expect(server.requests).toEqual([]);
  });

  it("goes to OpenAI's Responses API in that API's field", async () => {
    const options = { protocol: "json-action", constraint: "required", backend: "openai" } as const;
    const { response_format } = constraintFor("openai", {
      tools,
      protocol: protocols["json-action"],
      toolChoice: "required",
    }) as { response_format: { json_schema: object } };
    const model = withToolCalling(openAI({ useResponsesApi: true }), options).bindTools([add]);
    await model.invoke("2 + 3?", any).catch(() => {});
    expect(server.requests[0]).not.toHaveProperty("response_format");
    expect(server.requests[0]).toMatchObject({
      text: { format: { type: "json_schema", ...response_format.json_schema } },
    });
  });

  it.each(["auto", "fallback"] as const)(
    "under %s is omitted if it cannot constrain every part",
    async (constraint) => {
      server.reset(() => action);
      const chain = RunnableLambda.from((input: BaseLanguageModelInput) => input).pipe(ollama());
      const how = { protocol: "json-action", constraint } as const;
      for (const model of [
        withToolCalling(chain as never, how),
        withToolCalling(openAI().withFallbacks([ollama()]), { ...how, backend: "vllm" }),
      ]) {
        expect((await model.bindTools([add]).invoke("2 + 3?", any)).tool_calls).toHaveLength(1);
        const sent = server.requests.at(-1) ?? {};
        expect(["format", "structured_outputs"].filter((field) => sent[field] !== undefined)).toEqual([]);
      }
    },
  );

  it("that is required names the part that it cannot constrain", () => {
    const chain = RunnableLambda.from((input: BaseLanguageModelInput) => input).pipe(ollama());
    const how = { protocol: "json-action", constraint: "required" } as const;
    expect(() => withToolCalling(chain as never, how)).toThrow(/ChatOllama is part of a chain.*Wrap the model itself/);
    const mixed = openAI().withFallbacks([ollama()]);
    expect(() => withToolCalling(mixed, { ...how, backend: "vllm" })).toThrow(
      /^ChatOllama cannot send.*Use ChatOpenAI/,
    );
  });

  it("as a fallback constrains only the retry, also in middleware", async () => {
    const replies = [call("add", { a: 2 }), call("add", { a: 2, b: 3 }), "It is 5."];
    server.reset((_, request) => replies[request] ?? "");
    const middleware = [toolCallingMiddleware({ protocol: "hermes", constraint: "fallback", backend: "vllm" })];
    const agent = createAgent({ model: openAI(), tools: [add], middleware });
    const { messages } = await agent.invoke({ messages: "2 + 3?" });
    expect(messages.map((message) => message.text)).toEqual(["2 + 3?", "", "5", "It is 5."]);
    const grammars = server.requests.map((request) => "structured_outputs" in request);
    expect(grammars).toEqual([false, true, false]);
  });

  it("is not used for native calls", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const how: { backend: ConstraintTarget; protocol: "hermes" } = { backend: "llama.cpp", protocol: "hermes" };
    const model = withToolCalling(openAI(), { ...how, constraint: "auto", native: "auto" });
    await model.bindTools([add]).invoke("2 + 3?", any);
    expect(server.requests.map((request) => ["tools" in request, "grammar" in request])).toEqual([
      [true, false],
      [false, true],
    ]);
  });
});

it("a server is not taken for OpenAI because its address begins in the same way", () => {
  const at = (baseURL: string) => () =>
    withToolCalling(new ChatOpenAI({ model: "m", apiKey: "x", configuration: { baseURL } }), {
      constraint: "required",
    });
  expect(at("https://api.openai.com/v1")).not.toThrow();
  expect(at("https://api.openai.com.example.org/v1")).toThrow(ModelError);
});

const redirected: typeof fetch = (url, init) =>
  fetch(String(url instanceof Request ? url.url : url).replace("https://api.openai.com", server.url), init);

describe("the embedded model", () => {
  const engine = tinyEngine();
  const wordy = tinyEngine("bigram");

  it("may answer freely, and is constrained to the form of a call once it begins one", async () => {
    const pick = tool(({ color }) => color, { name: "pick", schema: z.object({ color: z.enum(["red", "blue"]) }) });
    const replies: AIMessage[] = [];
    for (let seed = 0; seed < 24; seed++) {
      const inner = new EmbeddedChatModel({ engine: wordy(), seed, temperature: 1, topK: 0, topP: 1, maxTokens: 200 });
      const model = withToolCalling(inner, { protocol: "hermes", constraint: "auto", maxInvalidCallRetries: 0 });
      replies.push(await model.bindTools([pick]).invoke("A color?", { parallel_tool_calls: false }));
    }
    const calls = replies.flatMap(({ tool_calls = [] }) => tool_calls);
    expect(calls.length).toBeGreaterThan(2);
    for (const { args } of calls) expect(args.color).toMatch(/^(red|blue)$/);
    expect(replies.some(({ text }) => text !== "")).toBe(true);
  });

  it.each(["auto", "required"] as const)("makes a valid call if it is constrained to one: %s", async (constraint) => {
    const inner = new EmbeddedChatModel({ engine: engine(), seed: 3, maxTokens: 200 });
    const pick = tool(({ color }) => color, { name: "pick", schema: z.object({ color: z.enum(["red", "blue"]) }) });
    const model = withToolCalling(inner, { protocol: "hermes", constraint, maxInvalidCallRetries: 0 });
    const { tool_calls } = await model.bindTools([pick]).invoke("A color?", { ...any, parallel_tool_calls: false });
    expect(tool_calls?.[0]?.args.color).toMatch(/^(red|blue)$/);
    const free = withToolCalling(inner, { protocol: "hermes", maxInvalidCallRetries: 0 }).bindTools([pick]);
    expect((await free.invoke("A color?", any)).tool_calls).toEqual([]);
  });
});
