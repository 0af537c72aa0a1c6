import type { LanguageModelV3CallOptions, LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import { generateText, stepCountIs, streamText, type ToolSet, tool } from "ai";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { type ToolCallingOptions, withToolCalling } from "../src/index.js";
import { ask, contentIn, partsOf } from "./both-halves.js";
import { call, type Reply, ScriptedModel, usage } from "./scripted-model.js";

const nouns = ["weather", "stock", "mail", "calendar", "music", "taxi", "hotel", "map"];
const tools: LanguageModelV3FunctionTool[] = nouns.flatMap((noun) =>
  ["get", "find", "delete"].map((verb) => ({
    type: "function" as const,
    name: `${verb}_${noun}`,
    description: `Will ${verb} a ${noun}. It takes a query.`,
    inputSchema: { type: "object" as const, properties: { query: { type: "string" as const } }, required: ["query"] },
  })),
);
const query = { query: "x" };
const rain: LanguageModelV3CallOptions = { prompt: ask("Rain in Oslo?"), tools };
const selecting = (names: unknown): Reply => ({
  content: [{ type: "tool-call", toolCallId: "s", toolName: "select_tools", input: JSON.stringify({ names }) }],
  finish: "tool-calls",
});

/** Asks the same whole and streamed. */
async function ways(replies: readonly Reply[], options: ToolCallingOptions, asked: LanguageModelV3CallOptions = rain) {
  const given: ToolCallingOptions = { protocol: "hermes", ...options };
  const whole = new ScriptedModel({ replies });
  const answer = await withToolCalling(whole, given).doGenerate(asked);
  const streaming = new ScriptedModel({ replies });
  const parts = await partsOf((await withToolCalling(streaming, given).doStream(asked)).stream);
  const end = parts.findLast((part) => part.type === "finish");
  return [
    { model: whole, content: answer.content, usage: answer.usage, metadata: answer.providerMetadata?.toolingua },
    {
      model: streaming,
      content: contentIn(parts),
      usage: end?.usage,
      metadata: end?.providerMetadata?.toolingua,
    },
  ];
}

const refusal = () => Object.assign(new Error("gemma3 does not support tools"), { statusCode: 400 });
/** A model that refuses tools. */
class Refusing extends ScriptedModel {
  refusals = 0;
  override async doGenerate(options: LanguageModelV3CallOptions) {
    if (!options.tools) return super.doGenerate(options);
    this.refusals++;
    throw refusal();
  }
}

beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

describe("toolSelection", () => {
  it("selects by the model's native tool calling, in one request of its own; its tokens count", async () => {
    const replies = [selecting(["get_weather", "fly", 3]), call("get_weather", query)];
    for (const { model, content, usage: sum, metadata } of await ways(replies, { toolSelection: true })) {
      expect(content).toMatchObject([{ toolName: "get_weather", input: '{"query":"x"}' }]);
      expect(metadata).toEqual({ selection: { shown: ["get_weather"], added: [], of: 24 } });
      expect(sum?.inputTokens.total).toBe(20);
      expect(model.calls).toHaveLength(2);
      const [selection, answer] = model.calls;
      expect(selection?.tools).toMatchObject([{ type: "function", name: "select_tools" }]);
      expect(selection?.toolChoice).toEqual({ type: "tool", toolName: "select_tools" });
      expect(model.text(0)).toContain("find_hotel: Will find a hotel.\n");
      expect(model.text(0)).toContain("Rain in Oslo?");
      expect(answer?.tools).toBeUndefined();
      expect(model.text(1)).not.toContain("get_stock");
    }
  });

  it("passes signal, settings and provider options to that request, but nothing of the answer's form", async () => {
    const abortSignal = new AbortController().signal;
    const settings = { abortSignal, temperature: 0.5, headers: { a: "b" }, providerOptions: { mine: { fast: true } } };
    const answers = { stopSequences: ["\n"], responseFormat: { type: "json" as const, schema: {} } };
    const replies = [selecting(["get_weather"]), call("get_weather", query)];
    for (const { model } of await ways(replies, { toolSelection: true }, { ...rain, ...settings, ...answers })) {
      expect(model.calls[0]).toMatchObject(settings);
      for (const name of Object.keys(answers)) expect(model.calls[0]).not.toHaveProperty(name);
    }
  });

  it.each([
    ["a model that does not use its tools", "Hm.", {}, 3],
    ["a call without names", selecting(undefined), {}, 3],
    ['by: "text"', undefined, { by: "text" } as const, 2],
  ])("selects in text: %s", async (_, first, by, requests) => {
    const replies = [...(first === undefined ? [] : [first]), "get_weather", call("get_weather", query)];
    for (const { model, content, usage: sum, metadata } of await ways(replies, { toolSelection: by })) {
      expect(content).toMatchObject([{ toolName: "get_weather" }]);
      expect(metadata).toMatchObject({ selection: { shown: ["get_weather"] } });
      expect(model.calls).toHaveLength(requests);
      expect(model.calls.at(-2)?.tools).toBeUndefined();
      expect(sum?.inputTokens.total).toBe(requests * usage().inputTokens.total);
    }
  });

  it("remembers that a model refuses tools, and selects in text from then on", async () => {
    const inner = new Refusing({ replies: ["get_weather", "Rain.", "get_stock", "Up."] });
    const model = withToolCalling(inner, { protocol: "hermes", toolSelection: true });
    expect((await model.doGenerate(rain)).content).toMatchObject([{ text: "Rain." }]);
    const parts = await partsOf((await model.doStream({ ...rain, prompt: ask("Stocks?") })).stream);
    expect(contentIn(parts)).toEqual([{ type: "text", text: "Up." }]);
    expect(inner.refusals).toBe(1);
    expect(inner.calls).toHaveLength(4);
    expect(console.warn).toHaveBeenCalledTimes(1);
  });

  it("throws other errors, which are the request's, whole and streamed", async () => {
    const error = Object.assign(new Error("invalid api key"), { statusCode: 401 });
    const model = () => withToolCalling(new ScriptedModel({ replies: [error] }), { toolSelection: true });
    await expect(model().doGenerate(rain)).rejects.toBe(error);
    await expect(model().doStream(rain)).rejects.toBe(error);
  });

  it("shows the tools that match the user's words, without a request", async () => {
    const asked = { ...rain, prompt: ask("What is the weather in Oslo?") };
    const options = { toolSelection: { by: "words" as const } };
    for (const { model, content, metadata } of await ways([call("get_weather", query)], options, asked)) {
      expect(content).toMatchObject([{ toolName: "get_weather" }]);
      expect(model.calls).toHaveLength(1);
      expect(metadata?.selection).toMatchObject({ shown: ["get_weather", "find_weather", "delete_weather"] });
      expect(model.text(0)).toContain("find_weather");
      expect(model.text(0)).not.toContain("stock");
    }
  });

  it("uses the application's `select` first", async () => {
    const select = async () => ({ names: ["get_mail", "get_map"] });
    for (const { model, metadata } of await ways(["Done."], { toolSelection: { select } })) {
      expect(model.calls).toHaveLength(1);
      expect(metadata?.selection).toMatchObject({ shown: ["get_mail", "get_map"] });
    }
    const replies = [selecting(["get_stock"]), "Done."];
    for (const { metadata } of await ways(replies, { toolSelection: { select: async () => undefined } }))
      expect(metadata?.selection).toMatchObject({ shown: ["get_stock"] });
  });

  it('prompts with the selected tools under native: "auto" too; fewer tools than `from` are all called natively', async () => {
    const options = { native: "auto", toolSelection: true } as const;
    const replies = [selecting(["get_weather"]), call("get_weather", query)];
    for (const { model, content } of await ways(replies, options)) {
      expect(content).toMatchObject([{ toolName: "get_weather" }]);
      expect(model.calls[1]?.tools).toBeUndefined();
    }
    const few = { ...rain, tools: tools.slice(0, 5) };
    for (const { model } of await ways(["Rain."], options, few)) expect(model.calls).toEqual([few]);
  });

  it.each(["generateText", "streamText"] as const)(
    "shows more tools when the model asks, and keeps them in later steps: %s",
    async (how) => {
      const inner = new ScriptedModel({
        replies: [
          selecting(["get_weather"]),
          "I need more. <am:request_tools>stock</am:request_tools>",
          call("get_stock", query),
          "Up.",
        ],
      });
      const ran: string[] = [];
      const inputSchema = z.object({ query: z.string() });
      const set: ToolSet = Object.fromEntries(
        tools.map(({ name, description = "" }) => [
          name,
          tool({
            description,
            inputSchema,
            execute: () => {
              ran.push(name);
              return "ok";
            },
          }),
        ]),
      );
      const model = withToolCalling(inner, { protocol: "hermes", toolSelection: true });
      const asked = { model, tools: set, prompt: "Stocks?", stopWhen: stepCountIs(3) };
      const result = how === "generateText" ? await generateText(asked) : streamText(asked);
      expect(await result.text).toBe("Up.");
      expect(ran).toEqual(["get_stock"]);
      expect(inner.calls).toHaveLength(4);
      expect(inner.text(3).startsWith(inner.text(2))).toBe(true);
      const [first] = await result.steps;
      expect(first?.text).toBe("I need more.");
      // Reading of a stream ends at the request for tools, before its usage.
      expect(first?.usage.inputTokens).toBe(how === "generateText" ? 30 : 20);
      expect(first?.providerMetadata?.toolingua?.selection).toMatchObject({
        added: expect.arrayContaining(["get_stock"]),
      });
    },
  );
});
