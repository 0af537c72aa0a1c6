import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { LangSmithParams } from "@langchain/core/language_models/chat_models";
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BaseChatModelParams,
} from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage, type UsageMetadata } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import type { Constraint, Usage } from "@toolingua/core";
import { type EngineOptions, type GenerateRequest, type Generation, LlamaCppEngine } from "../engine/engine.js";
import { type ResolveModelOptions, resolveModel } from "../model-store/resolve.js";
import { toTextMessages } from "./messages.js";

interface Sampling {
  /** 0 (the default) always takes the likeliest token. */
  temperature?: number | undefined;
  topP?: number | undefined;
  topK?: number | undefined;
  /** The same seed and messages give the same reply. Default: a new one for every call. */
  seed?: number | undefined;
  /** The reply is cut off after this many tokens. Default 1024. */
  maxTokens?: number | undefined;
}

/** One of `engine`, `modelPath` and `model`; without any, the model `resolveModel()` gives. */
export interface EmbeddedChatModelFields extends BaseChatModelParams, Sampling {
  /** An engine that is loaded. It stays the caller's to dispose of. */
  engine?: LlamaCppEngine | undefined;
  /** A GGUF file, loaded at the first call. */
  modelPath?: string | undefined;
  /** The name of a model in the store, fetched and loaded at the first call. */
  model?: string | undefined;
  /** The reply ends before any of these. */
  stop?: string[] | undefined;
  /** How to load the engine. */
  engineOptions?: Omit<EngineOptions, "modelPath" | "signal"> | undefined;
  /** How to find the model. */
  resolveOptions?: Omit<ResolveModelOptions, "signal"> | undefined;
}

/** What a single call can set, beside what every chat model takes (`stop`, `signal`, `timeout`). */
export interface EmbeddedChatModelCallOptions extends BaseChatModelCallOptions, Sampling {
  /** A GBNF grammar for what the model writes. */
  grammar?: string | undefined;
  /** The same, as Toolingua passes it on. */
  constraint?: Constraint | undefined;
  /** What the reply already begins with; it is not part of the reply. An AI message that stands last does the same. */
  prefill?: string | undefined;
}

/**
 * A local model in this process as a LangChain chat model. It is text-only, and honestly so: no tool calls, no
 * `bindTools`. `withToolCalling` of @toolingua/langchain adds them.
 *
 * @example
 * const model = new EmbeddedChatModel({ model: "smollm2-135m", temperature: 0 });
 * for await (const chunk of await model.stream("Say hello.")) process.stdout.write(chunk.text);
 * await model.dispose();
 */
export class EmbeddedChatModel extends BaseChatModel<EmbeddedChatModelCallOptions, AIMessageChunk> {
  /** The model's name, or its file's. */
  readonly model: string;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly topK: number | undefined;
  readonly seed: number | undefined;
  readonly maxTokens: number | undefined;
  readonly stop: string[] | undefined;
  readonly #fields: EmbeddedChatModelFields;
  #loading: Promise<LlamaCppEngine> | undefined;

  static override lc_name(): string {
    return "EmbeddedChatModel";
  }

  constructor(fields: EmbeddedChatModelFields = {}) {
    super(fields);
    this.#fields = fields;
    this.model = fields.engine?.modelName ?? fields.modelPath ?? fields.model ?? "default";
    this.temperature = fields.temperature;
    this.topP = fields.topP;
    this.topK = fields.topK;
    this.seed = fields.seed;
    this.maxTokens = fields.maxTokens;
    this.stop = fields.stop;
  }

  override _llmType(): string {
    return "llama-cpp";
  }

  override get callKeys(): string[] {
    return [
      ...super.callKeys,
      ...["grammar", "constraint", "prefill", "temperature", "topP", "topK", "seed", "maxTokens"],
    ];
  }

  override _identifyingParams(): Record<string, unknown> {
    const { model, temperature, topP, topK, seed, maxTokens, stop } = this;
    return { model, temperature, topP, topK, seed, maxTokens, stop };
  }

  override getLsParams(options: this["ParsedCallOptions"]): LangSmithParams {
    const { temperature, maxTokens, stop } = this.#request([], options);
    return {
      ls_provider: "llama-cpp",
      ls_model_name: this.model,
      ls_model_type: "chat",
      ...(temperature !== undefined && { ls_temperature: temperature }),
      ...(maxTokens !== undefined && { ls_max_tokens: maxTokens }),
      ...(stop && { ls_stop: [...stop] }),
    };
  }

  /** Loads the engine now rather than at the first call. Errors are those of `resolveModel` and of loading. */
  async load(): Promise<LlamaCppEngine> {
    if (this.#fields.engine) return this.#fields.engine;
    this.#loading ??= this.#load().catch((error) => {
      this.#loading = undefined; // the next call tries again
      throw error;
    });
    return this.#loading;
  }

  /** Frees the engine, if it was loaded here. A later call loads it anew. */
  async dispose(): Promise<void> {
    const loading = this.#loading;
    this.#loading = undefined;
    await (await loading?.catch(() => undefined))?.dispose();
  }

  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const request = this.#request(messages, options);
    const engine = await orAborted(this.load(), options.signal);
    const generation = await engine.generate(request);
    const message = new AIMessage({ content: generation.text, ...metadata(engine, generation) });
    return {
      generations: [{ text: generation.text, message, generationInfo: { finish_reason: generation.finish } }],
      llmOutput: { tokenUsage: tokenUsage(generation.usage) },
    };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const request = this.#request(messages, options);
    const engine = await orAborted(this.load(), options.signal);
    const stream = engine.stream(request);
    for await (const text of stream) {
      const chunk = new ChatGenerationChunk({ text, message: new AIMessageChunk({ content: text }) });
      yield chunk;
      await runManager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
    }
    const generation = await stream.result;
    // LangChain adds up usage and joins strings of metadata, so both come once.
    yield new ChatGenerationChunk({
      text: "",
      message: new AIMessageChunk({ content: "", ...metadata(engine, generation) }),
      generationInfo: { finish_reason: generation.finish },
    });
  }

  async #load(): Promise<LlamaCppEngine> {
    const { modelPath, model, engineOptions, resolveOptions } = this.#fields;
    const found: { path: string; chatTemplate?: EngineOptions["chatTemplate"] } = modelPath
      ? { path: modelPath }
      : await resolveModel(model, resolveOptions);
    return LlamaCppEngine.load({ modelPath: found.path, chatTemplate: found.chatTemplate, ...engineOptions });
  }

  #request(messages: readonly BaseMessage[], options: this["ParsedCallOptions"]): GenerateRequest {
    const { messages: texts, prefill } = toTextMessages(messages);
    return {
      messages: texts,
      prefill: prefill + (options.prefill ?? ""),
      grammar: options.grammar ?? options.constraint?.grammar,
      stop: options.stop ?? this.stop,
      signal: options.signal,
      temperature: options.temperature ?? this.temperature,
      topP: options.topP ?? this.topP,
      topK: options.topK ?? this.topK,
      seed: options.seed ?? this.seed,
      maxTokens: options.maxTokens ?? this.maxTokens,
    };
  }
}

/** A call that is aborted need not wait for the model to load; loading goes on for the next one. */
async function orAborted<T>(loading: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return loading;
  signal.throwIfAborted();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  return Promise.race([loading, aborted]).finally(() => signal.removeEventListener("abort", onAbort));
}

const tokenUsage = ({ inputTokens, outputTokens }: Usage) => ({
  promptTokens: inputTokens,
  completionTokens: outputTokens,
  totalTokens: inputTokens + outputTokens,
});

/** (LangChain's type of `usage_metadata` is `never` under exactOptionalPropertyTypes.) */
function metadata(engine: LlamaCppEngine, { usage, finish, seed, timings }: Generation) {
  const usageMetadata: UsageMetadata = {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    input_token_details: { cache_read: timings.cachedTokens },
  };
  return {
    usage_metadata: usageMetadata as never,
    response_metadata: { model: engine.modelName, finish_reason: finish, seed, timings },
  };
}
