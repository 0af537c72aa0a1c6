import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { LanguageModelLike } from "@langchain/core/language_models/base";
import {
  AIMessage,
  type BaseMessage,
  type ContentBlock,
  isBaseMessage,
  mergeUsageMetadata,
  type UsageMetadata,
} from "@langchain/core/messages";
import {
  type ConstraintTarget,
  type FinishReason,
  StopSequences,
  type TextModel,
  type TextModelChunk,
  type TextModelRequest,
  type Usage,
} from "@toolingua/core";
import { describeValue, estimateTokens } from "@toolingua/core/adapters";
import { ModelError } from "../errors.js";
import { finishOf, isPiece } from "../messages/finish-of.js";
import { isMedia, type Media } from "../messages/media.js";
import { joinedKwargs, joinedMetadata, usageOf } from "../messages/message-fields.js";
import { fromTextMessages, readAnswer } from "../messages/messages.js";
import type { BoundTool } from "../tools/tools.js";
import { childConfig, forwarded } from "./child-config.js";
import { asWritten, GivenCalls } from "./native/given-calls.js";
import type { NativeModel } from "./native/native-model.js";
import { openStream } from "./open-stream.js";
import { asCallOptions } from "./request-fields.js";

type Fields = Record<string, unknown>;

/** The wrapped model, and how a turn calls it. */
interface Setting {
  model: LanguageModelLike;
  /** The options of the call of the wrapper. */
  options: Fields;
  runManager: CallbackManagerForLLMRun | undefined;
  /** Request the answer in one piece: `withRetry` and `withFallbacks` only recover from errors there. */
  whole: boolean;
  media: Media;
  /** The backend that enforces a constraint. */
  backend: ConstraintTarget | undefined;
}

/**
 * The wrapped model as a `TextModel` for one turn, with its usage and metadata at the end.
 *
 * It is called through its public API, so that its own bindings, retries, fallbacks, callbacks and tracing apply.
 */
export class InnerModel {
  /** Tokens of every request of the turn; undefined when the model reports none. */
  usage: UsageMetadata | undefined;
  /** `response_metadata` of the last request. */
  metadata: Fields = {};
  /** Images and other media that the last request returned in addition to text. */
  made: ContentBlock[] = [];
  /** Whether the turn accepts calls that the server parsed from the reply. */
  readsCalls = false;
  /** Fields of the last reply outside its content: a refusal, citations. */
  kwargs: Fields = {};
  name: string | undefined;
  /** The finish reason of the last request, if the model reports one. */
  finish: FinishReason | undefined;
  /** Tokens of the last request. */
  #spent: UsageMetadata | undefined;
  /** A request was stopped before the model reported its tokens: {@link usage} contains an estimate. */
  usageEstimated = false;
  #given = new GivenCalls();
  /** Whether the last reply came in pieces. */
  #isStreamed = false;

  constructor(private readonly setting: Setting) {}

  /** The id of the wrapper's run. */
  get runId(): string | undefined {
    return this.setting.runManager?.runId;
  }

  readonly generate: TextModel = (request) => this.#generate(request);

  /** Asks the model once by native tool calling; `undefined` if it has none. */
  async call(native: NativeModel, messages: BaseMessage[], tool: BoundTool): Promise<BaseMessage | undefined> {
    const { options, runManager } = this.setting;
    const forced = { ...forwarded(options), tool_choice: tool.function.name };
    const answer = await native.invoke(messages, [tool], forced, runManager);
    const usage = usageOf(answer);
    if (usage) this.usage = mergeUsageMetadata(this.usage, usage);
    return answer;
  }

  async *#generate(request: TextModelRequest): AsyncGenerator<TextModelChunk> {
    const { model, options, runManager, whole, media, backend } = this.setting;
    request.signal?.throwIfAborted();
    this.metadata = {};
    this.made = [];
    this.finish = undefined;
    this.#spent = undefined;
    this.#given = new GivenCalls();
    this.#isStreamed = false;
    this.kwargs = {};
    this.name = undefined;
    const stops = new StopSequences(request.stop);
    const messages = fromTextMessages(request.messages, media);
    if (request.prefill !== undefined) messages.push(new AIMessage(request.prefill));
    const { signal, constraint, fields } = request;
    const constrained = fields && backend && asCallOptions(backend, fields);
    const own = { ...(signal && { signal }), ...(constraint && { constraint }), ...constrained };
    const config = childConfig(forwarded(options), runManager, own);
    const answer = await openStream(model, messages, config, whole);
    let done = false;
    let stopped = false;
    let failed = false;
    let written = 0;
    try {
      while (!stopped) {
        const next = await answer.next();
        done = next.done === true;
        if (next.done) break;
        const said = typeof next.value === "string" ? { text: next.value, reasoning: "" } : this.#read(next.value);
        written += said.text.length + said.reasoning.length;
        if (said.reasoning !== "") yield { reasoning: said.reasoning };
        if (said.text === "") continue;
        const cut = stops.push(said.text);
        stopped = cut.stopped;
        if (cut.text !== "") yield cut.text;
      }
    } catch (error) {
      failed = true;
      throw error;
    } finally {
      // Closing the stream ends its request.
      if (!done) {
        if (!failed) this.#estimate(messages, written);
        await answer.return();
      }
    }
    const rest = stops.end();
    if (rest !== "") yield rest;
    if (done) this.finish = finishOf(this.metadata, this.#isStreamed);
    if (done && this.readsCalls && this.#given.given) yield asWritten(this.#given.calls());
    yield this.#end();
  }

  /** Estimates the tokens of a reply that was stopped early: providers report them in the last piece. */
  #estimate(messages: readonly BaseMessage[], written: number): void {
    if (this.#spent) return;
    const input_tokens = estimateTokens(messages.reduce((sum, { text }) => sum + text.length, 0));
    const output_tokens = estimateTokens(written);
    this.#spent = { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
    this.usage = mergeUsageMetadata(this.usage, this.#spent);
    this.usageEstimated = true;
  }

  #end(): TextModelChunk {
    return { ...(this.#spent && { usage: toUsage(this.#spent) }), ...(this.finish && { finish: this.finish }) };
  }

  /** Returns the text and reasoning of a piece and stores its other fields. */
  #read(chunk: unknown): { text: string; reasoning: string } {
    if (!isBaseMessage(chunk)) {
      const message = `The wrapped runnable returned ${describeValue(chunk)}; a language model returns a message or a text.`;
      throw new ModelError("not-a-model", message);
    }
    const usage = usageOf(chunk);
    if (usage) {
      this.#spent = mergeUsageMetadata(this.#spent, usage);
      this.usage = mergeUsageMetadata(this.usage, usage);
    }
    this.#given.add(chunk);
    this.#isStreamed ||= isPiece(chunk);
    this.name = chunk.name ?? this.name;
    this.metadata = joinedMetadata(this.metadata, chunk.response_metadata);
    this.kwargs = joinedKwargs(this.kwargs, chunk.additional_kwargs);
    if (typeof chunk.content !== "string") this.made.push(...(chunk.content ?? []).filter(isMedia));
    return readAnswer(chunk);
  }
}

const toUsage = (usage: UsageMetadata): Usage => ({
  inputTokens: usage.input_tokens,
  outputTokens: usage.output_tokens,
  cacheReadTokens: usage.input_token_details?.cache_read,
  cacheWriteTokens: usage.input_token_details?.cache_creation,
  reasoningTokens: usage.output_token_details?.reasoning,
});
