import {
  type ConstraintTarget,
  type FinishReason as CoreFinish,
  StopSequences,
  type TextModel,
  type TextModelChunk,
  type TextModelRequest,
  ToolinguaError,
} from "@toolingua/core";
import { callAsText, isObject, keptJson } from "@toolingua/core/adapters";
import type { Marks } from "../messages/attachments.js";
import { merged } from "../messages/metadata.js";
import { toPrompt } from "../messages/prompt.js";
import { type Block, type BlockPart, blockOf, hasContent, partsOf } from "../parts.js";
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
  /**
   * The finish reason of the last reply: `other` if its stream ended without one; `undefined` if it was not read to its end.
   */
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

  readonly generate: TextModel = (request) => {
    this.#begin();
    return this.#chunks(this.asking.streamed ? this.#streamed(request) : this.#whole(request), request.stop);
  };

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

  /** A whole reply, as the parts of a stream. Its usage counts even if reading ends before its end. */
  #whole(request: TextModelRequest): PartSource {
    let parts: Iterator<StreamPart, undefined> | undefined;
    const ask = async () => {
      const result = await this.asking.model.doGenerate(this.#options(request));
      this.#noteUsage(result.usage, result.providerMetadata);
      this.request = result.request;
      this.response = result.response;
      parts = partsOf(result);
      return parts.next();
    };
    return { next: () => parts?.next() ?? ask(), close: async () => {} };
  }

  #streamed(request: TextModelRequest): PartSource {
    let reader: ReadableStreamDefaultReader<StreamPart> | undefined;
    const ask = async () => {
      reader = await this.#open(request);
      return reader.read();
    };
    const close = async () => {
      this.#reader = undefined;
      await reader?.cancel();
    };
    return { next: () => reader?.read() ?? ask(), close };
  }

  /** The chunks of a reply, in order, up to a stop sequence; parts that are not text are passed on in their position. */
  #chunks(source: PartSource, stop: string[] | undefined): AsyncIterableIterator<TextModelChunk> {
    const stops = new StopSequences(stop);
    const ready: TextModelChunk[] = [];
    let isRead = false;
    const flush = () => {
      const rest = stops.end();
      if (rest !== "") ready.push(rest);
    };
    const take = (part: StreamPart): void => {
      if (part.type === "text-delta" || this.#isReadCall(part)) {
        if (part.type === "text-delta") this.#noteMetadata(part);
        const cut = stops.push(part.type === "text-delta" ? part.delta : asWritten(part));
        isRead = cut.stopped;
        if (cut.text !== "") ready.push(cut.text);
      } else if (part.type === "reasoning-delta") {
        this.#noteMetadata(part);
        this.#hasThought ||= part.delta !== "";
        ready.push({ reasoning: part.delta });
      } else if (part.type === "finish") {
        flush();
        if (this.asking.streamed) this.#noteUsage(part.usage, part.providerMetadata);
        if (this.hasContent) ready.push({ content: true });
        ready.push(this.#end(part.usage, part.finishReason));
      } else this.#note(part);
    };
    /** Closing the stream ends its request. */
    const end = async (): Promise<IteratorReturnResult<undefined>> => {
      isRead = true;
      await source.close();
      return { done: true, value: undefined };
    };
    const next = async (): Promise<IteratorResult<TextModelChunk, undefined>> => {
      try {
        for (;;) {
          const chunk = ready.shift();
          if (chunk !== undefined) return { done: false, value: chunk };
          if (isRead) return await end();
          const step = source.next();
          const { done, value } = step instanceof Promise ? await step : step;
          this.#checkReader();
          if (done) {
            isRead = true;
            if (this.finish) continue;
            flush();
            // As the SDK says it, too.
            this.finish = { unified: "other", raw: undefined };
            ready.push({ finish: this.#coreFinish(this.finish) });
          } else take(value);
          if (isRead) flush();
        }
      } catch (error) {
        await end();
        throw error;
      }
    };
    // An asynchronous generator costs three more promises per piece.
    const chunks: AsyncIterableIterator<TextModelChunk> = { next, return: end, [Symbol.asyncIterator]: () => chunks };
    return chunks;
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

  #noteUsage(usage: Usage, metadata: ProviderMetadata | undefined): void {
    if (metadata) this.providerMetadata = metadata;
    this.spend(usage);
  }

  #end(usage: Usage, finish: FinishReason): TextModelChunk {
    this.finish = finish;
    const end = this.#coreFinish(finish);
    const spent = toCoreUsage(usage);
    return spent ? { finish: end, usage: spent } : { finish: end };
  }

  /**
   * The finish reason in the core's terms. A stream that ends without one was cut off, as at the token limit: a call without
   * its end is incomplete.
   */
  #coreFinish(finish: FinishReason): CoreFinish {
    const { unified } = finish;
    if (this.asking.streamed && isUnknown(finish)) return "length";
    return unified === "length" || unified === "content-filter" ? unified : "stop";
  }

  /** Handles a part that is neither text nor the end. */
  #note(part: StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        return this.#start(part);
      case "text-end":
      case "reasoning-end":
        return this.#finish(part);
      case "stream-start":
        if (this.#requests === 1) this.warnings.push(...part.warnings);
        return;
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

  #start(part: BlockPart): void {
    const type = blockOf(part);
    this.#metadata[type] = part.providerMetadata;
    if (type === "reasoning") this.#hasThought = false;
    this.#passed.push({ ...part, id: "" });
  }

  #noteMetadata(part: BlockPart): void {
    const type = blockOf(part);
    if (part.providerMetadata) this.#metadata[type] = merged([this.#metadata[type] ?? {}, part.providerMetadata]);
  }

  #finish(part: BlockPart): void {
    this.#noteMetadata(part);
    const type = blockOf(part);
    const providerMetadata = this.#metadata[type];
    const end = { ...part, id: "" };
    if (providerMetadata) end.providerMetadata = providerMetadata;
    this.#metadata[type] = undefined;
    if (type === "text" || this.#hasThought) this.#passed.push(end);
    else if (providerMetadata) {
      // Passed on for its metadata, as Anthropic's redacted thinking.
      const id = `empty-${this.#emptyThoughts++}`;
      this.#passed.push({ type: "reasoning-start", id }, { ...end, id });
    }
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

/** Whether a provider has no finish reason; that is how it says that its stream ended without one. */
export const isUnknown = ({ unified, raw }: FinishReason): boolean => unified === "other" && raw === undefined;

const left = () => new ToolinguaError("turn-stopped", "The stream was cancelled by its reader.");

type PartStep = IteratorResult<StreamPart, StreamPart | undefined>;

/** The parts of one reply, and how its request ends early. */
interface PartSource {
  next(): Promise<PartStep> | PartStep;
  close(): Promise<void>;
}

/** A call as text, see {@link callAsText}. A call without arguments may have no input. */
const asWritten = ({ toolName, input }: CallPart): string => {
  const args = input.trim() === "" ? {} : keptJson(input);
  return callAsText(toolName, isObject(args) ? args : input);
};
