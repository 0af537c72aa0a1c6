import { InMemoryCache } from "@langchain/core/caches";
import type { LanguageModelLike } from "@langchain/core/language_models/base";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { FakeListChatModel, FakeStreamingLLM } from "@langchain/core/utils/testing";
import { protocolForModel } from "@toolingua/core";
import { initChatModel } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { ModelError, OptionsError, ToolCallingChatModel, ToolDefinitionError, withToolCalling } from "../src/index.js";
import { call, type Reply, ScriptedTextModel } from "./scripted-text-model.js";

const scripted = (...replies: Reply[]) => new ScriptedTextModel({ replies });
const wrap = (...replies: Reply[]) => withToolCalling(scripted(...replies), { protocol: "hermes" });
const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};
const ping = { name: "ping", description: "Pings", schema: { type: "object", properties: {} } };

describe("ToolCallingChatModel", () => {
  it("is made from one object and ignores unknown fields", () => {
    const fields = {
      model: scripted("Hi"),
      temperature: 0,
      maxTokens: 5,
      timeout: 9,
      stopSequences: [],
      maxRetries: 2,
    };
    const model = new ToolCallingChatModel(fields);
    expect(model._llmType()).toBe("tool-calling");
    expect(model.getName()).toBe("ToolCallingChatModel");
    expect(model).not.toHaveProperty("tools");
  });

  const badOptions: [object, RegExp][] = [
    [{ style: "zzz" }, /`style`.*"native", "json", "signature" or "compact", not "zzz"/],
    [{ onInvalidCall: "foo" }, /`onInvalidCall`.*"retry", "surface" or "throw"/],
    [{ native: "yes" }, /`native`.*"auto" or "never"/],
    [{ constraint: "x" }, /`constraint`.*"off"/],
    [{ backend: "zzz" }, /`backend`.*"vllm"/],
    [{ maxInvalidCallRetries: -1 }, /`maxInvalidCallRetries`.*whole number from 0/],
    [{ maxInvalidCallRetries: Number.NaN }, /NaN/],
    [{ maxIdenticalCalls: 0 }, /`maxIdenticalCalls`.*whole number from 1, or Infinity/],
    [{ toolSelection: { limit: 0 } }, /`toolSelection.limit`.*whole number from 1/],
    [{ toolSelection: { limit: -1 } }, /-1/],
    [{ toolSelection: { from: "3" } }, /`toolSelection.from`/],
    [{ toolSelection: { by: "foo" } }, /`toolSelection.by`/],
    [{ toolSelection: { limits: 3 } }, /"limits".* Did you mean "limit"\?$/],
    [{ startWithReasoning: "yes" }, /`startWithReasoning`.*true or false/],
    [{ start_with_reasoning: true }, /Did you mean "startWithReasoning"\?/],
    [{ prefill: "yes" }, /`prefill`.*true or false/],
    [{ generateId: "x" }, /`generateId`.*function/],
    [{ protocl: "xml" }, /"protocl".*protocol/],
    [{ max_tokens: 5 }, /no "max_tokens".* It is an option of the model that is wrapped\./],
    [{ maxSteps: 5 }, /no "maxSteps".* The agent's `recursionLimit` limits its steps\./],
    [{ maxRetries: 5 }, /no "maxRetries".* Did you mean "maxInvalidCallRetries"\?/],
  ];
  it.each(badOptions)("refuses %j in the constructor, with the correct form", (options, message) => {
    const error = thrownBy(() => withToolCalling(scripted("Hi"), options));
    expect(error).toBeInstanceOf(OptionsError);
    expect(error).toMatchObject({ code: "bad-option", message: expect.stringMatching(message) });
  });

  it("refuses a misspelt option of its constructor as well, and takes LangChain's own fields", () => {
    const made = (fields: object) => thrownBy(() => new ToolCallingChatModel({ model: scripted("Hi"), ...fields }));
    expect(made({ protcol: "hermes" })).toBeInstanceOf(OptionsError);
    expect(made({ protcol: "hermes" })).toMatchObject({
      code: "bad-option",
      message: 'There is no option "protcol" of ToolCallingChatModel. Did you mean "protocol"?',
    });
    expect(made({ max_identical_calls: 1 })).toMatchObject({ message: expect.stringContaining("maxIdenticalCalls") });
    const own = {
      ...{ cache: false, callbacks: [], disableStreaming: true, maxConcurrency: 1, maxRetries: 2, metadata: {} },
      ...{ onFailedAttempt: () => {}, outputVersion: "v1", tags: [], verbose: false },
    };
    expect(made(own)).toBeInstanceOf(ToolCallingChatModel);
  });

  it("refuses an unknown protocol in the constructor", () => {
    expect(thrownBy(() => withToolCalling(scripted("Hi"), { protocol: "nope" as never }))).toMatchObject({
      code: "unknown-protocol",
    });
  });

  it("accepts undefined options, and any valid ones", () => {
    const none = { protocol: undefined, style: undefined, maxInvalidCallRetries: undefined, toolSelection: undefined };
    expect(() => withToolCalling(scripted("Hi"), none)).not.toThrow();
    const some = {
      maxInvalidCallRetries: 0,
      toolSelection: { from: 0, limit: 1 },
      prefill: false,
      native: "never",
    } as const;
    expect(() => withToolCalling(scripted("Hi"), some)).not.toThrow();
  });

  it("refuses an invalid model", () => {
    expect(() => new ToolCallingChatModel({ model: {} as never })).toThrow(ModelError);
    expect(() => withToolCalling(undefined as never)).toThrow(ModelError);
  });

  it("returns an answer that is data as text and as a value", async () => {
    const inner = scripted('{"thought": "I know.", "final": {"content": {"sum": 5}}}');
    const message = await withToolCalling(inner, { protocol: "json-action" })
      .bindTools([ping])
      .invoke("2 + 3, as data");
    expect(message.text).toBe('{"sum":5}');
    expect(message.response_metadata.value).toEqual({ sum: 5 });
  });

  it("without tools behaves like the wrapped model", async () => {
    const inner = scripted('A "<tool_call>" is {"name": "markup"}.');
    const message = await withToolCalling(inner, { protocol: "hermes" }).invoke("What is it?");
    expect(message.tool_calls).toEqual([]);
    expect(inner.requests[0]?.map((sent) => sent.text)).toEqual(["What is it?"]);
  });

  it("binds without changing itself, and checks tools and choice when they are bound", () => {
    const model = wrap("Hi");
    const bound = model.bindTools([ping], { tool_choice: "ping" });
    expect(bound).not.toBe(model);
    expect(() => model.bindTools([ping, ping])).toThrow(ToolDefinitionError);
    expect(() => withToolCalling(scripted("Hi")).bindTools([{ name: "a<b" }])).toThrow(/"a<b"/);
    expect(() => model.bindTools([{ type: "web_search" }])).toThrow(/"web_search"/);
    expect(() => model.bindTools([ping], { tool_choice: "pong" })).toThrow(/"pong"/);
  });

  it("accepts tools as a call option too", async () => {
    expect((await wrap(call("ping", {})).invoke("Go.", { tools: [ping] })).tool_calls).toHaveLength(1);
  });

  it("answers each input of a batch separately", async () => {
    const inner = new ScriptedTextModel({ replies: (messages) => call("echo", { text: messages.at(-1)?.text ?? "" }) });
    const echo = { name: "echo", schema: { type: "object", properties: { text: { type: "string" } } } };
    const messages = await withToolCalling(inner, { protocol: "hermes" }).bindTools([echo]).batch(["a", "b"]);
    expect(messages.map((message) => message.tool_calls?.[0]?.args)).toEqual([{ text: "a" }, { text: "b" }]);
  });

  it("passes on the wrapped model's call options, and none about tools", async () => {
    const inner = scripted("Hi");
    const model = withToolCalling(inner, { protocol: "hermes" }).bindTools([ping], { parallel_tool_calls: false });
    await model.invoke("Go.", { temperature: 0.1, response_format: { type: "json" }, strict: true } as never);
    expect(Object.keys(inner.options[0] ?? {}).sort()).toEqual(
      ["signal", "temperature"].filter((key) => key in (inner.options[0] ?? {})),
    );
    expect(inner.options[0]).toMatchObject({ temperature: 0.1 });
  });

  it("hides the tools for tool_choice none", async () => {
    const inner = scripted("Hi");
    await withToolCalling(inner).bindTools([ping]).invoke("Go.", { tool_choice: "none" });
    expect(inner.requests[0]?.map((message) => message.text).join()).not.toContain("Pings");
  });

  it("requests a required call again, and reports that none came", async () => {
    const bound = (...replies: Reply[]) => wrap(...replies).bindTools([ping], { tool_choice: "any" });
    expect((await bound("No.", call("ping", {})).invoke("Go.")).tool_calls).toHaveLength(1);
    const strict = wrap("No.").withOptions({ onMissingCall: "throw" }).bindTools([ping], { tool_choice: "any" });
    await expect(strict.invoke("Go.")).rejects.toMatchObject({ code: "tool-choice-unmet" });
  });

  it("opens a required call for a model that continues a prefill", async () => {
    const inner = new ScriptedTextModel({ replies: ["{}}\n</tool_call>"], prefill: true });
    const model = withToolCalling(inner, { protocol: "hermes", prefill: true });
    const message = await model.bindTools([ping], { tool_choice: "ping" }).invoke("Go.");
    expect(inner.requests[0]?.at(-1)).toMatchObject({ content: '<tool_call>\n{"name": "ping", "arguments":' });
    expect(message.tool_calls).toMatchObject([{ name: "ping", args: {} }]);
  });

  it("sends a grammar to a model that accepts one: for an optional call, with its triggers", async () => {
    const inner = scripted(call("ping", {}));
    const model = withToolCalling(inner, { protocol: "hermes", constraint: "required", backend: "gbnf" }).bindTools([
      ping,
    ]);
    await model.invoke("Go.");
    await model.invoke("Go.", { tool_choice: "any" });
    expect(inner.options[0]).toMatchObject({ constraint: { triggers: [{ type: "word", value: "<tool_call>" }] } });
    expect(inner.options[1]).not.toHaveProperty("constraint.triggers");
    expect(inner.options[1]).toMatchObject({ constraint: { type: "gbnf", grammar: expect.stringContaining("ping") } });
  });

  it("reports its profile and the wrapped model's name to tracing", () => {
    class Known extends ScriptedTextModel {
      override get profile() {
        return { maxInputTokens: 4096, structuredOutput: true };
      }
      override getLsParams() {
        return { ls_provider: "scripted", ls_model_name: "scripted-1", ls_model_type: "chat" as const };
      }
    }
    const model = withToolCalling(new Known({ replies: ["Hi"] }).withConfig({ tags: ["x"] }));
    expect(model.profile).toEqual({
      maxInputTokens: 4096,
      toolCalling: true,
      toolChoice: true,
      structuredOutput: false,
    });
    expect(model.getLsParams({})).toMatchObject({ ls_provider: "scripted", ls_model_name: "scripted-1" });
    expect(wrap("Hi").callKeys).toEqual(expect.arrayContaining(["stop", "outputVersion", "tools"]));
  });

  it("uses the model's native format, unless an option says otherwise", async () => {
    const named = (model: string) => Object.assign(scripted("Hi"), { model });
    const asked = async (inner: ScriptedTextModel) => {
      await withToolCalling(inner).bindTools([ping]).invoke("Go.");
      return inner.requests[0]?.[0]?.text;
    };
    expect(await asked(named("qwen2.5:7b"))).toMatch(/<tool_call>\s*\{"name"/);
    expect(await asked(named("some-model"))).toContain("<name>");
  });

  it("keeps separate caches for other models, options or tools", async () => {
    const cache = new InMemoryCache(new Map());
    const make = (reply: string, options = {}) =>
      new ToolCallingChatModel({ model: scripted(reply, "again"), protocol: "hermes", cache, ...options });
    const one = make("one");
    expect((await one.invoke("Go.")).content).toBe("one");
    expect((await one.invoke("Go.")).content).toBe("one");
    expect((await one.invoke("Go.", { tools: [ping] })).content).toBe("again");
    expect((await make("two").invoke("Go.")).content).toBe("two");
    const inner = scripted("three", "four");
    const named = (style: "json" | "signature") => new ToolCallingChatModel({ model: inner, style, cache });
    expect((await named("json").invoke("Go.")).content).toBe("three");
    expect((await named("json").invoke("Go.")).content).toBe("three");
    expect((await named("signature").invoke("Go.")).content).toBe("four");
  });

  it("uses the wrapped model's cache, and stores calls in it", async () => {
    const inner = new ScriptedTextModel({ replies: [call("ping", {}), "again"], cache: new InMemoryCache(new Map()) });
    const bound = withToolCalling(inner, { protocol: "hermes" }).bindTools([ping]);
    const [first, second] = [await bound.invoke("Go."), await bound.invoke("Go.")];
    expect(second.tool_calls).toEqual(first.tool_calls);
    expect(inner.requests).toHaveLength(1);
  });
});

describe("a model under", () => {
  const flaky = () => scripted(new Error("busy"), call("ping", {}));

  it("withRetry is retried on invoke", async () => {
    const model = withToolCalling(flaky().withRetry({ stopAfterAttempt: 2 }), { protocol: "hermes" });
    expect((await model.bindTools([ping]).invoke("Go.")).tool_calls).toHaveLength(1);
  });

  it("withRetry is retried on invoke, in any position", async () => {
    const retried = () => flaky().withRetry({ stopAfterAttempt: 2 });
    const chain = RunnableLambda.from((messages: BaseMessage[]) => messages).pipe(retried());
    for (const inner of [retried().withFallbacks([scripted(new Error("down"))]), chain]) {
      const model = withToolCalling(inner as LanguageModelLike, { protocol: "hermes" });
      expect((await model.bindTools([ping]).invoke("Go.")).tool_calls).toHaveLength(1);
    }
  });

  it("withFallbacks falls back on invoke, also after an error in the middle of a reply", async () => {
    class Breaking extends ScriptedTextModel {
      override async *_streamResponseChunks(...args: Parameters<ScriptedTextModel["_streamResponseChunks"]>) {
        for await (const chunk of super._streamResponseChunks(...args)) {
          yield chunk;
          throw new Error("connection lost");
        }
      }
      override async _generate(): Promise<never> {
        throw new Error("connection lost");
      }
    }
    const inner = new Breaking({ replies: ["Hello"] }).withFallbacks([scripted("Hi")]);
    expect((await withToolCalling(inner).invoke("Go.")).content).toBe("Hi");
  });

  it("initChatModel is identified by the name and parameters of its model", async () => {
    const made = await initChatModel("Qwen/Qwen2.5-7B-Instruct", { modelProvider: "openai", apiKey: "none" });
    const model = withToolCalling(made);
    expect(model._identifyingParams().protocol).toBe(protocolForModel("Qwen/Qwen2.5-7B-Instruct"));
    expect(model._identifyingParams().protocol).toBe("hermes");
    expect(model.getLsParams({})).toMatchObject({ ls_provider: "openai", ls_model_name: "Qwen/Qwen2.5-7B-Instruct" });
  });

  it("withFallbacks falls back, on invoke and on stream", async () => {
    const model = () => withToolCalling(scripted(new Error("busy")).withFallbacks([scripted("Hi")]));
    expect((await model().invoke("Go.")).content).toBe("Hi");
    let text = "";
    for await (const chunk of await model().stream("Go.")) text += chunk.text;
    expect(text).toBe("Hi");
  });

  it("withConfig keeps its options", async () => {
    const inner = scripted("Hi");
    await withToolCalling(inner.withConfig({ temperature: 0.3 })).invoke("Go.");
    expect(inner.options[0]).toMatchObject({ temperature: 0.3 });
  });

  it("a chain, or a completion model, is called the same way", async () => {
    const chain = scripted("hi").pipe(
      RunnableLambda.from((message: AIMessage) => new AIMessage(message.text.toUpperCase())),
    );
    expect((await withToolCalling(chain).invoke("Go.")).content).toBe("HI");
    expect((await withToolCalling(new FakeStreamingLLM({ responses: ["text"] })).invoke("Go.")).content).toBe("text");
    expect((await withToolCalling(new FakeListChatModel({ responses: ["chat"] })).invoke("Go.")).content).toBe("chat");
  });

  it("errors passes on its errors unchanged", async () => {
    const error = new Error("busy");
    await expect(wrap(error).invoke("Go.")).rejects.toBe(error);
    await expect(wrap(error).streamEvents("Go.").output).rejects.toBe(error);
  });
});

describe("withStructuredOutput", () => {
  const place = call("extract", { city: "Oslo" });
  const json = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const standard = (() => {
    const schema = z.object({ city: z.string() });
    return { "~standard": schema["~standard"] } as typeof schema;
  })();
  const schemas: [string, object][] = [
    ["zod 4", z.object({ city: z.string() })],
    ["zod 3", z3.object({ city: z3.string() })],
    ["Standard Schema", standard],
    ["JSON Schema", json],
  ];

  it.each(schemas)("reads %s", async (_, schema) => {
    expect(await wrap(place).withStructuredOutput(schema).invoke("Where?")).toEqual({ city: "Oslo" });
  });

  it("names the tool by option, or after the schema", async () => {
    const inner = scripted(call("Place", { city: "Oslo" }));
    const model = withToolCalling(inner, { protocol: "hermes" });
    expect(await model.withStructuredOutput({ ...json, title: "Place" }).invoke("Where?")).toEqual({ city: "Oslo" });
    expect(await model.withStructuredOutput(json, { name: "Place" }).invoke("Where?")).toEqual({ city: "Oslo" });
    const definition = { name: "Place", description: "A place", parameters: json };
    expect(await model.withStructuredOutput(definition).invoke("Where?")).toEqual({ city: "Oslo" });
  });

  it("returns the message too with includeRaw, and null if nothing could be parsed", async () => {
    const schema = z.object({ city: z.string() });
    const good = await wrap(place).withStructuredOutput(schema, { includeRaw: true }).invoke("Where?");
    expect(good).toMatchObject({ parsed: { city: "Oslo" }, raw: { tool_calls: [{ name: "extract" }] } });
    const bad = await wrap("I will not.").withStructuredOutput(schema, { includeRaw: true }).invoke("Where?");
    expect(bad).toMatchObject({ parsed: null, raw: { content: "I will not." } });
  });

  it("returns the tokens, the metadata and the id of a reply without a call", async () => {
    const inner = new ScriptedTextModel({ replies: ["I will not."], usage: true });
    const model = withToolCalling(inner, { protocol: "hermes" });
    const traced = { callbacks: [{ handleLLMError() {} }] };
    const { raw } = await model.withStructuredOutput(json, { includeRaw: true }).invoke("Where?", traced);
    const tokens = inner.requests.length * "I will not.".length;
    expect(inner.requests.length).toBeGreaterThan(1);
    expect(raw).toMatchObject({
      id: expect.stringMatching(/^run-/),
      usage_metadata: { output_tokens: tokens },
      response_metadata: { model_name: "scripted-1", finish_reason: "stop" },
    });
  });

  it("is an error if no call comes, or none that matches", async () => {
    const schema = z.object({ city: z.string() });
    await expect(wrap("I will not.").withStructuredOutput(schema).invoke("Where?")).rejects.toThrow(/did not call/);
    const wrong = wrap(call("extract", { town: 1 })).withStructuredOutput(schema);
    await expect(wrong.invoke("Where?")).rejects.toThrow();
    const cut = wrap({ text: place.slice(0, -15), finish: "length" }).withStructuredOutput(schema);
    await expect(cut.invoke("Where?")).rejects.toThrow(/cut off/);
  });

  it("reads JSON from the text in jsonMode", async () => {
    const schema = z.object({ city: z.string() });
    const model = wrap('```json\n{"city": "Oslo"}\n```').withStructuredOutput(schema, { method: "jsonMode" });
    expect(await model.invoke("Where? JSON.")).toEqual({ city: "Oslo" });
  });
});
