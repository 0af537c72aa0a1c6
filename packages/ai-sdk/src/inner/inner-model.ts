import {
  type ConstraintTarget,
  type FinishReason as CoreFinish,
  StopSequences,
  type TextModel,
  type TextModelChunk,
  type TextModelRequest,
  ToolinguaError,
} from "@toolingua/core";
import { callAsText, jsonObject } from "@toolingua/core/adapters";
import type { Marks } from "../messages/attachments.js";
import { merged } from "../messages/metadata.js";
import { toPrompt } from "../messages/prompt.js";
import type {
  CallOptions,
  Content,
  FinishReason,
  GenerateResult,
  LanguageModel,
  ProviderMetadata,
  StreamPart,
  StreamResult,
  Usage,
  Warning,
} from "../sdk.js";
import type { GivenTools } from "../tools/tools.js";
import { acceptedFormat, constrained } from "./constraint.js";
import { Deferred } from "./deferred.js";
import { stopSequences } from "./stop.js";
import { addUsage, toCoreUsage } from "./usage.js";

type CallPart = Extract<Content, { type: "tool-call" }>;
/** Parts that a stream has in pieces. */
type Block = "text" | "reasoning";

/** The parameters of a turn for the wrapped model. */
export interface Asking {
  model: LanguageModel;
  call: CallOptions;
  streamed: boolean;
  marks: Marks;
  provider: GivenTools["provider"];
  backend: ConstraintTarget | undefined;
}

/** With fields that may be set to `undefined`. */
type Settable<T> = { -readonly [K in keyof T]: T[K] | undefined };

/** The metadata of a request, known once the provider has answered. */
export type Opened = Pick<StreamResult, "request" | "response">;

/** The wrapped model as a text model, with the parts of its replies that are not text. */
export class InnerModel {
  /** The sum over all requests. */
  usage: Usage | undefined;
  /** The finish reason of the last reply: `other` if its stream ended without one; `undefined` if it was not read to its end. */
  finish: FinishReason | undefined;
  /** Those of the first reply: the others have the same settings, and a stream begins with its warnings. */
  readonly warnings: Warning[] = [];
  providerMetadata: ProviderMetadata | undefined;
  /** The metadata of the last request. */
  request: GenerateResult["request"];
  response: GenerateResult["response"];
  /** A call of a tool that the provider defines and the application runs was passed on. */
  called = false;
  /** The last reply has content that is neither text nor a source. */
  hasContent = false;
  #requests = 0;
  #passed: StreamPart[] = [];
  /** The ids of the calls whose arguments are passed on while they stream. */
  #inputs: Set<string> | undefined;
  /** Whether the open part of the reasoning has text. */
  #hasThought = false;
  /** How many parts of the reasoning had none. */
  #emptyThoughts = 0;
  /** The provider's metadata of the open parts, such as the signature of reasoning. */
  #metadata: Partial<Record<Block, ProviderMetadata | undefined>> = {};
  readonly #opened = new Deferred<Opened>();
  /** Settles once reading starts (`true`) or the reader leaves (`false`). */
  readonly #wanted = new Deferred<boolean>();
  #reader: ReadableStreamDefaultReader<StreamPart> | undefined;
  #isLeft = false;
  /** Ends a request after the first one: its reader may leave before it is answered. */
  #leaving: AbortController | undefined;

  constructor(private readonly asking: Asking) {}

  readonly generate: TextModel = (request) => (this.asking.streamed ? this.#streamed(request) : this.#whole(request));

  /** Resolves when the provider's first answer begins. The answer is not read before {@link read}. */
  get opened(): Promise<Opened> {
    return this.#opened.promise;
  }

  /** Whether {@link opened} is settled; later errors become a part of the stream. */
  isOpened = false;

  /** Starts reading. */
  read(): void {
    this.#wanted.resolve(true);
  }

  /** The reader leaves: ends the request at once, even while the model is silent, and sends no other. */
  async leave(): Promise<void> {
    this.#isLeft = true;
    this.#wanted.resolve(false);
    this.#leaving?.abort(left());
    await this.#reader?.cancel();
  }

  /**
   * The parts since the last call that are not text, in order, with the start of each reply. Those of text and reasoning have
   * an empty id: they only say where the provider's own parts begin and end, and what it says about them.
   */
  takePassed(): readonly StreamPart[] {
    if (this.#passed.length === 0) return nothing;
    const passed = this.#passed;
    this.#passed = [];
    return passed;
  }

  spend(usage: Usage): void {
    this.usage = addUsage(this.usage, usage);
  }

  #whole(request: TextModelRequest): AsyncIterableIterator<TextModelChunk> {
    this.#begin();
    let chunks: Iterator<TextModelChunk, undefined> | undefined;
    const opened = async () => {
      const result = await this.asking.model.doGenerate(this.#options(request));
      this.#noteUsage(result.usage, result.providerMetadata);
      chunks = this.#chunksOf(result, request);
      return chunks.next();
    };
    return new Pieces(() => (chunks ? Promise.resolve(chunks.next()) : opened()));
  }

  /**
   * The chunks of a whole reply, in order, up to a stop sequence, where a stream ends too; parts that are not text are
   * passed on in their position.
   */
  *#chunksOf(result: GenerateResult, { stop }: TextModelRequest): Generator<TextModelChunk, undefined> {
    this.#noteWarnings(result.warnings);
    this.request = result.request;
    this.response = result.response;
    const stops = new StopSequences(stop);
    for (const part of result.content) {
      if (part.type === "reasoning" || part.type === "text") this.#start(part.type, undefined);
      if (part.type === "reasoning") {
        this.#hasThought = part.text !== "";
        yield { reasoning: part.text };
      } else if (part.type === "text" || this.#isReadCall(part)) {
        const { text, stopped } = stops.push(part.type === "text" ? part.text : asWritten(part));
        if (text !== "") yield text;
        if (stopped) return undefined;
      } else this.#pass(part);
      if (part.type === "reasoning" || part.type === "text") {
        const { type, text: _, ...about } = part;
        this.#finish(type, about);
      }
    }
    const rest = stops.end();
    if (rest !== "") yield rest;
    yield this.#end(result.usage, result.finishReason);
    return undefined;
  }

  #streamed(request: TextModelRequest): AsyncIterableIterator<TextModelChunk> {
    this.#begin();
    const stops = new StopSequences(request.stop);
    const ready: TextModelChunk[] = [];
    let reader: ReadableStreamDefaultReader<StreamPart> | undefined;
    let isRead = false;
    const flush = () => {
      const rest = stops.end();
      if (rest !== "") ready.push(rest);
    };
    const take = (part: StreamPart): void => {
      if (part.type === "text-delta" || this.#isReadCall(part)) {
        if (part.type === "text-delta") this.#noteMetadata("text", part.providerMetadata);
        const cut = stops.push(part.type === "text-delta" ? part.delta : asWritten(part));
        isRead = cut.stopped;
        if (cut.text !== "") ready.push(cut.text);
      } else if (part.type === "reasoning-delta") {
        this.#noteMetadata("reasoning", part.providerMetadata);
        this.#hasThought ||= part.delta !== "";
        ready.push({ reasoning: part.delta });
      } else if (part.type === "finish") {
        flush();
        this.#noteUsage(part.usage, part.providerMetadata);
        ready.push(this.#end(part.usage, part.finishReason));
      } else this.#note(part);
    };
    /** Closing the stream ends its request. */
    const close = async () => {
      isRead = true;
      this.#reader = undefined;
      await reader?.cancel();
      reader = undefined;
    };
    return new Pieces(async () => {
      try {
        for (;;) {
          const chunk = ready.shift();
          if (chunk !== undefined) return { done: false, value: chunk };
          if (isRead) {
            await close();
            return { done: true, value: undefined };
          }
          reader ??= await this.#open(request);
          const { done, value } = await reader.read();
          this.#checkReader();
          if (done) {
            isRead = true;
            // A connection that breaks off is no answer that stops; the SDK says so too.
            this.finish ??= { unified: "other", raw: undefined };
            reader.releaseLock();
            reader = undefined;
          } else take(value);
          if (isRead) flush();
        }
      } catch (error) {
        await close();
        throw error;
      }
    }, close);
  }

  /** Sends the request. The answer is not read before {@link read}. */
  async #open(request: TextModelRequest): Promise<ReadableStreamDefaultReader<StreamPart>> {
    const options = this.#options(request);
    if (this.isOpened) options.abortSignal = this.#untilLeft(request.signal);
    const { stream, request: sent, response } = await this.asking.model.doStream(options);
    this.request = sent;
    this.isOpened = true;
    this.#opened.resolve({ ...(sent && { request: sent }), ...(response && { response }) });
    const reader = stream.getReader();
    this.#reader = reader;
    await this.#wanted.promise;
    // The reader may have left before the request was answered.
    if (this.#isLeft) await reader.cancel();
    this.#checkReader();
    return reader;
  }

  #untilLeft(signal: AbortSignal | undefined): AbortSignal {
    this.#leaving ??= new AbortController();
    return signal ? AbortSignal.any([signal, this.#leaving.signal]) : this.#leaving.signal;
  }

  #checkReader(): void {
    if (this.#isLeft) throw left();
  }

  #begin(): void {
    this.#requests += 1;
    this.finish = undefined;
    this.hasContent = false;
    this.#metadata = {};
    this.#hasThought = false;
    this.#passed.push({ type: "stream-start", warnings: [] });
  }

  #noteWarnings(warnings: readonly Warning[]): void {
    if (this.#requests === 1) this.warnings.push(...warnings);
  }

  #noteUsage(usage: Usage, metadata: ProviderMetadata | undefined): void {
    if (metadata) this.providerMetadata = metadata;
    this.spend(usage);
  }

  #end(usage: Usage, finish: FinishReason): TextModelChunk {
    this.finish = finish;
    const { unified } = finish;
    const end: CoreFinish = unified === "length" || unified === "content-filter" ? unified : "stop";
    const spent = toCoreUsage(usage);
    const chunk = { finish: end, content: this.hasContent };
    return spent ? { ...chunk, usage: spent } : chunk;
  }

  /** Handles a part that is neither text nor the end. */
  #note(part: StreamPart): void {
    switch (part.type) {
      case "text-start":
        return this.#start("text", part.providerMetadata);
      case "reasoning-start":
        return this.#start("reasoning", part.providerMetadata);
      case "text-end":
      case "reasoning-end": {
        const { type, id: _, ...about } = part;
        return this.#finish(type === "text-end" ? "text" : "reasoning", about);
      }
      case "stream-start":
        return this.#noteWarnings(part.warnings);
      case "error":
        throw part.error;
      case "tool-input-start":
        if (!part.providerExecuted && !this.#isProviders(part.toolName) && !this.#inputs?.has(part.id)) return;
        this.#inputs ??= new Set();
        this.#inputs.add(part.id);
        this.#passed.push(part);
        return;
      case "tool-input-delta":
      case "tool-input-end":
        if (this.#inputs?.has(part.id)) this.#passed.push(part);
        return;
      default:
        this.#pass(part);
    }
  }

  #pass(part: StreamPart): void {
    if (part.type === "tool-call" && !part.providerExecuted) this.called = true;
    this.hasContent ||= hasContent(part) && part.type !== "source";
    this.#passed.push(part);
  }

  #start(type: Block, metadata: ProviderMetadata | undefined): void {
    this.#metadata[type] = metadata;
    if (type === "reasoning") this.#hasThought = false;
    this.#passed.push({ type: `${type}-start`, id: "" });
  }

  #noteMetadata(type: Block, metadata: ProviderMetadata | undefined): void {
    if (metadata) this.#metadata[type] = merged([this.#metadata[type] ?? {}, metadata]);
  }

  #finish(type: Block, about: { providerMetadata?: ProviderMetadata }): void {
    this.#noteMetadata(type, about.providerMetadata);
    const providerMetadata = this.#metadata[type];
    const all = providerMetadata ? { ...about, providerMetadata } : about;
    if (type === "text" || this.#hasThought) this.#passed.push({ type: `${type}-end`, id: "", ...all });
    else if (providerMetadata) this.#passEmptyThought({ providerMetadata });
    this.#metadata[type] = undefined;
    this.#hasThought = false;
  }

  /** A part of the reasoning without text is passed on for its metadata, as Anthropic's redacted thinking. */
  #passEmptyThought(about: { providerMetadata: ProviderMetadata }): void {
    const id = `empty-${this.#emptyThoughts++}`;
    this.#passed.push({ type: "reasoning-start", id }, { type: "reasoning-end", id, ...about });
  }

  #isProviders(name: string): boolean {
    return this.asking.provider.some((tool) => tool.name === name);
  }

  /** Whether the server parsed this call from the reply although it was given no tools; it is then read as text. */
  #isReadCall(part: StreamPart | Content): part is CallPart {
    return part.type === "tool-call" && !part.providerExecuted && !this.#isProviders(part.toolName);
  }

  #options(request: TextModelRequest): CallOptions {
    const { model, call, marks, provider, backend } = this.asking;
    const { toolChoice, responseFormat } = call;
    const stop = stopSequences(call.stopSequences, request.stop);
    const constraints = constrained(model, backend, request, call.providerOptions);
    const named = toolChoice?.type === "tool" && this.#isProviders(toolChoice.toolName);
    const hasTools = (call.tools?.length ?? 0) > provider.length;
    const hasChoice = provider.length > 0 && (named || toolChoice?.type === "none");
    // The SDK sets all these fields. In a copy they are set twice as fast as in a literal with a spread object.
    const options: Settable<CallOptions> = { ...call };
    options.prompt = toPrompt(request.messages, marks, request.prefill);
    options.stopSequences = stop.length > 0 ? stop : undefined;
    options.tools = provider.length > 0 ? provider : undefined;
    options.toolChoice = hasChoice ? toolChoice : undefined;
    options.responseFormat = hasTools ? undefined : acceptedFormat(model, responseFormat);
    options.abortSignal = request.signal;
    // The types of the SDK forbid `undefined`, which the SDK itself passes.
    return (constraints ? Object.assign(options, constraints) : options) as CallOptions;
  }
}

const nothing: readonly StreamPart[] = [];

const left = () => new ToolinguaError("turn-stopped", "The stream was cancelled by its reader.");

// `ping`: version 4 has it.
const WITHOUT_CONTENT = new Set<string>(["stream-start", "response-metadata", "raw", "ping"]);

/** Whether a part of a stream is content of the reply, and not only about it. */
export const hasContent = ({ type }: StreamPart): boolean => !WITHOUT_CONTENT.has(type);

/** An explicit iterator: an asynchronous generator costs three more promises per piece. */
class Pieces<T> implements AsyncIterableIterator<T> {
  constructor(
    readonly next: () => Promise<IteratorResult<T, undefined>>,
    private readonly close?: () => Promise<void>,
  ) {}

  async return(): Promise<IteratorResult<T, undefined>> {
    await this.close?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** A call as text, see {@link callAsText}. A call without arguments may have no input. */
const asWritten = ({ toolName, input }: CallPart): string =>
  callAsText(toolName, input.trim() === "" ? {} : (jsonObject(input) ?? input));
