import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  ToolBindingError,
  ToolCallingChatModel,
  ToolCallOutputParser,
  toLangChainTools,
  withToolCalling,
} from "../src/index.js";
import { call, ScriptedTextModel } from "./scripted-text-model.js";

const schema = z.object({ a: z.number(), b: z.number() });
const add = tool(({ a, b }) => String(a + b), { name: "add", schema });
const wrap = () => {
  const inner = new ScriptedTextModel({ replies: [call("add", { a: 2, b: 3 })] });
  return { inner, model: withToolCalling(inner, { protocol: "hermes" }) };
};

describe("a schema under a misspelt key is refused, not ignored", () => {
  const parameters = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
  const shapes: [string, object, string][] = [
    ["paramters", { type: "function", function: { name: "x", paramters: parameters } }, "parameters"],
    ["paramters", { name: "x", paramters: parameters }, "parameters"],
    ["schma", { name: "x", schma: parameters }, "schema"],
    ["schma", { name: "x", schma: z.object({ a: z.number() }) }, "schema"],
    ["args", { name: "x", args: parameters }, "parameters"],
  ];

  it.each(shapes)("%s in %o", (key, wrong, meant) => {
    const message = `Tool "x" has a schema under "${key}". Did you mean "${meant}"?`;
    const refused = expect.objectContaining({ name: "ToolDefinitionError", code: "unknown-shape", message });
    const tools = [wrong] as BindToolsInput[];
    expect(() => wrap().model.bindTools(tools)).toThrow(refused);
    expect(() => new ToolCallOutputParser({ tools })).toThrow(refused);
    expect(() => toLangChainTools([{ ...wrong, execute: () => "" }] as never)).toThrow(refused);
  });

  it("but other keys next to the schema are not, nor is a tool without a schema", () => {
    const output = { type: "object", properties: {} };
    const tools = [{ name: "x", parameters, outputSchema: output }, { name: "now" }] as BindToolsInput[];
    expect(() => wrap().model.bindTools(tools)).not.toThrow();
  });
});

describe("a misspelt option", () => {
  const misspelt = (name: string, meant: string) =>
    expect.objectContaining({ name: "OptionsError", code: "bad-option", message: hint(name, meant) });
  const hint = (name: string, meant: string) =>
    expect.stringMatching(new RegExp(`There is no option "${name}" of .*\\. Did you mean "${meant}"\\?`));

  it("of a chat model, given to withToolCalling, is shown its place", () => {
    for (const name of ["cache", "callbacks", "tags", "verbose"]) {
      const wrong = { [name]: true };
      expect(() => withToolCalling(wrap().inner, wrong)).toThrow(
        `There is no "${name}" in the options. It is a field of`,
      );
      expect(() => withToolCalling(wrap().inner, wrong)).toThrow("`new ToolCallingChatModel({ model, … })` takes it");
    }
  });

  it.each([
    ["includeraw", "includeRaw"],
    ["include_raw", "includeRaw"],
    ["methd", "method"],
  ])("of withStructuredOutput is refused: %s", (name, meant) => {
    const { model } = wrap();
    for (const one of [model, model.withConfig({ tags: ["x"] })]) {
      expect(() => one.withStructuredOutput(schema, { [name]: true })).toThrow(misspelt(name, meant));
    }
  });

  it.each([null, 5, "x", { includeRaw: "yes" }, { strict: 5 }, { name: 5 }])(
    "is not the only one that is refused: the options %j of withStructuredOutput",
    (options) => {
      const { model } = wrap();
      const refused = expect.objectContaining({ name: "OptionsError", code: "bad-option" });
      expect(() => model.withStructuredOutput(schema, options as object)).toThrow(refused);
      expect(() => model.withStructuredOutput(null as unknown as object)).toThrow(
        expect.objectContaining({ name: "SchemaError" }),
      );
    },
  );

  it("is not the only one that is refused: parallel_tool_calls is true or false", async () => {
    const { model } = wrap();
    const wrong = { parallel_tool_calls: "no" } as object;
    const refused = expect.objectContaining({ name: "OptionsError", code: "bad-option" });
    expect(() => model.bindTools([add], wrong)).toThrow(refused);
    await expect(model.invoke("2 + 3?", wrong)).rejects.toEqual(refused);
  });

  it.each([
    ["toolChoice", "tool_choice", "any"],
    ["toolchoice", "tool_choice", "any"],
    ["parallelToolCalls", "parallel_tool_calls", false],
    ["tool", "tools", [add]],
  ])("of a call is refused: %s", async (name, meant, value) => {
    const { inner, model } = wrap();
    const wrong = { [name]: value } as object;
    const refused = misspelt(name, meant);
    const bound = model.bindTools([add]);
    if (meant !== "tools") expect(() => model.bindTools([add], wrong)).toThrow(refused);
    expect(() => model.withConfig(wrong)).toThrow(refused);
    expect(() => model.withConfig({ tags: [] }).withConfig(wrong)).toThrow(refused);
    await expect(model.invoke("2 + 3?", wrong)).rejects.toEqual(refused);
    await expect(model.stream("2 + 3?", wrong)).rejects.toEqual(refused);
    if (meant !== "tools") await expect(bound.invoke("2 + 3?", wrong)).rejects.toEqual(refused);
    expect(inner.requests).toEqual([]);
  });

  it("is not what others take: the wrapped model's options and LangChain's pass", async () => {
    const { inner, model } = wrap();
    const others = { topK: 5, top_k: 5, store: true, tags: ["x"], metadata: {}, toolConfig: {}, tool_resources: {} };
    await model.bindTools([add], others as object).invoke("2 + 3?", { ...others, runName: "sum" } as object);
    expect(inner.options[0]).toMatchObject({ topK: 5, top_k: 5, toolConfig: {}, tool_resources: {} });
    expect(() => model.withStructuredOutput(schema, { temperature: 0 } as object)).not.toThrow();
  });

  it.each([
    ["Any", "any"],
    ["ad", "add"],
    ["requierd", "required"],
  ])("of tool_choice is refused with the right one: %s", (tool_choice, meant) => {
    expect(() => wrap().model.bindTools([add], { tool_choice })).toThrow(
      expect.objectContaining({ constructor: ToolBindingError, message: hintOf(meant) }),
    );
    expect(() => wrap().model.bindTools([add], { tool_choice: "somethingElse" })).toThrow(/\(add\)\.$/);
  });

  const hintOf = (meant: string) => expect.stringMatching(new RegExp(`Did you mean "${meant}"\\?$`));
});

it.each([[], [undefined], [null], [{}], [5]])(
  "a wrapper without a model is refused by a ModelError: %j",
  (...given) => {
    const made = () => new (ToolCallingChatModel as new (...fields: unknown[]) => unknown)(...given);
    expect(made).toThrow(expect.objectContaining({ name: "ModelError", code: "not-a-model" }));
  },
);
