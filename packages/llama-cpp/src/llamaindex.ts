export { EmbeddedLLM, type EmbeddedLLMChatOptions, type EmbeddedLLMFields } from "./llamaindex/embedded-llm.js";
