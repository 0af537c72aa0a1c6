import { untilAborted } from "@toolingua/core/adapters";
import { type EngineOptions, LlamaCppEngine } from "./engine/engine.js";
import { modelNameOf } from "./engine/model-file.js";
import { LlamaCppError } from "./errors.js";
import { type ResolveModelOptions, resolveModel } from "./model-store/resolve.js";

/** Sampling options of a framework's model. */
export interface Sampling {
  /** 0 (the default) always takes the most likely token. */
  temperature?: number | undefined;
  topP?: number | undefined;
  topK?: number | undefined;
  /** With a temperature: exclude tokens below this fraction of the most likely token's probability. Default 0. */
  minP?: number | undefined;
  /** The same seed and messages give the same reply. Default: a new seed for every call. */
  seed?: number | undefined;
  /** The reply is truncated after this many tokens. Default 1024. */
  maxTokens?: number | undefined;
}

/** Selects the engine: one of `engine`, `modelPath` and `model`. Default: the model that `resolveModel()` returns. */
export interface EngineChoice {
  /** A loaded engine. Its caller remains responsible for disposing of it. */
  engine?: LlamaCppEngine | undefined;
  /** A GGUF file, loaded at the first call. */
  modelPath?: string | undefined;
  /** The name of a model in the store, downloaded and loaded at the first call. */
  model?: string | undefined;
  /** How to load the engine. */
  engineOptions?: Omit<EngineOptions, "modelPath" | "signal"> | undefined;
  /** How to find the model. */
  resolveOptions?: Omit<ResolveModelOptions, "signal"> | undefined;
}

/** The engine of a framework's model, loaded once at its first use. */
export class EmbeddedEngine {
  /** The model's name, or that of its file without ".gguf". */
  readonly name: string;
  #loading: Promise<LlamaCppEngine> | undefined;
  #loaded: LlamaCppEngine | undefined;
  #isDisposed = false;

  constructor(private readonly choice: EngineChoice) {
    const { engine, modelPath, model = "default" } = choice;
    this.name = engine?.modelName ?? (modelPath ? modelNameOf(modelPath) : model);
  }

  /** The most tokens of a prompt and its reply together. Known once the engine is loaded. */
  get contextSize(): number | undefined {
    return (this.choice.engine ?? this.#loaded)?.contextSize;
  }

  /**
   * Errors: `disposed` after {@link dispose}; those of `resolveModel` and of loading, after which the next call tries
   * again; the signal's reason, while loading continues for the next call.
   */
  async load(signal?: AbortSignal | undefined): Promise<LlamaCppEngine> {
    if (this.#isDisposed) throw new LlamaCppError("disposed", "The model was disposed of. Make a new one.");
    if (this.choice.engine) return this.choice.engine;
    this.#loading ??= this.#load().catch((error) => {
      this.#loading = undefined;
      throw error;
    });
    const loading = this.#loading;
    return untilAborted(() => loading, signal);
  }

  /** Frees the engine if it was loaded here. Later calls throw `disposed`. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    const loading = this.#loading;
    this.#loading = undefined;
    await (await loading?.catch(() => undefined))?.dispose();
  }

  async #load(): Promise<LlamaCppEngine> {
    const { modelPath, model, engineOptions, resolveOptions } = this.choice;
    const found: { path: string; chatTemplate?: EngineOptions["chatTemplate"] } = modelPath
      ? { path: modelPath }
      : await resolveModel(model, resolveOptions);
    const { path, chatTemplate } = found;
    this.#loaded = await LlamaCppEngine.load({ modelPath: path, chatTemplate, ...engineOptions });
    return this.#loaded;
  }
}
