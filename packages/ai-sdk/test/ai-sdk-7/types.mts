// Checked by ai-sdk-7.verify.mjs against the types of `ai` 7.
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { toAiSdkTools, toolCallingMiddleware, withToolCalling } from "@toolingua/ai-sdk";
import { generateText, ToolLoopAgent, wrapLanguageModel } from "ai";

declare const model: LanguageModelV4;
export const wrapped: LanguageModelV4 = withToolCalling(model, { protocol: "hermes" });
export const middleware = wrapLanguageModel({ model, middleware: toolCallingMiddleware({ protocol: "hermes" }) });
export const result = generateText({ model: wrapped, tools: toAiSdkTools([]), prompt: "Hello" });
export const agent = new ToolLoopAgent({ model: withToolCalling(model), tools: toAiSdkTools([]) });
// @ts-expect-error: an option that there is not.
withToolCalling(model, { protcol: "hermes" });
