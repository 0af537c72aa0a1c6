export { ChatTemplate, type PromptPiece, type TemplateVocabulary } from "./chat-template.js";
export {
  type EngineOptions,
  type GenerateOptions,
  type GenerateRequest,
  type Generation,
  LlamaCppEngine,
  type Timings,
  type TurnTemplate,
} from "./engine/engine.js";
export type { GenerationStream } from "./engine/generation-stream.js";
export type { LogListener } from "./engine/native.js";
export type { Threads } from "./engine/threads.js";
export { LlamaCppError, type LlamaCppErrorCode, type ModelAttempt, ModelNotFoundError } from "./errors.js";
export { defaultCacheDir } from "./model-store/cache.js";
export { MODELS, type ModelEntry, type ModelWheel } from "./model-store/catalog.js";
export type { DownloadProgress, SourceName } from "./model-store/download.js";
export { type ListedModel, listModels, removeModel } from "./model-store/list.js";
export { type ResolvedModel, type ResolveModelOptions, resolveModel } from "./model-store/resolve.js";
export { type TextModelDefaults, toTextModel } from "./text-model.js";
export { type TinyModelOptions, writeTinyModel } from "./tiny-model/index.js";
