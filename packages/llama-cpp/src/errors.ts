import { ToolinguaError } from "@toolingua/core";

/**
 * What went wrong in the engine.
 * `engine-unavailable`: node-llama-cpp is not installed or has no binary for this machine;
 * `model-not-found`: there is no such file, or no source has the model;
 * `not-a-model`: the file is no GGUF, is cut off, or is of a kind llama.cpp does not know;
 * `out-of-memory`: the model or its context does not fit;
 * `context-overflow`: the prompt is longer than the context;
 * `grammar-refused`: llama.cpp does not accept the grammar;
 * `no-chat-template`: messages were given, but the model says nothing about how to write them;
 * `chat-template`: the model's chat template refused the messages;
 * `download`: a model could not be fetched, or is not the one that was asked for;
 * `unsupported-message`: a LangChain message holds what a text-only model cannot be told;
 * `bad-option`: an option has a value that it cannot have;
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
  | "bad-option"
  | "disposed"
  | "generation";

/**
 * Every error this package throws on its own account. An aborted call throws the signal's reason instead.
 *
 * @example
 * try { await engine.generate({ prompt, grammar }); }
 * catch (error) { if (error instanceof LlamaCppError && error.code === "grammar-refused") console.error(error.message); }
 */
export class LlamaCppError extends ToolinguaError {
  declare readonly code: LlamaCppErrorCode;

  constructor(code: LlamaCppErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
  }
}

/** One place a model was looked for, and why it is not from there. */
export interface ModelAttempt {
  source: string;
  reason: string;
}

/**
 * No source has the model. `attempts` says what was tried, in order; the message says it too, and what to do.
 *
 * @example
 * try { await resolveModel("smollm2-135m"); }
 * catch (error) { if (error instanceof ModelNotFoundError) console.error(error.attempts); }
 */
export class ModelNotFoundError extends LlamaCppError {
  /** The name that was asked for. */
  readonly model: string;
  /** Where it was looked for, in this order. */
  readonly attempts: readonly ModelAttempt[];

  constructor(model: string, attempts: readonly ModelAttempt[], advice: string) {
    const tried = attempts.map(({ source, reason }) => `  - ${source}: ${reason}`).join("\n");
    super("model-not-found", `The model "${model}" was not found.${tried && ` Tried:\n${tried}\n`}${advice}`);
    this.model = model;
    this.attempts = attempts;
  }
}
