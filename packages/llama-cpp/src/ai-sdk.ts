export { EmbeddedChatModel, type EmbeddedChatModelFields } from "./ai-sdk/embedded-chat-model.js";
