import { tool } from "@langchain/core/tools";
import { concat } from "@langchain/core/utils/stream";
import { ChatOpenAI } from "@langchain/openai";
import { OptionsError } from "@toolingua/core";
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

describe("tools that are bound to ChatOpenAI itself", () => {
  it.each([
    ["bindTools", () => openAI().bindTools([weather])],
    ["withConfig", () => openAI().withConfig({ tools: [{ type: "function", function: { name: "weather" } }] })],
    ["bindTools, as a fallback", () => openAI().withFallbacks([openAI().bindTools([weather]) as never])],
  ])("are an error that says where they belong: %s", (_, bound) => {
    expect(() => withToolCalling(bound())).toThrow(expect.objectContaining({ code: "tools-bound" }));
  });

  it("may be those of a provider's server, and other options stay", () => {
    expect(() => withToolCalling(openAI().bindTools([{ type: "web_search" }]))).not.toThrow();
    expect(() => withToolCalling(openAI().withConfig({ stop: ["x"] }))).not.toThrow();
  });
});

describe("usage", () => {
  const native = () => new NativeModel({ turns: [{ calls: [{ name: "weather", args: { city: "Oslo" } }] }] });
  const forced = { tool_choice: "weather", parallel_tool_calls: false } as const;

  it("is there for a forced call, as it is for a native model: estimated and marked where the model did not report it", async () => {
    const prompted = await text(`${written} and more`, true).bindTools([weather], forced).invoke("Weather?");
    const { usage_metadata: expected } = await native().invoke("Weather?");
    expect(Object.keys(prompted.usage_metadata ?? {}).sort()).toEqual(Object.keys(expected ?? {}).sort());
    expect(prompted.usage_metadata).toMatchObject({ output_tokens: Math.ceil(written.length / 4) });
    expect(prompted.response_metadata).toMatchObject({ usage_estimated: true });
  });

  it("is there for a stream, once, and for structured output", async () => {
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

  it("is the model's own, and not marked, where the reply is read to its end", async () => {
    const message = await text(written, true).bindTools([weather]).invoke("Weather?");
    expect(message.usage_metadata).toMatchObject({ output_tokens: written.length });
    expect(message.response_metadata).not.toHaveProperty("usage_estimated");
  });
});

describe("structured output", () => {
  const plain = JSON.stringify({ city: "Oslo" });

  it.each([
    ["functionCalling", plain],
    ["jsonSchema", plain],
    ["jsonMode", plain],
    ["functionCalling", `\`\`\`json\n${plain}\n\`\`\``],
  ])("takes plain JSON that matches the schema: %s, %s", async (method, reply) => {
    expect(await text(reply).withStructuredOutput(schema, { method }).invoke("Where?")).toEqual({ city: "Oslo" });
  });

  it("refuses a method that there is not", () => {
    expect(() => text("").withStructuredOutput(schema, { method: "jsonSchma" })).toThrow(OptionsError);
    expect(() => text("").withStructuredOutput(schema, { method: "jsonSchma" })).toThrow(/Did you mean "jsonSchema"/);
  });
});
