import type { LanguageModelLike } from "@langchain/core/language_models/base";
import { type AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { HybridSelection, type ToolSelectionSettings } from "@toolingua/core/adapters";
import type { InnerModel } from "./inner-model.js";
import { NativeModel } from "./native/native-model.js";

/** The selection of a wrapped model's tools, which asks the model by native tool calling. */
export function hybridSelection(
  model: LanguageModelLike,
  settings: ToolSelectionSettings,
): HybridSelection<InnerModel> {
  const native = new NativeModel(model);
  return new HybridSelection(settings, async (inner, { instruction, wish, tool }) => {
    const messages = [new SystemMessage(instruction), new HumanMessage(wish)];
    const answer = await inner.call(native, messages, { type: "function", function: tool });
    return (answer as Partial<AIMessage> | undefined)?.tool_calls?.[0]?.args;
  });
}
