import { randomInt } from "node:crypto";
import type { FinishReason, TextMessage, Usage } from "@toolingua/core";
import type { LlamaContext, LlamaContextSequence, LlamaGrammar, LlamaModel, Token } from "node-llama-cpp";
import { ChatTemplate, type PromptPiece } from "../chat-template.js";
import { LlamaCppError } from "../errors.js";
import { checkRequest, type GenerateRequest } from "./generate-options.js";
import { GenerationStream } from "./generation-stream.js";
import { GrammarCache } from "./grammar-cache.js";
import { checkLoadOptions, DEFAULT_CONTEXT, type EngineOptions } from "./load-options.js";
import { createContext, loadModelFile, modelNameOf, templateVocabulary, tokenizePrompt } from "./model-file.js";
import { type LogListener, loadNative, type Native } from "./native.js";
import { ReplyText } from "./reply-text.js";
import { commonPrefix, SequencePool } from "./sequence-pool.js";
import { chooseThreads, type Threads, threadsForReading, usableCores } from "./threads.js";

export type { GenerateOptions, GenerateRequest } from "./generate-options.js";
export type { EngineOptions, TurnTemplate } from "./load-options.js";

/** The times of a generation. */
export interface Timings {
  /** Milliseconds spent in the queue, reading the prompt, and generating the reply. */
  queueMs: number;
  prefillMs: number;
  decodeMs: number;
  /** Prompt tokens that were cached by an earlier call, and so not read again. */
  cachedTokens: number;
}

/** A reply with its usage and timings. */
export interface Generation {
  /** The reply, without the prefill and without the stop sequence. */
  text: string;
  finish: FinishReason;
  usage: Usage;
  timings: Timings;
  /** The seed used. */
  seed: number;
}

/** The parts of an engine. */
interface LoadedModel {
  native: Native;
  model: LlamaModel;
  context: LlamaContext;
  template: ChatTemplate | undefined;
  threads: Threads;
  onLog: LogListener | undefined;
}

const DEFAULT_MAX_TOKENS = 1024;
/**
 * Prompt tokens between two checks of the signal. The same for every call, because another batch size rounds
 * differently.
 */
const PREFILL_STEP = 128;

/**
 * A language model in this process, on llama.cpp's CPU build. Text in, text out. A grammar can constrain replies.
 *
 * Calls share a prompt cache: a prompt is read only from where it differs from an earlier one. So keep the beginning of
 * a conversation the same from turn to turn.
 *
 * @example
 * const engine = await LlamaCppEngine.load({ modelPath: (await resolveModel()).path });
 * const { text } = await engine.generate({ messages: [{ role: "user", content: "Say hello." }], maxTokens: 32 });
 * await engine.dispose();
 */
export class LlamaCppEngine {
  /** The model's name: the file name without ".gguf". */
  readonly modelName: string;
  /** The thread counts for reading and generating. */
  readonly threads: Threads;
  /** The most tokens of a prompt and its reply together. */
  readonly contextSize: number;
  readonly #native: Native;
  readonly #model: LlamaModel;
  readonly #context: LlamaContext;
  readonly #pool: SequencePool;
  readonly #grammars: GrammarCache;
  readonly #template: ChatTemplate | undefined;
  readonly #onLog: LogListener | undefined;
  #disposal: Promise<void> | undefined;

  /**
   * Loads a model. Throws LlamaCppError: `engine-unavailable`, `model-not-found`, `not-a-model`, `out-of-memory`, or
   * `chat-template`; OptionsError (`bad-option`).
   */
  static async load(options: EngineOptions): Promise<LlamaCppEngine> {
    checkLoadOptions(options);
    const { modelPath, contextSize, sequences = 1, signal, onLog } = options;
    signal?.throwIfAborted();
    const native = await loadNative();
    const threads = chooseThreads(options.threads, Math.min(usableCores(), native.llama.cpuMathCores));
    if (onLog) native.listeners.add(onLog);
    let model: LlamaModel | undefined;
    try {
      model = await loadModelFile(native, modelPath, signal);
      const given = options.chatTemplate;
      const { template: own, stop } = typeof given === "object" ? given : { template: given, stop: [] };
      const source = own ?? model.fileInfo.metadata?.tokenizer?.chat_template;
      const template = source ? new ChatTemplate(source, templateVocabulary(model), stop) : undefined;
      const context = await createContext(native, model, threads.prefill, {
        sequences,
        contextSize: contextSize ?? { max: Math.min(model.trainContextSize ?? DEFAULT_CONTEXT, DEFAULT_CONTEXT) },
        // Costs memory for models with sliding windows; without it, each call reads their prompt from the start.
        swaFullCache: true,
        ...(signal && { createSignal: signal }),
      });
      return new LlamaCppEngine({ native, model, context, template, threads, onLog });
    } catch (error) {
      if (onLog) native.listeners.delete(onLog);
      await model?.dispose();
      throw error;
    }
  }

  private constructor({ native, model, context, template, threads, onLog }: LoadedModel) {
    this.#native = native;
    this.#model = model;
    this.#context = context;
    this.#template = template;
    this.#onLog = onLog;
    this.threads = threads;
    this.contextSize = context.contextSize;
    this.modelName = modelNameOf(model.filename ?? "model");
    this.#grammars = new GrammarCache(native);
    this.#pool = new SequencePool(Array.from({ length: context.totalSequences }, () => context.getSequence()));
  }

  /**
   * Generates one reply.
   *
   * Throws LlamaCppError: `context-overflow`, `grammar-refused`, `no-chat-template`, `chat-template`, `unsupported-message`,
   * `disposed`, `generation`; OptionsError (`bad-option`) for an option that is misspelt or cannot have its value. An aborted call throws the signal's reason, at the latest after 128
   * more prompt tokens or one more token of the reply. The engine remains usable.
   *
   * @example
   * await engine.generate({ messages, grammar: 'root ::= "yes" | "no"', onText: (text) => process.stdout.write(text) });
   */
  async generate(request: GenerateRequest): Promise<Generation> {
    checkRequest(request);
    const { signal } = request;
    signal?.throwIfAborted();
    this.#assertUsable();
    const prompt = this.#promptTokens(request);
    const maxTokens = this.#replyLimit(request.maxTokens, prompt.length);
    const seed = request.seed ?? randomInt(2 ** 31);
    const grammar = request.grammar === undefined ? undefined : await this.#grammars.get(request.grammar);

    const queued = performance.now();
    const sequence = await this.#pool.acquire(prompt, signal);
    try {
      const started = performance.now();
      const cachedTokens = await this.#read(sequence, prompt, signal);
      const read = performance.now();

      const usage: Usage = { inputTokens: prompt.length, outputTokens: 0 };
      const onText = request.onText && ((text: string) => request.onText?.(text, { ...usage }));
      const reply = new ReplyText(this.#model, prompt, this.#stop(request), onText);
      let finish: FinishReason = "length";
      for await (const token of this.#write(sequence, prompt, request, seed, grammar)) {
        signal?.throwIfAborted();
        usage.outputTokens++;
        if (this.#model.isEogToken(token) || reply.push(token)) {
          finish = "stop";
          break;
        }
        if (usage.outputTokens >= maxTokens) break;
      }
      if (reply.end()) finish = "stop";
      const written = performance.now();
      return {
        text: reply.text,
        finish,
        usage,
        timings: { queueMs: started - queued, prefillMs: read - started, decodeMs: written - read, cachedTokens },
        seed,
      };
    } finally {
      this.#native.threads.release(sequence);
      this.#pool.release(sequence);
    }
  }

  /** The stop sequences. For messages, these include the beginning of the next turn. */
  #stop(request: GenerateRequest): readonly string[] {
    const turns = request.messages === undefined ? [] : (this.#template?.stop ?? []);
    return [...(request.stop ?? []), ...turns];
  }

  /**
   * Generates one reply and streams it. Leaving the loop early stops generation. Errors are those of `generate`, thrown
   * in the loop and by `result`.
   *
   * @example
   * const stream = engine.stream({ prompt: "Once upon a time" });
   * for await (const text of stream) process.stdout.write(text);
   * const { usage } = await stream.result;
   */
  stream(request: GenerateRequest): GenerationStream<Generation> {
    return new GenerationStream(async (onText, stop) => {
      checkRequest(request);
      return this.generate({
        ...request,
        onText: (text, usage) => {
          request.onText?.(text, usage);
          onText(text);
        },
        signal: request.signal ? AbortSignal.any([request.signal, stop]) : stop,
      });
    });
  }

  /** The prompt that the model receives: the messages rendered with its chat template, and the prefill. */
  renderPrompt(messages: readonly TextMessage[], prefill = ""): string {
    return this.#render(messages, prefill)
      .map(({ text }) => text)
      .join("");
  }

  /** The number of tokens in a text. Names of control tokens in it count as plain text. */
  countTokens(text: string): number {
    this.#assertUsable();
    return this.#model.tokenize(text, false).length;
  }

  /** Frees the memory once the running calls have ended. Queued and later calls throw `disposed`. */
  dispose(): Promise<void> {
    this.#disposal ??= (async () => {
      await this.#pool.close(disposed());
      await this.#context.dispose();
      await this.#model.dispose();
      if (this.#onLog) this.#native.listeners.delete(this.#onLog);
    })();
    return this.#disposal;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  #assertUsable(): void {
    if (this.#disposal) throw disposed();
  }

  #render(messages: readonly TextMessage[], prefill: string | undefined): PromptPiece[] {
    if (this.#template) return this.#template.render(messages, prefill);
    throw new LlamaCppError(
      "no-chat-template",
      `${this.modelName} has no chat template, as models that were not trained to chat. Load it with a chatTemplate, or give a prompt instead of messages.`,
    );
  }

  #promptTokens({ messages, prompt, prefill = "" }: GenerateRequest): Token[] {
    const pieces = messages ? this.#render(messages, prefill) : [{ text: prompt + prefill, trusted: true }];
    return tokenizePrompt(this.#model, pieces);
  }

  #replyLimit(maxTokens = DEFAULT_MAX_TOKENS, promptTokens: number): number {
    const room = this.contextSize - promptTokens;
    if (room >= 1) return Math.min(maxTokens, room);
    throw new LlamaCppError(
      "context-overflow",
      `The prompt has ${promptTokens} tokens, and the context allows ${this.contextSize}, including the reply. Shorten the prompt, or load the engine with a larger contextSize.`,
    );
  }

  /**
   * Reads the prompt except its last token, starting where it differs from the sequence's cache. Returns that position.
   */
  async #read(sequence: LlamaContextSequence, prompt: readonly Token[], signal?: AbortSignal): Promise<number> {
    this.#native.threads.demand(sequence, sequence.context, threadsForReading(this.threads));
    const last = prompt.length - 1;
    const known = Math.min(commonPrefix(sequence.contextTokens, prompt), last);
    if (known < sequence.nextTokenIndex) {
      await sequence.eraseContextTokenRanges([{ start: known, end: sequence.nextTokenIndex }]);
    }
    for (let at = known; at < last; at += PREFILL_STEP) {
      signal?.throwIfAborted();
      await sequence
        .evaluateWithoutGeneratingNewTokens(prompt.slice(at, Math.min(at + PREFILL_STEP, last)))
        .catch(generationFailed);
    }
    return known;
  }

  /** Yields the tokens that the model generates after the prompt, until the consumer stops. */
  async *#write(
    sequence: LlamaContextSequence,
    prompt: readonly Token[],
    request: GenerateRequest,
    seed: number,
    grammar: LlamaGrammar | undefined,
  ): AsyncGenerator<Token> {
    this.#native.threads.demand(sequence, sequence.context, this.threads.decode);
    const { LlamaGrammarEvaluationState } = this.#native.module;
    const tokens = sequence.evaluate(prompt.slice(-1), {
      temperature: request.temperature ?? 0,
      topP: request.topP ?? 0.95,
      topK: request.topK ?? 40,
      minP: request.minP ?? 0,
      seed,
      yieldEogToken: true,
      ...(grammar && { grammarEvaluationState: new LlamaGrammarEvaluationState({ model: this.#model, grammar }) }),
    });
    try {
      yield* tokens;
    } catch (error) {
      generationFailed(error as Error);
    }
  }
}

const disposed = () => new LlamaCppError("disposed", "The engine was disposed of. Load a new one.");

function generationFailed(cause: Error): never {
  throw new LlamaCppError("generation", `llama.cpp failed while generating: ${cause.message}`, { cause });
}
