import { randomInt } from "node:crypto";
import { basename } from "node:path";
import type { FinishReason, TextMessage, Usage } from "@toolingua/core";
import type { GrammarTrigger } from "@toolingua/core/grammar";
import type { LlamaContext, LlamaContextSequence, LlamaGrammar, LlamaModel, Token } from "node-llama-cpp";
import { ChatTemplate, type PromptPiece } from "../chat-template.js";
import { LlamaCppError } from "../errors.js";
import { GenerationStream } from "./generation-stream.js";
import { GrammarCache } from "./grammar-cache.js";
import { LazyGrammar } from "./lazy-grammar.js";
import { createContext, loadModelFile, templateVocabulary, tokenizePrompt } from "./model-file.js";
import { type LogListener, loadNative, type Native } from "./native.js";
import { ReplyText } from "./reply-text.js";
import { commonPrefix, SequencePool } from "./sequence-pool.js";
import { chooseThreads, type Threads, threadsForReading, usableCores } from "./threads.js";

/** What an engine is made of. */
export interface EngineOptions {
  /** A GGUF file. `resolveModel` gives one for a name. */
  modelPath: string;
  /**
   * Threads for reading the prompt (default: every usable core that is idle) and for writing (default: half of the
   * usable cores). One number sets both.
   */
  threads?: number | { prefill?: number | undefined; decode?: number | undefined } | undefined;
  /** Tokens a prompt and its reply may have together. Default: what the model was trained for, at most 8192. */
  contextSize?: number | undefined;
  /** Calls that run at once, each with a context of its own in memory; others wait in line. Default 1. */
  sequences?: number | undefined;
  /** A Jinja chat template to use in place of the model's own. */
  chatTemplate?: string | TurnTemplate | undefined;
  /** What llama.cpp logs while this engine lives. */
  onLog?: LogListener | undefined;
  /** Stops loading. */
  signal?: AbortSignal | undefined;
}

/** A chat template for a model that has no token for the end of a turn. */
export interface TurnTemplate {
  template: string;
  /** How the next turn begins: a reply ends before any of these. */
  stop: readonly string[];
}

/** How a reply is generated. */
export interface GenerateOptions {
  /** A GBNF grammar. It holds for what the model writes: not for the prefill, which comes before. */
  grammar?: string | undefined;
  /** The grammar begins where the reply holds one of these, and the text before is free. Default: it holds from the start. */
  triggers?: readonly GrammarTrigger[] | undefined;
  /** What the reply already begins with. The model goes on from there; it is not part of the text that comes back. */
  prefill?: string | undefined;
  /** The reply ends before any of these. */
  stop?: readonly string[] | undefined;
  /** The same seed and prompt give the same reply. Default: a new one for every call. */
  seed?: number | undefined;
  /** 0 (the default) always takes the likeliest token. */
  temperature?: number | undefined;
  /** With a temperature: choose among the likeliest tokens that together have this probability. Default 0.95. */
  topP?: number | undefined;
  /** With a temperature: choose among this many tokens; 0 is all of them. Default 40. */
  topK?: number | undefined;
  /** With a temperature: leave out tokens with less than this share of the likeliest one's probability. Default 0. */
  minP?: number | undefined;
  /** The reply is cut off after this many tokens, with `finish: "length"`. Default 1024. */
  maxTokens?: number | undefined;
  signal?: AbortSignal | undefined;
  /**
   * Called with each piece of the reply, and with the tokens so far. Pieces never split a character, and joined they are
   * the reply.
   */
  onText?: ((text: string, usage: Usage) => void) | undefined;
}

/**
 * What to generate from: messages, written with the model's chat template, in which control tokens are plain text; or a
 * prompt, in which they are control tokens.
 */
export type GenerateRequest = GenerateOptions &
  ({ messages: readonly TextMessage[]; prompt?: undefined } | { prompt: string; messages?: undefined });

/** Where the time of a generation went. */
export interface Timings {
  /** Milliseconds spent waiting for other calls, reading the prompt, and writing the reply. */
  queueMs: number;
  prefillMs: number;
  decodeMs: number;
  /** Tokens of the prompt that were known from an earlier call, and so were not read again. */
  cachedTokens: number;
}

/** A reply, and what it took. */
export interface Generation {
  /** The reply, without the prefill and without the stop sequence. */
  text: string;
  finish: FinishReason;
  usage: Usage;
  timings: Timings;
  /** The seed used. */
  seed: number;
}

const DEFAULT_CONTEXT = 8192;
const DEFAULT_MAX_TOKENS = 1024;
/** Tokens read between two looks at the signal. The same for every call: another split would round differently. */
const PREFILL_STEP = 128;

/**
 * A language model in this process, on llama.cpp's CPU build. Text in, text out; replies can be held to a grammar.
 *
 * Calls share the work: a prompt that begins like an earlier one is read from where they part. So keep the beginning of
 * a conversation the same from turn to turn.
 *
 * @example
 * const engine = await LlamaCppEngine.load({ modelPath: (await resolveModel()).path });
 * const { text } = await engine.generate({ messages: [{ role: "user", content: "Say hello." }], maxTokens: 32 });
 * await engine.dispose();
 */
export class LlamaCppEngine {
  /** The model's name: the file's name, without ".gguf". */
  readonly modelName: string;
  /** How many threads it reads and writes with. */
  readonly threads: Threads;
  /** Tokens a prompt and its reply may have together. */
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
   * Loads a model. Throws LlamaCppError: `engine-unavailable`, `model-not-found`, `not-a-model`, `out-of-memory`,
   * `chat-template`, or `bad-option`.
   */
  static async load(options: EngineOptions): Promise<LlamaCppEngine> {
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
        // Costs memory in models with sliding windows; without it their prompts are read anew at every call.
        swaFullCache: true,
        ...(signal && { createSignal: signal }),
      });
      return new LlamaCppEngine(native, model, context, template, threads, onLog);
    } catch (error) {
      if (onLog) native.listeners.delete(onLog);
      await model?.dispose();
      throw error;
    }
  }

  private constructor(
    native: Native,
    model: LlamaModel,
    context: LlamaContext,
    template: ChatTemplate | undefined,
    threads: Threads,
    onLog: LogListener | undefined,
  ) {
    this.#native = native;
    this.#model = model;
    this.#context = context;
    this.#template = template;
    this.#onLog = onLog;
    this.threads = threads;
    this.contextSize = context.contextSize;
    this.modelName = basename(model.filename ?? "model").replace(/\.gguf$/i, "");
    this.#grammars = new GrammarCache(native);
    this.#pool = new SequencePool(Array.from({ length: context.totalSequences }, () => context.getSequence()));
  }

  /**
   * Generates one reply.
   *
   * Throws LlamaCppError: `context-overflow`, `grammar-refused`, `no-chat-template`, `chat-template`, `disposed`,
   * `generation`. An aborted call throws the signal's reason, at the latest after 128 more prompt tokens or one more
   * token of the reply; the engine stays usable.
   *
   * @example
   * await engine.generate({ messages, grammar: 'root ::= "yes" | "no"', onText: (text) => process.stdout.write(text) });
   */
  async generate(request: GenerateRequest): Promise<Generation> {
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

  /** What the reply ends before: where messages are written, also the beginning of the next one. */
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
    return new GenerationStream((onText, stop) =>
      this.generate({
        ...request,
        onText: (text, usage) => {
          request.onText?.(text, usage);
          onText(text);
        },
        signal: request.signal ? AbortSignal.any([request.signal, stop]) : stop,
      }),
    );
  }

  /** The prompt as the model gets it: the messages written with its chat template, and the prefill. */
  renderPrompt(messages: readonly TextMessage[], prefill = ""): string {
    return this.#render(messages, prefill)
      .map(({ text }) => text)
      .join("");
  }

  /** How many tokens a text has; names of control tokens in it count as text. */
  countTokens(text: string): number {
    this.#assertUsable();
    return this.#model.tokenize(text, false).length;
  }

  /** Frees the memory, when the calls that are running have ended. Calls in line, and later ones, throw `disposed`. */
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
    if (!(maxTokens >= 1)) throw new LlamaCppError("bad-option", `\`maxTokens\` is a number from 1, not ${maxTokens}.`);
    const room = this.contextSize - promptTokens;
    if (room >= 1) return Math.min(maxTokens, room);
    throw new LlamaCppError(
      "context-overflow",
      `The prompt has ${promptTokens} tokens, and the context holds ${this.contextSize}, the reply included. Shorten the prompt, or load the engine with a larger contextSize.`,
    );
  }

  /** Reads the prompt but for its last token, from where it parts from what the sequence knows. Gives that place. */
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

  /** The tokens the model writes after the prompt, until it is left. */
  async *#write(
    sequence: LlamaContextSequence,
    prompt: readonly Token[],
    request: GenerateRequest,
    seed: number,
    grammar: LlamaGrammar | undefined,
  ): AsyncGenerator<Token> {
    this.#native.threads.demand(sequence, sequence.context, this.threads.decode);
    const { LlamaGrammarEvaluationState } = this.#native.module;
    const lazy =
      grammar && request.triggers && new LazyGrammar(this.#native, this.#model, grammar, request.triggers, prompt);
    const whole = grammar &&
      !lazy && { grammarEvaluationState: new LlamaGrammarEvaluationState({ model: this.#model, grammar }) };
    const tokens = sequence.evaluate(prompt.slice(-1), {
      temperature: request.temperature ?? 0,
      topP: request.topP ?? 0.95,
      topK: request.topK ?? 40,
      minP: request.minP ?? 0,
      seed,
      yieldEogToken: true,
      ...(lazy ? { grammarEvaluationState: () => lazy.state } : whole),
    });
    try {
      for (let replaced: Token[] | undefined; ; ) {
        const { value, done } = await tokens.next(replaced).catch(generationFailed);
        if (done) return;
        replaced = this.#model.isEogToken(value) ? undefined : lazy?.push(value);
        if (replaced) yield* replaced;
        else yield value;
      }
    } finally {
      await tokens.return();
    }
  }
}

const disposed = () => new LlamaCppError("disposed", "The engine was disposed of. Load a new one.");

function generationFailed(cause: Error): never {
  throw new LlamaCppError("generation", `llama.cpp failed while generating: ${cause.message}`, { cause });
}
