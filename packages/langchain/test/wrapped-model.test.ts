import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { BaseMessage } from "@langchain/core/messages";
import { HumanMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { ChatOllama } from "@langchain/ollama";
import { ChatOpenAI } from "@langchain/openai";
import { protocols } from "@toolingua/core";
import { initChatModel } from "langchain";
import { ConfigurableModel } from "langchain/chat_models/universal";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { withToolCalling } from "../src/index.js";
import { NativeModel } from "./native-model.js";
import { call, ScriptedTextModel } from "./scripted-text-model.js";
import { TextServer } from "./text-server.js";

const server = new TextServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => server.reset(() => call("add", { a: 2, b: 3 })));

const add = tool(({ a, b }) => String(a + b), { name: "add", schema: z.object({ a: z.number(), b: z.number() }) });
const openAI = { model: "gemma", apiKey: "k", maxRetries: 0 };
const failing = () => Promise.reject(new Error("down"));
const configuration = () => ({ baseURL: `${server.url}/v1` });

describe("a class with #private fields", () => {
  class CountingOpenAI extends ChatOpenAI {
    #asked = 0;
    override async *_streamResponseChunks(
      messages: BaseMessage[],
      options: this["ParsedCallOptions"],
      runManager?: CallbackManagerForLLMRun,
    ) {
      this.#asked++;
      yield* super._streamResponseChunks(messages, options, runManager);
    }
    get asked() {
      return this.#asked;
    }
  }
  class CountingOllama extends ChatOllama {
    #asked = 0;
    override invocationParams(options?: this["ParsedCallOptions"]) {
      this.#asked++;
      return super.invocationParams(options);
    }
    get asked() {
      return this.#asked;
    }
  }

  it("is constrained by a server's fields, in every place", async () => {
    const counting = () => new CountingOpenAI({ ...openAI, configuration: configuration() });
    const broken = new ChatOpenAI({ ...openAI, configuration: { baseURL: `${server.url}/nowhere`, fetch: failing } });
    for (const model of [counting(), counting().withRetry(), broken.withFallbacks([counting()])]) {
      const held = withToolCalling(model, { protocol: "hermes", constraint: "required", backend: "vllm" });
      const { tool_calls } = await held.bindTools([add]).invoke("2 + 3?", { tool_choice: "any" });
      expect(tool_calls).toHaveLength(1);
      expect(server.requests.at(-1)).toHaveProperty("structured_outputs");
    }
    const model = counting();
    await withToolCalling(model, { constraint: "auto", backend: "vllm" }).bindTools([add]).invoke("2 + 3?");
    expect(model.asked).toBe(1);
  });

  it("is constrained too if a compiler turned them into a WeakMap", async () => {
    const secret = new WeakMap<object, number>();
    class Lowered extends ChatOpenAI {
      constructor(fields: ConstructorParameters<typeof ChatOpenAI>[0] & object) {
        super(fields);
        secret.set(this, 1);
      }
      override async *_streamResponseChunks(
        messages: BaseMessage[],
        options: this["ParsedCallOptions"],
        runManager?: CallbackManagerForLLMRun,
      ) {
        if (!secret.has(this)) throw new TypeError("Cannot read from private field");
        yield* super._streamResponseChunks(messages, options, runManager);
      }
    }
    const model = new Lowered({ ...openAI, configuration: configuration() });
    const held = withToolCalling(model, { protocol: "hermes", constraint: "auto", backend: "llama.cpp" });
    await held.bindTools([add]).invoke("2 + 3?", { tool_choice: "any" });
    expect(server.requests.at(-1)).toHaveProperty("grammar");
  });

  it("is constrained by call options, and works without a constraint", async () => {
    const action = protocols["json-action"];
    const written = action.renderCalls([{ name: "add", arguments: { a: 2, b: 3 } }], { tools: [] });
    server.reset(() => written);
    const ollama = new CountingOllama({ model: "gemma3", baseUrl: server.url, maxRetries: 0 });
    const held = withToolCalling(ollama, { protocol: "json-action", constraint: "required" }).bindTools([add]);
    expect((await held.invoke("2 + 3?", { tool_choice: "any" })).tool_calls).toHaveLength(1);
    expect(server.requests.at(-1)).toHaveProperty("format");
    expect(ollama.asked).toBeGreaterThan(0);
    server.reset(() => call("add", { a: 2, b: 3 }));
    const free = withToolCalling(new CountingOpenAI({ ...openAI, configuration: configuration() }), {
      protocol: "hermes",
    });
    expect((await free.bindTools([add]).invoke("2 + 3?")).tool_calls).toHaveLength(1);
  });
});

describe("tools bound to the wrapped model", () => {
  it.each(["auto", "never"] as const)("are an error that names the right place: native %s", (native) => {
    const wrapped = withToolCalling(new ScriptedTextModel({ replies: [] }));
    const model = new NativeModel({ turns: [] });
    for (const bound of [
      wrapped.bindTools([add]),
      wrapped.bindTools([add]).withConfig({ tags: ["x"] }),
      model.bindTools([add]),
      model.withFallbacks([model.bindTools([add]) as never]),
    ]) {
      expect(() => withToolCalling(bound, { native })).toThrow(expect.objectContaining({ code: "tools-bound" }));
    }
  });

  it("may be provider tools, which are passed on", async () => {
    const model = new NativeModel({ turns: [{ text: "Found." }] });
    for (const tools of [
      [{ type: "web_search" }],
      [{ type: "web_search_20250305", name: "web_search" }],
      [{ googleSearch: {} }],
    ]) {
      expect((await withToolCalling(model.withConfig({ tools })).invoke("Search.")).text).toBe("Found.");
    }
  });
});

describe("a model of initChatModel", () => {
  it.each(["invoke", "stream"])("is created from the configuration of the call: %s", async (how) => {
    const fields = { modelProvider: "openai", apiKey: "k", configuration: configuration() };
    const model = await initChatModel("gemma", { ...fields, configurableFields: ["model"] });
    const bound = withToolCalling(model, { protocol: "hermes" }).bindTools([add]);
    const config = { configurable: { model: "other" } };
    if (how === "invoke") expect((await bound.invoke("2 + 3?", config)).tool_calls).toHaveLength(1);
    else for await (const _ of await bound.stream("2 + 3?", config));
    expect(server.requests.at(-1)).toMatchObject({ model: "other" });
  });

  it("is remembered as one without native tool calls, separately from others", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const fields = { modelProvider: "openai", apiKey: "k", maxRetries: 0, configuration: configuration() };
    const model = await initChatModel("gemma", { ...fields, configurableFields: ["model"] });
    const bound = withToolCalling(model, { protocol: "hermes", native: "auto" }).bindTools([add]);
    for (const name of ["one", "two", "one"]) await bound.invoke("2 + 3?", { configurable: { model: name } });
    const asked = server.requests.map(({ model, tools }) => [model, Array.isArray(tools)]);
    expect(asked.filter(([, natively]) => natively)).toEqual([
      ["one", true],
      ["two", true],
    ]);
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      expect.stringContaining("one takes no tools"),
      expect.stringContaining("two takes no tools"),
    ]);
    warn.mockRestore();
  });

  it("may have no default", async () => {
    const model = new ConfigurableModel({ configurableFields: "any" });
    const bound = withToolCalling(model, { protocol: "hermes" }).bindTools([add]);
    const configurable = { model: "gemma", modelProvider: "openai", apiKey: "k", configuration: configuration() };
    expect((await bound.invoke("2 + 3?", { configurable })).tool_calls).toHaveLength(1);
  });
});

describe("several inputs at once", () => {
  it("return the tokens of all of them together", async () => {
    const inner = new ScriptedTextModel({ replies: ["One.", "Three."], usage: true });
    const messages = [[new HumanMessage("1")], [new HumanMessage("2")]];
    const { llmOutput } = await withToolCalling(inner).generate(messages);
    expect(llmOutput).toEqual({ tokenUsage: { promptTokens: 2, completionTokens: 10, totalTokens: 12 } });
    const silent = await withToolCalling(new ScriptedTextModel({ replies: ["One."] })).generate(messages);
    expect(silent.llmOutput).toEqual({});
  });
});

it.each([null, 42, { city: "Oslo" }])("a runnable that returns %j is refused as a language model", async (answer) => {
  const model = withToolCalling(RunnableLambda.from(async () => answer) as never, { protocol: "hermes" });
  const refused = expect.objectContaining({ name: "ModelError", code: "not-a-model" });
  await expect(model.bindTools([add]).invoke("2 + 3?")).rejects.toEqual(refused);
});
