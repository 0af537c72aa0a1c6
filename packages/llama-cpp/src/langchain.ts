export {
  EmbeddedChatModel,
  type EmbeddedChatModelCallOptions,
  type EmbeddedChatModelFields,
} from "./langchain/embedded-chat-model.js";
