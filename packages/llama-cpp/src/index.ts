export { ChatTemplate, type PromptPiece, type TemplateVocabulary } from "./chat-template.js";
export {
  type EngineOptions,
  type GenerateOptions,
  type GenerateRequest,
  type Generation,
  LlamaCppEngine,
  type Timings,
} from "./engine/engine.js";
export type { GenerationStream } from "./engine/generation-stream.js";
export type { LogListener } from "./engine/native.js";
export type { Threads } from "./engine/threads.js";
export { LlamaCppError, type LlamaCppErrorCode, type ModelAttempt, ModelNotFoundError } from "./errors.js";
export { type TinyModelOptions, writeTinyModel } from "./tiny-model/index.js";
