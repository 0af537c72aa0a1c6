import { ToolinguaError } from "@toolingua/core";

/**
 * Reasons for a failure of the engine.
 * `engine-unavailable`: node-llama-cpp is not installed or has no binary for this machine;
 * `model-not-found`: the file does not exist, or no source has the model;
 * `not-a-model`: the file is not a GGUF, is truncated, or is of a kind that llama.cpp does not support;
 * `out-of-memory`: there is not enough memory for the model or its context;
 * `context-overflow`: the prompt is longer than the context;
 * `grammar-refused`: llama.cpp rejected the grammar;
 * `no-chat-template`: messages were given, but the model has no chat template;
 * `chat-template`: the model's chat template rejected the messages;
 * `download`: a model could not be downloaded, or its checksum is wrong;
 * `unsupported-message`: a message of a framework contains what a text-only model cannot receive;
 * `disposed`: the engine was disposed of;
 * `generation`: llama.cpp failed while generating.
 */
export type LlamaCppErrorCode =
  | "engine-unavailable"
  | "model-not-found"
  | "not-a-model"
  | "out-of-memory"
  | "context-overflow"
  | "grammar-refused"
  | "no-chat-template"
  | "chat-template"
  | "download"
  | "unsupported-message"
  | "disposed"
  | "generation";

/**
 * Every error that originates in this package. An aborted call throws the signal's reason instead.
 *
 * @example
 * try { await engine.generate({ prompt, grammar }); }
 * catch (error) { if (error instanceof LlamaCppError && error.code === "grammar-refused") console.error(error.message); }
 */
export class LlamaCppError extends ToolinguaError {
  static override readonly name: string = "LlamaCppError";

  declare readonly code: LlamaCppErrorCode;

  constructor(code: LlamaCppErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
  }
}

/** One source that was tried, and why it did not provide the model. */
export interface ModelAttempt {
  source: string;
  reason: string;
}

/**
 * No source has the model. `attempts` lists what was tried, in order. The message contains them too, with advice.
 *
 * @example
 * try { await resolveModel("smollm2-135m"); }
 * catch (error) { if (error instanceof ModelNotFoundError) console.error(error.attempts); }
 */
export class ModelNotFoundError extends LlamaCppError {
  static override readonly name: string = "ModelNotFoundError";

  /** The requested name. */
  readonly model: string;
  /** The sources that were tried, in order. */
  readonly attempts: readonly ModelAttempt[];

  constructor(model: string, attempts: readonly ModelAttempt[], advice: string) {
    const tried = attempts.map(({ source, reason }) => `  - ${source}: ${reason}`).join("\n");
    super("model-not-found", `The model "${model}" was not found.${tried && ` Tried:\n${tried}\n`}${advice}`);
    this.model = model;
    this.attempts = attempts;
  }
}
