import { expect, it } from "vitest";
import { EmbeddedChatModel as AiSdkModel } from "../src/ai-sdk/embedded-chat-model.js";
import { EmbeddedChatModel as LangChainModel } from "../src/langchain/embedded-chat-model.js";
import { EmbeddedLLM } from "../src/llamaindex/embedded-llm.js";

// The embedded models have the same options. No file is loaded before the first call.

/** The name of a model, as its framework has it. */
const named = (model: AiSdkModel | LangChainModel | EmbeddedLLM) => {
  if (model instanceof EmbeddedLLM) return model.metadata.model;
  return "modelId" in model ? model.modelId : model.model;
};

it.each([
  ["ai-sdk", "EmbeddedChatModel", AiSdkModel],
  ["langchain", "EmbeddedChatModel", LangChainModel],
  ["llamaindex", "EmbeddedLLM", EmbeddedLLM],
])("the constructor for %s refuses unknown options and wrong values", (_, name, Model) => {
  const made = (options: object) => () => new Model({ modelPath: "model.gguf", ...options });
  expect(made({ temprature: 0 })).toThrow(`There is no option "temprature" of ${name}. Did you mean "temperature"?`);
  for (const wrong of [
    { temperature: "hot" },
    { temperature: -1 },
    { maxTokens: -5 },
    { maxTokens: 1.5 },
    { maxTokens: Number.POSITIVE_INFINITY },
    { topP: 7 },
    { topK: 1.5 },
    { seed: 0.5 },
  ])
    expect(made(wrong)).toThrow(expect.objectContaining({ code: "bad-option" }));
  expect(named(new Model({ modelPath: "models/tiny.Q4_0.GGUF" }))).toBe("tiny.Q4_0");
  expect(named(new Model({ model: "smollm2-135m" }))).toBe("smollm2-135m");
  expect(made({ stop: "." })).toThrow(/list of strings/);
  expect(made({ minP: 2 })).toThrow(/`minP` is a number from 0 to 1/);
  expect(made({ minP: 0.1, maxTokens: 1, topP: 1, topK: 0, temperature: 0, seed: -1 })).not.toThrow();
});
