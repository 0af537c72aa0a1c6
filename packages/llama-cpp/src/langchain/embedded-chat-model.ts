import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { LangSmithParams } from "@langchain/core/language_models/chat_models";
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BaseChatModelParams,
} from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage, type UsageMetadata } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import type { Usage } from "@toolingua/core";
import { EmbeddedEngine } from "../embedded-engine.js";
import { checkEmbeddedOptions, type EmbeddedOptions } from "../embedded-options.js";
import { type EmbeddedCall, embeddedRequest } from "../embedded-request.js";
import type { GenerateRequest, Generation, LlamaCppEngine } from "../engine/engine.js";
import { toTextPrompt } from "./messages.js";

/** Selects the engine and the sampling, besides the options of every chat model. */
export interface EmbeddedChatModelFields extends BaseChatModelParams, EmbeddedOptions {}

/** Options of a single call, besides those of every chat model (`stop`, `signal`, `timeout`). */
export interface EmbeddedChatModelCallOptions extends BaseChatModelCallOptions, Omit<EmbeddedCall, "stop" | "signal"> {}

/**
 * A local model in this process as a LangChain chat model. It generates text only: no tool calls, no `bindTools`.
 * `withToolCalling` of @toolingua/langchain adds them.
 *
 * @example
 * const model = new EmbeddedChatModel({ model: "smollm2-135m", temperature: 0 });
 * for await (const chunk of await model.stream("Say hello.")) process.stdout.write(chunk.text);
 * await model.dispose();
 */
export class EmbeddedChatModel extends BaseChatModel<EmbeddedChatModelCallOptions, AIMessageChunk> {
  /** The model's name, or that of its file. */
  readonly model: string;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly topK: number | undefined;
  readonly minP: number | undefined;
  readonly seed: number | undefined;
  readonly maxTokens: number | undefined;
  readonly stop: string[] | undefined;
  readonly #engine: EmbeddedEngine;

  static override lc_name(): string {
    return "EmbeddedChatModel";
  }

  /** Errors: `OptionsError` (`bad-option`) for an option that is misspelt or cannot have its value. */
  constructor(fields: EmbeddedChatModelFields = {}) {
    super(fields ?? {});
    checkEmbeddedOptions(fields, "EmbeddedChatModel");
    this.#engine = new EmbeddedEngine(fields);
    this.model = this.#engine.name;
    this.temperature = fields.temperature;
    this.topP = fields.topP;
    this.topK = fields.topK;
    this.minP = fields.minP;
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
      ...["grammar", "constraint", "prefill", "temperature", "topP", "topK", "minP", "seed", "maxTokens"],
    ];
  }

  override _identifyingParams(): Record<string, unknown> {
    const { model, temperature, topP, topK, minP, seed, maxTokens, stop } = this;
    return { model, temperature, topP, topK, minP, seed, maxTokens, stop };
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
    return this.#engine.load();
  }

  /** Frees the engine if it was loaded here. Later calls throw `disposed`. */
  async dispose(): Promise<void> {
    await this.#engine.dispose();
  }

  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const request = this.#request(messages, options);
    const engine = await this.#engine.load(options.signal);
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
    const engine = await this.#engine.load(options.signal);
    const stream = engine.stream(request);
    for await (const text of stream) {
      const chunk = new ChatGenerationChunk({ text, message: new AIMessageChunk({ content: text }) });
      yield chunk;
      await runManager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
    }
    const generation = await stream.result;
    // LangChain adds up usage and concatenates strings of metadata, so both are sent only once.
    yield new ChatGenerationChunk({
      text: "",
      message: new AIMessageChunk({ content: "", ...metadata(engine, generation) }),
      generationInfo: { finish_reason: generation.finish },
    });
  }

  #request(messages: readonly BaseMessage[], options: this["ParsedCallOptions"]): GenerateRequest {
    return embeddedRequest(toTextPrompt(messages), options, this);
  }
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
