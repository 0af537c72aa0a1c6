export { addToPml, type PmlAddition, removeFromPml, replaceInPml } from "./compose/edit.js";
export { findInPml, type Place, type Where } from "./compose/find.js";
export {
  type AiSdkAssistantPart,
  type AiSdkMessage,
  type AiSdkToolResult,
  fromAiSdk,
  toAiSdk,
} from "./convert/ai-sdk.js";
export { type AtifStep, type AtifTrajectory, fromAtif, type ToAtifOptions, toAtif } from "./convert/atif.js";
export { pmlFromJson, pmlToJson } from "./convert/json.js";
export { fromLangChain, type LangChainStoredMessage, toLangChain } from "./convert/langchain.js";
export { fromLlamaIndex, type LlamaIndexMessage, toLlamaIndex } from "./convert/llamaindex.js";
export { fromMarkdown } from "./convert/markdown/from-markdown.js";
export { toMarkdown } from "./convert/markdown/to-markdown.js";
export { type FromMcpOptions, fromMcpContent, fromMcpResource, toMcpResource } from "./convert/mcp.js";
export {
  fromConversation,
  fromMessages,
  type ToMessagesOptions,
  toConversation,
  toMessages,
} from "./convert/messages.js";
export { fromPoml, toPoml } from "./convert/poml.js";
export { fromProvider, type GivenProviderRequest, type ProviderRequest, toProvider } from "./convert/providers.js";
export { type ResolveAliasesOptions, resolveAliases } from "./convert/resolve-aliases.js";
export type { AttachmentStyle } from "./convert/said.js";
export { fromConversationState, toConversationState } from "./convert/state.js";
export * from "./errors.js";
export { type RenderHtmlOptions, renderHtml } from "./page/render-html.js";
export type { PrunePmlOptions } from "./prune/options.js";
export { type Pruned, type PrunedPml, prunePml } from "./prune/prune-pml.js";
export type { PmlLimits } from "./read/limits.js";
export { createPmlReader, type PmlEvent, type PmlReader, parsePml, readPml } from "./read/parse-pml.js";
export { type PmlRange, positionOf } from "./read/position.js";
export { pmlJsonSchema } from "./schema/json-schema.js";
export { type PmlPrompt, pmlPrompt } from "./transcript/pml-prompt.js";
export { type PmlTranscriptOptions, pmlTranscript } from "./transcript/pml-transcript.js";
export * from "./tree.js";
export { keepLevels } from "./vocabulary.js";
export { canonicalPml, hashPml } from "./write/canonical-pml.js";
export { type StringifyPmlOptions, stringifyPml } from "./write/stringify-pml.js";
export { unwritableIn } from "./write/unwritable.js";
