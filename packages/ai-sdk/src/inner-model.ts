import {
  type ConstraintTarget,
  type FinishReason as CoreFinish,
  protocols,
  StopSequences,
  type TextModel,
  type TextModelChunk,
  type TextModelRequest,
  ToolinguaError,
} from "@toolingua/core";
import { constrained } from "./constraint.js";
import { Deferred } from "./deferred.js";
import { type Marks, toPrompt } from "./prompt.js";
import type {
  CallOptions,
  Content,
  FinishReason,
  GenerateResult,
  LanguageModel,
  StreamPart,
  StreamResult,
  Usage,
  Warning,
} from "./sdk.js";
import { stopSequences } from "./stop.js";
import type { GivenTools } from "./tools.js";
import { addUsage } from "./usage.js";

type CallPart = Extract<Content, { type: "tool-call" }>;

/** What a turn asks the wrapped model with. */
export interface Asking {
  model: LanguageModel;
  call: CallOptions;
  streamed: boolean;
  marks: Marks;
  provider: GivenTools["provider"];
  backend: ConstraintTarget | undefined;
}

/** What is known of a request once the provider has answered it. */
export type Opened = Pick<StreamResult, "request" | "response">;

/** The wrapped model as a text model, and what its replies bring besides text. */
export class InnerModel {
  /** Of all requests together. */
  usage: Usage | undefined;
  /** Why the last reply ended; `undefined` where it was not read to its end. */
  finish: FinishReason | undefined;
  readonly warnings: Warning[] = [];
  providerMetadata: GenerateResult["providerMetadata"];
  /** What the provider says of the reasoning, such as its signature. */
  reasoningMetadata: GenerateResult["providerMetadata"];
  /** Of the last request. */
  request: GenerateResult["request"];
  response: GenerateResult["response"];
  /** A call of a tool that the provider defines and the application runs was passed on. */
  called = false;
  #passed: StreamPart[] = [];
  readonly #opened = new Deferred<Opened>();
  /** Whether somebody reads; `false`: the reader has left. */
  readonly #wanted = new Deferred<boolean>();
  #reader: ReadableStreamDefaultReader<StreamPart> | undefined;
  #isLeft = false;

  constructor(private readonly asking: Asking) {}

  readonly generate: TextModel = (request) => (this.asking.streamed ? this.#streamed(request) : this.#whole(request));

  /** The first answer of the provider has begun. Nothing of it is read before {@link read}. */
  get opened(): Promise<Opened> {
    return this.#opened.promise;
  }

  /** Whether {@link opened} is settled: what goes wrong from then on is a part of the stream. */
  isOpened = false;

  /** Somebody reads. */
  read(): void {
    this.#wanted.resolve(true);
  }

  /** The reader leaves: the request ends at once, also while the model is silent, and there is no other. */
  async leave(): Promise<void> {
    this.#isLeft = true;
    this.#wanted.resolve(false);
    await this.#reader?.cancel();
  }

  /** What came besides text since the last time, in order. */
  passed(): StreamPart[] {
    const passed = this.#passed;
    this.#passed = [];
    return passed;
  }

  spend(usage: Usage): void {
    this.usage = addUsage(this.usage, usage);
  }

  async *#whole(request: TextModelRequest): AsyncGenerator<TextModelChunk> {
    this.#begin();
    const {
      content,
      finishReason,
      usage,
      warnings,
      providerMetadata,
      request: sent,
      response,
    } = await this.asking.model.doGenerate(this.#options(request));
    this.warnings.push(...warnings);
    this.request = sent;
    this.response = response;
    const stops = new StopSequences(request.stop);
    let stopped = false;
    for (const part of content) {
      if (part.type === "reasoning") {
        this.#noteReasoning(part.providerMetadata);
        yield { reasoning: part.text };
      } else if (part.type === "text" || this.#isReadCall(part)) {
        if (stopped) continue;
        const cut = stops.push(part.type === "text" ? part.text : asWritten(part));
        stopped = cut.stopped;
        if (cut.text !== "") yield cut.text;
      } else this.#pass(part);
    }
    const rest = stops.end();
    if (rest !== "") yield rest;
    yield this.#end(usage, finishReason, providerMetadata);
  }

  async *#streamed(request: TextModelRequest): AsyncGenerator<TextModelChunk> {
    this.#begin();
    const { stream, request: sent, response } = await this.asking.model.doStream(this.#options(request));
    this.request = sent;
    this.isOpened = true;
    this.#opened.resolve({ ...(sent && { request: sent }), ...(response && { response }) });
    const reader = stream.getReader();
    this.#reader = reader;
    let done = false;
    try {
      await this.#wanted.promise;
      this.#checkReader();
      const stops = new StopSequences(request.stop);
      let stopped = false;
      while (!stopped) {
        const next = await reader.read();
        this.#checkReader();
        done = next.done;
        if (next.done) break;
        const part = next.value;
        if (part.type === "text-delta" || this.#isReadCall(part)) {
          const cut = stops.push(part.type === "text-delta" ? part.delta : asWritten(part));
          stopped = cut.stopped;
          if (cut.text !== "") yield cut.text;
        } else if (part.type === "reasoning-delta") yield { reasoning: part.delta };
        else if (part.type === "finish") {
          const rest = stops.end();
          if (rest !== "") yield rest;
          yield this.#end(part.usage, part.finishReason, part.providerMetadata);
        } else this.#note(part);
      }
      const rest = stops.end();
      if (rest !== "") yield rest;
    } finally {
      // With the stream ends the request behind it.
      this.#reader = undefined;
      if (done) reader.releaseLock();
      else await reader.cancel();
    }
  }

  #checkReader(): void {
    if (this.#isLeft) throw new ToolinguaError("turn-stopped", "The stream was cancelled by its reader.");
  }

  #begin(): void {
    this.finish = undefined;
    this.reasoningMetadata = undefined;
  }

  #end(usage: Usage, finish: FinishReason, metadata: GenerateResult["providerMetadata"]): TextModelChunk {
    this.finish = finish;
    if (metadata) this.providerMetadata = metadata;
    this.spend(usage);
    const [input, output] = [usage.inputTokens.total, usage.outputTokens.total];
    const isKnown = input !== undefined && output !== undefined;
    const end: CoreFinish = finish.unified === "length" ? "length" : "stop";
    return { finish: end, ...(isKnown && { usage: { inputTokens: input, outputTokens: output } }) };
  }

  /** A part that is neither text nor the end. */
  #note(part: StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "text-end":
        return;
      case "reasoning-start":
      case "reasoning-end":
        return this.#noteReasoning(part.providerMetadata);
      case "stream-start":
        this.warnings.push(...part.warnings);
        return;
      case "error":
        throw part.error;
      case "tool-input-start":
        if (part.providerExecuted || this.#isProviders(part.toolName)) this.#inputs.add(part.id);
        if (this.#inputs.has(part.id)) this.#passed.push(part);
        return;
      case "tool-input-delta":
      case "tool-input-end":
        if (this.#inputs.has(part.id)) this.#passed.push(part);
        return;
      default:
        this.#pass(part);
    }
  }

  /** The calls whose arguments are passed on. */
  readonly #inputs = new Set<string>();

  #pass(part: StreamPart): void {
    if (part.type === "tool-call" && !part.providerExecuted) this.called = true;
    this.#passed.push(part);
  }

  #noteReasoning(metadata: GenerateResult["providerMetadata"]): void {
    if (metadata) this.reasoningMetadata = { ...this.reasoningMetadata, ...metadata };
  }

  #isProviders(name: string): boolean {
    return this.asking.provider.some((tool) => tool.name === name);
  }

  /** A server may read calls out of a reply though it was given no tools: those are read here, as if they stood in the text. */
  #isReadCall(part: StreamPart | Content): part is CallPart {
    return part.type === "tool-call" && !part.providerExecuted && !this.#isProviders(part.toolName);
  }

  #options(request: TextModelRequest): CallOptions {
    const { model, call, marks, provider, backend } = this.asking;
    const { tools: _, toolChoice, responseFormat, stopSequences: theirs, abortSignal: __, ...rest } = call;
    const stop = stopSequences(theirs, request.stop);
    const held = constrained(model, backend, request, call.providerOptions);
    const named = toolChoice?.type === "tool" && this.#isProviders(toolChoice.toolName);
    const hasTools = (call.tools?.length ?? 0) > provider.length;
    return {
      ...rest,
      prompt: toPrompt(request.messages, marks, request.prefill),
      ...(stop.length > 0 && { stopSequences: stop }),
      ...(provider.length > 0 && { tools: provider, ...((named || toolChoice?.type === "none") && { toolChoice }) }),
      ...(responseFormat && !hasTools && { responseFormat }),
      ...held,
      ...(request.signal && { abortSignal: request.signal }),
    };
  }
}

/** A call as a model would have written it. In Hermes' format, which is read beside every other. */
function asWritten({ toolName, input }: CallPart): string {
  const broken = `<tool_call>\n{"name": ${JSON.stringify(toolName)}, "arguments": ${input}`;
  try {
    const args: unknown = input.trim() === "" ? {} : JSON.parse(input);
    const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
    return isObject
      ? protocols.hermes.renderCalls([{ name: toolName, arguments: { ...args } }], { tools: [] })
      : broken;
  } catch {
    return broken;
  }
}
