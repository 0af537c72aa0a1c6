export { type ChatFormat, ChatFormatError, type Conversation } from "./chat-format.js";
export { ChatTemplate, type ChatTemplateOptions, type NamedTemplate, type TokenizerConfig } from "./chat-template.js";
export { type CompletionModelOptions, type CompletionRequest, completionModel } from "./completion-model.js";
export { type ChatFormatName, chatFormatForModel, chatFormats, getChatFormat } from "./formats.js";
export { nativeProtocol } from "./native-protocol.js";
export {
  type ChatFormatChoice,
  type ChatPrompt,
  type RenderChatPromptOptions,
  renderChatPrompt,
} from "./render-chat-prompt.js";
