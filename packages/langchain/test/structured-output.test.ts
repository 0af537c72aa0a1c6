import { OutputParserException } from "@langchain/core/output_parsers";
import { createAgent, providerStrategy } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { withToolCalling } from "../src/index.js";
import { NativeModel } from "./native-model.js";
import { call, ScriptedTextModel } from "./scripted-text-model.js";

const schema = z.object({ city: z.string(), temp: z.number() });
const json = {
  type: "object",
  properties: { city: { type: "string" }, temp: { type: "number" } },
  required: ["city", "temp"],
};
const oslo = { city: "Oslo", temp: 4 };
const ofText = ["jsonSchema", "jsonMode"] as const;
const scripted = (...replies: string[]) => {
  const inner = new ScriptedTextModel({ replies });
  return { inner, model: withToolCalling(inner, { protocol: "hermes" }) };
};
const prompts = (inner: ScriptedTextModel) =>
  inner.requests.map((messages) => messages.map(({ text }) => text).join("\n"));

describe.each(ofText)("structured output by %s", (method) => {
  it.each([
    ["as it is", '{"city":"Oslo","temp":4}'],
    ["with a number in quotation marks", '{"city":"Oslo","temp":"4"}'],
    ["with a trailing comma", '{"city":"Oslo","temp":4,}'],
    ["with keys without quotation marks", '{"city":"Oslo",temp:4}'],
    ["in single quotation marks", "{'city':'Oslo','temp':4}"],
    ["with text around it", 'Sure:\n```json\n{"city":"Oslo","temp":4}\n```\nBye {x}'],
  ])("accepts JSON %s", async (_, reply) => {
    for (const one of [schema, json]) {
      const { inner, model } = scripted(reply);
      expect(await model.withStructuredOutput(one, { method }).invoke("Where?")).toEqual(oslo);
      expect(inner.requests).toHaveLength(1);
    }
  });

  it("refuses a number that would lose digits", async () => {
    for (const one of [schema, json]) {
      const { model } = scripted(...Array(5).fill('{"city":"Oslo","temp":1234567890123456789}'));
      await expect(model.withStructuredOutput(one, { method }).invoke("Where?")).rejects.toThrow();
    }
  });

  it("accepts a call, as a model writes it that is trained to", async () => {
    const { inner, model } = scripted(call("extract", oslo));
    expect(await model.withStructuredOutput(schema, { method }).invoke("Where?")).toEqual(oslo);
    expect(inner.requests).toHaveLength(1);
    const strict = { ...json, additionalProperties: false };
    expect(await model.withStructuredOutput(strict, { method }).invoke("Where?")).toEqual(oslo);
  });

  it("accepts a call with arguments in tags once the retries are used up", async () => {
    const { model } = scripted(
      "<function=extract><parameter=city>Oslo</parameter><parameter=temp>4</parameter></function>",
    );
    expect(await model.withStructuredOutput(json, { method }).invoke("Where?")).toEqual(oslo);
  });

  it("shows the schema, and asks again for an answer that does not match", async () => {
    const { inner, model } = scripted('{"city":"Oslo"}', "It is cold.", JSON.stringify(oslo));
    const described = { ...json, description: "The weather of a city" };
    const structured = model.withStructuredOutput(described, { method, includeRaw: true });
    const { raw, parsed } = await structured.invoke("Where?");
    expect(parsed).toEqual(oslo);
    expect(raw).toMatchObject({ content: JSON.stringify(oslo), tool_calls: [] });
    const [first, second, third] = prompts(inner);
    expect(first).toContain('"required":["city","temp"]');
    expect(first).toContain("The weather of a city");
    expect(first).not.toContain("extract");
    expect(second).toContain("It does not match the JSON Schema");
    expect(third).toContain("It is not valid JSON");
  });

  it("shows the description of a function definition, and its name", async () => {
    const { inner, model } = scripted(JSON.stringify(oslo));
    const definition = { name: "forecast", description: "A forecast", parameters: json };
    expect(await model.withStructuredOutput(definition, { method }).invoke("Where?")).toEqual(oslo);
    expect(prompts(inner)[0]).toContain('"title":"forecast","description":"A forecast"');
  });

  it("streams the growing object", async () => {
    const whole = { city: "Oslo", list: ["aaaaaaaaaaaa", "bbbbbbbbbbbb"] };
    const listed = z.object({ city: z.string(), list: z.array(z.string()) });
    for (const reply of [JSON.stringify(whole), `\`\`\`json\n${JSON.stringify(whole)}\n\`\`\``]) {
      const { model } = scripted(reply);
      const seen: object[] = [];
      for await (const part of await model.withStructuredOutput(listed, { method }).stream("Where?")) seen.push(part);
      expect(seen.length).toBeGreaterThan(10);
      expect(seen.at(-1)).toEqual(whole);
    }
  });

  it("replaces the tools that were bound before", async () => {
    const { inner, model } = scripted(JSON.stringify(oslo));
    const bound = model.bindTools([{ name: "weather", schema }]);
    expect(await bound.withStructuredOutput(schema, { method }).invoke("Where?")).toEqual(oslo);
    expect(prompts(inner)[0]).not.toContain("weather");
  });

  it("is an error if nothing matches after the retries", async () => {
    const { inner, model } = scripted('{"city":"Oslo"}');
    for (const one of [schema, json]) {
      const structured = model.withStructuredOutput(one, { method });
      const error = (await structured.invoke("Where?").catch((thrown: unknown) => thrown)) as Error;
      expect(error).toBeInstanceOf(OutputParserException);
      expect(error.message).toMatch(/temp/);
      expect(error.message).toContain(`{"city":"Oslo"}`);
    }
    expect(inner.requests).toHaveLength(6);
  });

  it("prompts a model that calls tools natively as well", async () => {
    const inner = new NativeModel({ turns: [{ text: JSON.stringify(oslo) }] });
    const model = withToolCalling(inner, { native: "auto" });
    expect(await model.withStructuredOutput(schema, { method }).invoke("Where?")).toEqual(oslo);
    expect(inner.bound).toEqual([]);
  });
});

it.each(["functionCalling", ...ofText])("the values of a zod schema may be transformed, by %s", async (method) => {
  const lengths = z.object({ city: z.string().transform((city) => city.length) });
  const { model } = scripted('{"city":"Oslo"}');
  expect(await model.withStructuredOutput(lengths, { method }).invoke("Where?")).toEqual({ city: 4 });
});

it.each(["functionCalling", ...ofText])("broken JSON in a code block is repaired, by %s", async (method) => {
  const { inner, model } = scripted('```json\n{"city": "Oslo", "temp": 4,}\n```');
  expect(await model.withStructuredOutput(schema, { method }).invoke("Where?")).toEqual(oslo);
  expect(inner.requests).toHaveLength(1);
});

it("broken JSON in a code block is the answer of an agent with a schema", async () => {
  const { inner, model } = scripted('```json\n{"city": "Oslo", "temp": 4,}\n```');
  const agent = createAgent({ model, tools: [], responseFormat: schema });
  expect((await agent.invoke({ messages: "Where?" })).structuredResponse).toEqual(oslo);
  expect(inner.requests).toHaveLength(1);
});

it("providerStrategy of an agent shows the schema and reads the answer, next to tools", async () => {
  const { inner, model } = scripted('{"city":"Oslo","temp":"4",}');
  const responseFormat = providerStrategy(schema);
  const { structuredResponse } = await createAgent({ model, tools: [], responseFormat }).invoke({ messages: "Where?" });
  expect(structuredResponse).toEqual(oslo);
  expect(prompts(inner)[0]).toContain('"required":["city","temp"]');
});
