import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { AIMessageChunk } from "@langchain/core/messages";
import { OutputParserException } from "@langchain/core/output_parsers";
import { JsonOutputKeyToolsParser } from "@langchain/core/output_parsers/openai_tools";
import { tool } from "@langchain/core/tools";
import { concat } from "@langchain/core/utils/stream";
import { ChatOpenAI } from "@langchain/openai";
import { OptionsError, ToolChoiceError } from "@toolingua/core";
import { createAgent, toolStrategy } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { withToolCalling } from "../src/index.js";
import { NativeModel } from "./native-model.js";
import { call, ScriptedTextModel } from "./scripted-text-model.js";

// What a model with tool calling of its own does is what is expected of one that is wrapped.

const schema = z.object({ city: z.string() });
const weather = tool(() => "rain", { name: "weather", schema });
const openAI = () => new ChatOpenAI({ model: "gpt", apiKey: "k" });
const written = call("weather", { city: "Oslo" });
const text = (reply: string, usage = false) =>
  withToolCalling(new ScriptedTextModel({ replies: [reply], usage }), { protocol: "hermes" });

describe("tools bound to ChatOpenAI itself", () => {
  it.each([
    ["bindTools", () => openAI().bindTools([weather])],
    ["withConfig", () => openAI().withConfig({ tools: [{ type: "function", function: { name: "weather" } }] })],
    ["bindTools, as a fallback", () => openAI().withFallbacks([openAI().bindTools([weather]) as never])],
  ])("are an error that names the right place: %s", (_, bound) => {
    expect(() => withToolCalling(bound())).toThrow(expect.objectContaining({ code: "tools-bound" }));
  });

  it("may be provider tools, and other options are kept", () => {
    expect(() => withToolCalling(openAI().bindTools([{ type: "web_search" }]))).not.toThrow();
    expect(() => withToolCalling(openAI().withConfig({ stop: ["x"] }))).not.toThrow();
  });
});

describe("usage", () => {
  const native = () => new NativeModel({ turns: [{ calls: [{ name: "weather", args: { city: "Oslo" } }] }] });
  const forced = { tool_choice: "weather", parallel_tool_calls: false } as const;

  it("is reported for a forced call, like a native model's: estimated and marked if the model reported none", async () => {
    const prompted = await text(`${written} and more`, true).bindTools([weather], forced).invoke("Weather?");
    const { usage_metadata: expected } = await native().invoke("Weather?");
    expect(Object.keys(prompted.usage_metadata ?? {}).sort()).toEqual(Object.keys(expected ?? {}).sort());
    expect(prompted.usage_metadata).toMatchObject({ output_tokens: Math.ceil(written.length / 4) });
    expect(prompted.response_metadata).toMatchObject({ usage_estimated: true });
  });

  it("is reported once for a stream, and for structured output", async () => {
    let whole: Awaited<ReturnType<ReturnType<typeof text>["invoke"]>> | undefined;
    for await (const chunk of await text(`${written} more`).bindTools([weather], forced).stream("Weather?")) {
      whole = whole ? concat(whole, chunk) : chunk;
    }
    expect(whole?.usage_metadata).toMatchObject({ output_tokens: Math.ceil(written.length / 4) });
    const structured = text(call("extract", { city: "Oslo" })).withStructuredOutput(schema, { includeRaw: true });
    const { raw, parsed } = await structured.invoke("Where?");
    expect(parsed).toEqual({ city: "Oslo" });
    expect(raw).toHaveProperty("usage_metadata.total_tokens", expect.any(Number));
  });

  it("is the model's own, and unmarked, if the reply is read to its end", async () => {
    const message = await text(written, true).bindTools([weather]).invoke("Weather?");
    expect(message.usage_metadata).toMatchObject({ output_tokens: written.length });
    expect(message.response_metadata).not.toHaveProperty("usage_estimated");
  });
});

describe("structured output", () => {
  const plain = JSON.stringify({ city: "Oslo" });
  const wordy = `Sure, {here} it is:\n\`\`\`json\n${plain}\n\`\`\`\nAnything else?`;
  const json = { type: "object", title: "place", properties: { city: { type: "string" } }, required: ["city"] };
  const forms = ["functionCalling", "jsonSchema", "jsonMode"].flatMap((method) =>
    [plain, `\`\`\`json\n${plain}\n\`\`\``, `It is ${plain}.`, wordy].map((reply) => [method, reply] as const),
  );

  it.each(forms)(
    "accepts plain JSON that matches the schema, with any text around it: %s, %s",
    async (method, reply) => {
      for (const one of [schema, json]) {
        const model = new ScriptedTextModel({ replies: [reply] });
        const structured = withToolCalling(model).withStructuredOutput(one, { method });
        expect(await structured.invoke("Where?")).toEqual({ city: "Oslo" });
        expect(model.requests).toHaveLength(1);
      }
    },
  );

  it("is an error if nothing matches, or two objects do", async () => {
    const two = `${plain} or {"city": "Paris"}`;
    for (const method of ["functionCalling", "jsonMode"]) {
      for (const reply of ["I do not know.", `{"town": "Oslo"}`, two]) {
        const structured = text(reply).withStructuredOutput(schema, { method });
        await expect(structured.invoke("Where?")).rejects.toThrow(OutputParserException);
        const raw = text(reply).withStructuredOutput(schema, { method, includeRaw: true });
        expect(await raw.invoke("Where?")).toMatchObject({ raw: { content: reply }, parsed: null });
      }
    }
  });

  it("streams the growing object, like a native model", async () => {
    const native = new NativeModel({ turns: [{ calls: [{ name: "extract", args: { city: "Trondheim" } }] }] });
    const asChatOpenAI = new JsonOutputKeyToolsParser<{ city?: string }>({ keyName: "extract", returnSingle: true });
    const cities = async (structured: { stream(input: string): Promise<AsyncIterable<{ city?: string }>> }) => {
      const seen: (string | undefined)[] = [];
      for await (const { city } of await structured.stream("Where?")) seen.push(city);
      return seen;
    };
    const expected = await cities(native.bindTools([]).pipe(asChatOpenAI));
    expect(expected.length).toBeGreaterThan(2);
    const prompted = text(call("extract", { city: "Trondheim" })).withStructuredOutput(schema);
    const seen = await cities(prompted);
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.at(-1)).toBe("Trondheim");
    for (const one of seen) expect("Trondheim".startsWith(one ?? "")).toBe(true);
    const content = text(`It is ${JSON.stringify({ city: "Trondheim" })}`);
    expect((await cities(content.withStructuredOutput(schema, { method: "jsonMode" }))).at(-1)).toBe("Trondheim");
    expect((await cities(text(plain).withStructuredOutput(json, { method: "jsonMode" }))).length).toBeGreaterThan(2);
  });

  it("refuses an unknown method", () => {
    expect(() => text("").withStructuredOutput(schema, { method: "jsonSchma" })).toThrow(OptionsError);
    expect(() => text("").withStructuredOutput(schema, { method: "jsonSchma" })).toThrow(/Did you mean "jsonSchema"/);
  });
});

describe("a model that ignores tool_choice", () => {
  it("answers with its text, like a native one", async () => {
    const native = await new NativeModel({ turns: [{ text: "No." }] })
      .bindTools([weather], { tool_choice: "weather" })
      .invoke("?");
    for (const tool_choice of ["weather", "any"]) {
      const model = new ScriptedTextModel({ replies: ["No."], usage: true });
      const message = await withToolCalling(model).bindTools([weather], { tool_choice }).invoke("?");
      expect(message).toMatchObject({ content: native.content, tool_calls: [] });
      // On purpose: it is asked again first.
      expect(model.requests).toHaveLength(3);
    }
  });

  it("is an error under onMissingCall: throw", async () => {
    const model = withToolCalling(new ScriptedTextModel({ replies: ["No."] }), { onMissingCall: "throw" });
    await expect(model.bindTools([weather], { tool_choice: "any" }).invoke("?")).rejects.toThrow(ToolChoiceError);
    expect(() => model.withOptions({ onMissingCall: "retry" as "throw" })).toThrow(OptionsError);
  });

  it("continues in an agent with toolStrategy", async () => {
    const how = { tools: [], responseFormat: toolStrategy(schema) };
    const run = (model: BaseChatModel) => createAgent({ model, ...how }).invoke({ messages: "Where?" });
    const native = await run(new NativeModel({ turns: [{ text: "No." }] }));
    const prompted = await run(text("No."));
    expect(prompted.messages.map((message) => message.text)).toEqual(native.messages.map((message) => message.text));
    expect(prompted.structuredResponse).toEqual(native.structuredResponse);
  });
});

describe("a streamed call", () => {
  const pieces = async (model: { stream(input: string): Promise<AsyncIterable<AIMessageChunk>> }) => {
    const all = [];
    for await (const { tool_call_chunks = [] } of await model.stream("?")) all.push(...tool_call_chunks);
    return all;
  };

  it.each([{ onInvalidCall: "surface" }, { maxInvalidCallRetries: 0 }, {}] as const)(
    "begins with its id and its name, like a native model's: %o",
    async (options) => {
      const native = new NativeModel({ turns: [{ calls: [{ name: "weather", args: { city: "Oslo" } }] }] });
      const expected = (await pieces(native.bindTools([weather])))[0];
      const prompted = await pieces(text(written).withOptions(options).bindTools([weather]));
      expect(Object.keys(prompted[0] ?? {}).sort()).toEqual(Object.keys(expected ?? {}).sort());
      expect(prompted[0]).toMatchObject({ name: "weather", id: expect.any(String), args: "" });
      expect(prompted.map(({ args }) => args).join("")).toBe('{"city":"Oslo"}');
      // On purpose: where a wrong call is asked for again, its arguments come at once.
      if ("maxInvalidCallRetries" in options || "onInvalidCall" in options) expect(prompted.length).toBeGreaterThan(5);
    },
  );
});
