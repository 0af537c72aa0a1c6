export { OptionsError, ToolDefinitionError } from "@toolingua/core";
export type { ToolList, ToolSelectionSettings } from "@toolingua/core/adapters";
export type { ToolCallingCallOptions } from "./call-options.js";
export { MessageError, ModelError, ToolBindingError } from "./errors.js";
export type { ToolCallingOptions, ToolCallParserFields } from "./options.js";
export {
  type ParsedCallOf,
  type ParsedToolCall,
  ToolCallMessageParser,
  ToolCallOutputParser,
} from "./output-parsers.js";
export {
  type InnerCallOptions,
  ToolCallingChatModel,
  type ToolCallingChatModelFields,
  withToolCalling,
} from "./tool-calling-chat-model.js";
export { fromLangChainTools, toLangChainTools } from "./tools/tool-conversion.js";
export { toToolDefinitions } from "./tools/tools.js";
