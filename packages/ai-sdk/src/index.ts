export {
  ConversationError,
  InvalidToolCallError,
  OptionsError,
  ProtocolError,
  ToolChoiceError,
  ToolDefinitionError,
} from "@toolingua/core";
export type { ToolList, ToolSelectionSettings } from "@toolingua/core/adapters";
export { GrammarError } from "@toolingua/core/grammar";
export { MessageError, ModelError, ToolBindingError } from "./errors.js";
export type { ToolCallingOptions } from "./options.js";
export type { AnyLanguageModel, ToolCallingMiddleware, WrappedModel } from "./sdk.js";
export { type AiSdkTool, fromAiSdkTools, toAiSdkTools } from "./tools/tool-conversion.js";
export { toolCallingMiddleware, withToolCalling } from "./with-tool-calling.js";
