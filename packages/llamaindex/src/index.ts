export { OptionsError, ToolDefinitionError } from "@toolingua/core";
export type { ToolList } from "@toolingua/core/adapters";
export type { AnswerOptions } from "./answer.js";
export { ModelError, ToolBindingError } from "./errors.js";
export type { Executed, ExecutedStream } from "./exec.js";
export type { ToolCallingOptions } from "./options.js";
export { type ToolCallingChatOptions, ToolCallingLLM, withToolCalling } from "./tool-calling-llm.js";
export { fromLlamaIndexTools, toLlamaIndexTools } from "./tool-conversion.js";
export { toToolDefinitions } from "./tools.js";
