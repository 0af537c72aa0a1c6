import { wrapLLMEvent } from "@llamaindex/core/decorator";
import {
  BaseLLM,
  type ChatResponse,
  type ChatResponseChunk,
  type LLMChatParamsNonStreaming,
  type LLMChatParamsStreaming,
  type LLMMetadata,
} from "@llamaindex/core/llms";
import { EmbeddedEngine } from "../embedded-engine.js";
import { checkEmbeddedOptions, type EmbeddedOptions } from "../embedded-options.js";
import { type EmbeddedCall, embeddedRequest } from "../embedded-request.js";
import type { GenerateRequest, Generation, LlamaCppEngine } from "../engine/engine.js";
import { DEFAULT_CONTEXT } from "../engine/load-options.js";
import { toTextPrompt } from "./messages.js";

/** Selects the engine and the sampling. */
export type EmbeddedLLMFields = EmbeddedOptions;

/** Options of a single call, as `additionalChatOptions`. */
export type EmbeddedLLMChatOptions = EmbeddedCall;

type Streaming = LLMChatParamsStreaming<EmbeddedLLMChatOptions>;
type NonStreaming = LLMChatParamsNonStreaming<EmbeddedLLMChatOptions>;

/**
 * A local model in this process as an LLM of LlamaIndex. It generates text only, and ignores tools in a call.
 * `withToolCalling` of @toolingua/llamaindex adds tool calls.
 *
 * @example
 * const llm = new EmbeddedLLM({ model: "smollm2-135m", temperature: 0 });
 * const { message } = await llm.chat({ messages: [{ role: "user", content: "Say hello." }] });
 * await llm.dispose();
 */
export class EmbeddedLLM extends BaseLLM<EmbeddedLLMChatOptions> {
  readonly #engine: EmbeddedEngine;
  readonly #fields: EmbeddedLLMFields;

  /** Errors: `OptionsError` (`bad-option`) for an option that is misspelt or cannot have its value. */
  constructor(fields: EmbeddedLLMFields = {}) {
    super();
    this.#fields = fields;
    checkEmbeddedOptions(fields, "EmbeddedLLM");
    this.#engine = new EmbeddedEngine(fields);
  }

  /** Until the engine is loaded, `contextWindow` is the most that it takes by default. */
  get metadata(): LLMMetadata {
    const { engineOptions, temperature = 0, topP = 0.95, maxTokens } = this.#fields;
    return {
      model: this.#engine.name,
      temperature,
      topP,
      maxTokens,
      contextWindow: this.#engine.contextSize ?? engineOptions?.contextSize ?? DEFAULT_CONTEXT,
      tokenizer: undefined,
      structuredOutput: false,
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

  /**
   * Errors: `LlamaCppError`, as `LlamaCppEngine.generate`; the signal's reason. Leaving the stream early stops
   * generation.
   */
  override chat(params: Streaming): Promise<AsyncIterable<ChatResponseChunk>>;
  override chat(params: NonStreaming): Promise<ChatResponse>;
  @wrapLLMEvent
  override async chat(params: Streaming | NonStreaming): Promise<AsyncIterable<ChatResponseChunk> | ChatResponse> {
    const request = this.#request(params);
    const engine = await this.#engine.load(request.signal);
    if (params.stream) return streamed(engine, request);
    const generation = await engine.generate(request);
    return { message: { role: "assistant", content: generation.text }, raw: rawOf(engine, generation) };
  }

  #request({ messages, additionalChatOptions = {} }: Streaming | NonStreaming): GenerateRequest {
    return embeddedRequest(toTextPrompt(messages), additionalChatOptions, this.#fields);
  }
}

async function* streamed(engine: LlamaCppEngine, request: GenerateRequest): AsyncGenerator<ChatResponseChunk> {
  const stream = engine.stream(request);
  for await (const delta of stream) yield { delta, raw: null };
  yield { delta: "", raw: rawOf(engine, await stream.result) };
}

/** The engine's report on a reply, under the names that providers use: `usage`, `finish_reason`. */
const rawOf = (engine: LlamaCppEngine, { usage, finish, seed, timings }: Generation): object => ({
  model: engine.modelName,
  finish_reason: finish,
  usage: {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
  },
  seed,
  timings,
});
