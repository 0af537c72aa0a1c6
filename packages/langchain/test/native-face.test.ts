import { load } from "@langchain/core/load";
import type { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOllama } from "@langchain/ollama";
import { ChatOpenAI } from "@langchain/openai";
import { defineProtocol, protocols } from "@toolingua/core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { ToolCallingChatModel, withToolCalling } from "../src/index.js";
import { call, ScriptedTextModel } from "./scripted-text-model.js";
import { TextServer } from "./text-server.js";

// What a model shows of itself beside its answers. ChatOpenAI is what is expected.

const server = new TextServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => server.reset(() => "Hello."));

const configuration = () => ({ baseURL: server.url });
const openAI = () => new ChatOpenAI({ model: "gpt-9", apiKey: "k", temperature: 0.5, configuration: configuration() });
const schema = z.object({ city: z.string() });
const weather = tool(({ city }) => city, { name: "weather", schema });
const ping = tool(() => "pong", { name: "ping", schema: z.object({}) });

describe("the results of bindTools and withConfig", () => {
  it("accept tools, options and structured output again, like ChatOpenAI's", async () => {
    const structured = call("extract", { city: "Oslo" });
    const inner = new ScriptedTextModel({
      replies: [structured, structured, call("ping", {}), call("weather", { city: "Oslo" })],
    });
    const model = withToolCalling(inner, { protocol: "hermes" });
    const native = openAI().bindTools([weather]);
    for (const name of ["bindTools", "withStructuredOutput", "withConfig"] as const) {
      expect(native[name as "withConfig"]).toBeTypeOf("function");
    }
    const warm = model.withConfig({ temperature: 0.9, tags: ["x"] });
    expect(await warm.withStructuredOutput(schema).invoke("Where?")).toEqual({ city: "Oslo" });
    expect(await warm.bindTools([weather]).withStructuredOutput(schema).invoke("Where?")).toEqual({ city: "Oslo" });
    expect((await warm.bindTools([weather]).bindTools([ping]).invoke("Ping?")).tool_calls).toHaveLength(1);
    const bound = warm.bindTools([weather]).withConfig({ stop: ["x"] });
    expect((await bound.invoke("Weather?")).tool_calls).toMatchObject([{ name: "weather" }]);
    expect(inner.options.map(({ temperature }) => temperature)).toEqual([0.9, 0.9, 0.9, 0.9]);
    expect(inner.requests[2]?.map(({ text }) => text).join()).not.toContain("weather");
    expect(inner.options[3]).toMatchObject({ stop: ["x"] });
  });
});

describe("a message", () => {
  it.each([
    ["ChatOpenAI", openAI],
    ["ChatOllama", () => new ChatOllama({ model: "gemma3", baseUrl: server.url })],
  ])("has an id, and the metadata that %s gives it", async (_, make) => {
    const { tokenUsage, model_provider, ...expected } = (await make().invoke("Hi")).response_metadata as Record<
      string,
      unknown
    >;
    const message = await withToolCalling(make()).invoke("Hi");
    // On purpose: the provider, in whose words the content is not any more, is not named; model and sums always are.
    const model = expected.model ?? expected.model_name;
    expect(message.response_metadata).toEqual({ ...expected, model, tokenUsage: expect.any(Object) });
    expect(tokenUsage ?? model_provider).toBeDefined();
    // On purpose: the server of this test, like some others, gives every message the same id.
    expect(message.id).toMatch(/^run-/);
    expect((await withToolCalling(make()).invoke("Hi")).id).not.toBe(message.id);
    const pieces: AIMessageChunk[] = [];
    for await (const piece of await withToolCalling(make()).stream("Hi")) pieces.push(piece);
    expect(new Set(pieces.map(({ id }) => id)).size).toBe(1);
    expect(pieces[0]?.id).toMatch(/^run-/);
  });

  it("has content of the version that the wrapped model uses", async () => {
    const v1 = new ScriptedTextModel({ replies: ["Hello."], outputVersion: "v1" });
    const expected = (await v1.invoke("Hi")) as AIMessage;
    const message = (await withToolCalling(v1).invoke("Hi")) as AIMessage;
    expect(message.content).toEqual(expected.content);
    expect(new ToolCallingChatModel({ model: v1, outputVersion: "v0" }).outputVersion).toBe("v0");
    expect(withToolCalling(openAI()).outputVersion).toBe(openAI().outputVersion);
  });
});

describe("the model", () => {
  it("is identified by the wrapped model's name", () => {
    expect(withToolCalling(openAI()).model).toBe(openAI().model);
    expect(withToolCalling(openAI().withConfig({ stop: ["x"] })).model).toBe("gpt-9");
  });

  it("is serialised and loaded like ChatOpenAI, with its options, without its secrets", async () => {
    const model = withToolCalling(openAI(), { protocol: "hermes", onInvalidCall: "surface", generateId: () => "1" });
    const json = JSON.stringify(model);
    expect(JSON.parse(json)).toMatchObject({
      lc: 1,
      type: "constructor",
      kwargs: { model: JSON.parse(JSON.stringify(openAI())) },
    });
    const loaded = await load<ToolCallingChatModel>(json, {
      secretsMap: { OPENAI_API_KEY: "k" },
      importMap: { chat_models__openai: { ChatOpenAI } },
      optionalImportsMap: { "toolingua/langchain": { ToolCallingChatModel } },
    });
    expect(loaded).toBeInstanceOf(ToolCallingChatModel);
    expect(loaded.inner).toBeInstanceOf(ChatOpenAI);
    expect(JSON.stringify(loaded)).toBe(json);
    server.reset(() => call("weather", { city: "Oslo" }));
    expect((await loaded.bindTools([weather]).invoke("Weather?")).tool_calls).toMatchObject([{ name: "weather" }]);
    expect(JSON.stringify(model.bindTools([weather]))).toContain('"RunnableBinding"');
  });

  it("is not serialised if a part cannot be", () => {
    const own = defineProtocol({ ...protocols.hermes, name: "my-own" });
    for (const model of [
      withToolCalling(new ScriptedTextModel({ replies: [] })),
      withToolCalling(openAI(), { protocol: own }),
    ]) {
      expect(JSON.parse(JSON.stringify(model))).toMatchObject({ type: "not_implemented" });
    }
    expect(JSON.parse(JSON.stringify(withToolCalling(openAI(), { protocol: protocols.hermes })))).toMatchObject({
      kwargs: { protocol: "hermes" },
    });
  });
});
