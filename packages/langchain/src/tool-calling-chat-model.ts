import { CallbackManager, type CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type {
  BaseLanguageModelInput,
  LanguageModelLike,
  StructuredOutputMethodOptions,
} from "@langchain/core/language_models/base";
import {
  BaseChatModel,
  type BaseChatModelParams,
  type BindToolsInput,
  type LangSmithParams,
} from "@langchain/core/language_models/chat_models";
import type { ChatModelStreamEvent } from "@langchain/core/language_models/event";
import type { ModelProfile } from "@langchain/core/language_models/profile";
import type { Serialized } from "@langchain/core/load/serializable";
import type { AIMessageChunk, BaseMessage, MessageContent, UsageMetadata } from "@langchain/core/messages";
import type { ChatGenerationChunk, ChatResult } from "@langchain/core/outputs";
import { ensureConfig, type Runnable, type RunnableConfig, type RunnableInterface } from "@langchain/core/runnables";
import type { SerializableSchema } from "@langchain/core/utils/standard_schema";
import type { IterableReadableStream } from "@langchain/core/utils/stream";
import type { ZodV3Like, ZodV4Like } from "@langchain/core/utils/types";
import { generateWithTools, getProtocol, type Protocol, type ProtocolName, protocolForModel } from "@toolingua/core";
import {
  adapterDefaults,
  CLASS_NAMES,
  classNames,
  describeValue,
  inEitherCopy,
  type OpenedReplyOptions,
} from "@toolingua/core/adapters";
import { Answer } from "./answer/answer.js";
import { ChunkWriter, collect, resultOf } from "./answer/chunks.js";
import { readingText, withWrittenCalls } from "./answer/native-text.js";
import { TurnStream } from "./answer/turn-stream.js";
import { BoundModel } from "./bound-model.js";
import type { ToolCallingCallOptions } from "./call-options.js";
import {
  checkCallOptions,
  checkFields,
  checkToolCallingOptions,
  separateFields,
} from "./check-tool-calling-options.js";
import { ModelError } from "./errors.js";
import { forwarded } from "./inner/child-config.js";
import { constraintTarget } from "./inner/constraint-target.js";
import { hybridSelection } from "./inner/hybrid-selection.js";
import { streamInContext } from "./inner/in-context.js";
import { InnerModel } from "./inner/inner-model.js";
import {
  chatModelIn,
  configuration,
  describedModel,
  doesMoreOnInvoke,
  identityOf,
  inherited,
  modelName,
  toolsWithin,
} from "./inner/inner-runnable.js";
import { NativeModel } from "./inner/native/native-model.js";
import { type Asked, NativeReply, settles } from "./inner/native/native-reply.js";
import { messagesOf, streamsPlainly } from "./inner/open-stream.js";
import { Media } from "./messages/media.js";
import { combinedOutput, usageOf } from "./messages/message-fields.js";
import { toChatMessages, untrustedTextsIn } from "./messages/messages.js";
import type { ToolCallingOptions } from "./options.js";
import { serializedFields } from "./serialized.js";
import { answerFormatOf } from "./structured-output/answer-format.js";
import { type StructuredOutput, structuredOutput } from "./structured-output/structured-output.js";
import { bindableTools, boundDefinitions, givenTools, isForced, isFunctionTool, toChoice } from "./tools/tools.js";

/** The wrapped model, the options for tool calling, and the fields of every LangChain chat model. */
export interface ToolCallingChatModelFields extends ToolCallingOptions, BaseChatModelParams {
  model: LanguageModelLike;
}

/** The call options of a wrapped model `M`. */
export type InnerCallOptions<M> =
  M extends RunnableInterface<never, unknown, infer C extends RunnableConfig> ? C : RunnableConfig;

/**
 * A chat model with tool calling, on top of a model that only writes text.
 *
 * @example
 * const model = new ToolCallingChatModel({ model: new ChatOllama({ model: "gemma3" }), protocol: "xml" });
 * const reply = await model.bindTools([getWeather]).invoke("How is the weather in Oslo?");
 * reply.tool_calls; // [{ name: "get_weather", args: { city: "Oslo" }, id: "call_…", type: "tool_call" }]
 */
export class ToolCallingChatModel<C extends RunnableConfig = RunnableConfig> extends BaseChatModel<
  ToolCallingCallOptions<C>,
  AIMessageChunk
> {
  static override readonly name: string = "ToolCallingChatModel";

  override lc_namespace = ["toolingua", "langchain"];
  override lc_serializable = true;
  /** The wrapped model. */
  readonly inner: LanguageModelLike;
  readonly #fields: ToolCallingChatModelFields;
  readonly #options: Omit<ToolCallingOptions, "native" | "toolSelection">;
  readonly #selection: ReturnType<typeof hybridSelection> | undefined;
  readonly #native: NativeModel | undefined;

  /** Errors: those of {@link withToolCalling}. */
  constructor(fields: ToolCallingChatModelFields) {
    // A caller without types may give nothing at all.
    const { model, ...given } = fields ?? ({} as ToolCallingChatModelFields);
    if (typeof model?.invoke !== "function" || typeof model.stream !== "function") {
      const right = "`model` must be a LangChain chat model, or a runnable that ends in one";
      throw new ModelError("not-a-model", `${right}, not ${describeValue(model)}.`);
    }
    checkFields(fields);
    if (toolsWithin(model).some(isFunctionTool)) {
      throw new ModelError(
        "tools-bound",
        "Tools are bound to the inner model, and its calls would be lost. Bind them to the wrapper: " +
          "withToolCalling(model).bindTools(tools).",
      );
    }
    const { options, others } = separateFields(given);
    const { native, toolSelection, constraint = adapterDefaults.constraint, backend, grammar, ...how } = options;
    super({ ...inherited(chatModelIn(model)), ...others });
    this.inner = model;
    this.#fields = fields;
    this.#selection = toolSelection ? hybridSelection(model, toolSelection === true ? {} : toolSelection) : undefined;
    this.#native = native === "auto" ? new NativeModel(model) : undefined;
    const target = constraint === "off" ? undefined : constraintTarget(model, backend, constraint === "required");
    this.#options = { ...how, ...(target && { constraint, backend: target, grammar }) };
  }

  static override lc_name(): string {
    return "ToolCallingChatModel";
  }

  get [CLASS_NAMES](): string[] {
    return classNames(this, ToolCallingChatModel);
  }

  /** Wrappers of the CommonJS and of the ES module copy of this package are both instances. */
  static override readonly [Symbol.hasInstance] = inEitherCopy(() => ToolCallingChatModel);

  // LangChain calls this before the constructor's body runs, so it must not read a field.
  override _llmType(): string {
    return "tool-calling";
  }

  /**
   * The same model with other options; options not given here are kept.
   *
   * Errors: those of {@link withToolCalling}.
   *
   * @example
   * const streaming = model.withOptions({ onInvalidCall: "surface" });
   */
  withOptions(options: ToolCallingOptions): ToolCallingChatModel<C> {
    checkToolCallingOptions(options);
    return new ToolCallingChatModel<C>({ ...this.#fields, ...options });
  }

  /** The name of the wrapped model, if it has one. */
  get model(): string | undefined {
    return modelName(this.inner);
  }

  /** The form for LangChain's `load`: `load(json, { optionalImportsMap: { "toolingua/langchain": … } })`. */
  override toJSON(): Serialized {
    const { model, ...options } = this.#fields;
    const kwargs = serializedFields(model, options);
    return kwargs ? { lc: 1, type: "constructor", id: this.lc_id, kwargs } : this.toJSONNotImplemented();
  }

  override withConfig(config: Partial<ToolCallingCallOptions<C>>): BoundModel<C> {
    checkCallOptions(config);
    return new BoundModel<C>({ bound: this, kwargs: {}, config: config as RunnableConfig });
  }

  override bindTools(tools: BindToolsInput[], kwargs?: Partial<ToolCallingCallOptions<C>>): BoundModel<C> {
    const bindable = bindableTools(tools, getProtocol(this.#protocol()));
    toChoice(kwargs ?? {}, boundDefinitions(bindable));
    return this.withConfig({ ...kwargs, tools: bindable } as Partial<ToolCallingCallOptions<C>>);
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    const tools = this.#toolsOfItsOwn(options);
    const answer = tools && (await this.#native?.invoke(messages, tools, options, runManager));
    const native = answer && withWrittenCalls(answer, this.#reading(messages, options));
    const spent = usageOf(native);
    if (native && settles(native, this.#asked(options))) return resultOf(native, spent);
    const prompted = this.#answer(messages, options, runManager, spent, false);
    const message = await collect(prompted, this.#isV1(options));
    return resultOf(message, prompted.ending().usage);
  }

  /** Sums the tokens of several inputs. */
  override _combineLLMOutput(...outputs: (ChatResult["llmOutput"] | undefined)[]): Record<string, unknown> {
    return combinedOutput(outputs);
  }

  /** LangChain hides the configuration from a model, but a proxy of `initChatModel` needs it for each call. */
  protected override _separateRunnableConfigFromCallOptionsCompat(
    options?: Partial<ToolCallingCallOptions<C>>,
  ): [RunnableConfig, this["ParsedCallOptions"]] {
    if (options) checkCallOptions(options);
    const [config, call] = super._separateRunnableConfigFromCallOptionsCompat(options);
    const configurable = config.configurable && configuration(this.inner, config.configurable);
    return [config, configurable ? { ...call, configurable } : call];
  }

  /**
   * LangChain's own `stream`, except that the context of the run is set up once and not for each piece, and that no run
   * is created if nothing observes it.
   */
  override async stream(
    input: BaseLanguageModelInput,
    options?: Partial<ToolCallingCallOptions<C>>,
  ): Promise<IterableReadableStream<AIMessageChunk>> {
    const config: RunnableConfig = ensureConfig(options as RunnableConfig | undefined);
    const callOptions = config as Partial<ToolCallingCallOptions<C>>;
    // LangChain's `stream` races each piece with the signal.
    if (config.signal) return super.stream(input, callOptions);
    return streamInContext(config, () => {
      const [{ callbacks }, parsed] = this._separateRunnableConfigFromCallOptionsCompat(callOptions);
      const manager = CallbackManager.configure(callbacks, this.callbacks, [], [], {}, {}, { verbose: this.verbose });
      if (manager || this.#isV1(parsed) || !streamsPlainly(this)) return this._streamIterator(input, callOptions);
      const messages = BaseChatModel._convertInputToPromptValue(input).toChatMessages();
      return messagesOf(this._streamResponseChunks(messages, parsed));
    });
  }

  override _streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const isV1 = this.#isV1(options);
    const writer = new ChunkWriter({ blocks: isV1, wholeCalls: isV1 });
    return this.#turn(messages, options, runManager, writer).chunks(runManager);
  }

  override _streamChatModelEvents(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatModelStreamEvent> {
    const writer = new ChunkWriter({ blocks: true, wholeCalls: false });
    return this.#turn(messages, options, runManager, writer).events(options.signal);
  }

  #turn(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager: CallbackManagerForLLMRun | undefined,
    writer: ChunkWriter,
  ): TurnStream {
    const native = async () => {
      const tools = this.#toolsOfItsOwn(options);
      const pieces = tools && (await this.#native?.stream(messages, tools, options, runManager));
      return pieces && new NativeReply(readingText(pieces, this.#reading(messages, options)), this.#asked(options));
    };
    return new TurnStream(writer, native, (spent) => this.#answer(messages, options, runManager, spent, true));
  }

  /** The tools for native tool calling, if there are any and `native` allows it. */
  #toolsOfItsOwn(options: this["ParsedCallOptions"]): readonly BindToolsInput[] | undefined {
    const { tools = [], signal } = options as ToolCallingCallOptions;
    signal?.throwIfAborted();
    if (!this.#native || tools.length === 0 || this.#selection?.appliesTo(tools)) return undefined;
    return givenTools(tools);
  }

  /** The parser options for calls that a server left in the text of a native reply. */
  #reading(messages: BaseMessage[], { tools, tool_choice }: this["ParsedCallOptions"]): OpenedReplyOptions {
    const definitions = boundDefinitions(tools);
    const choice = toChoice({ tool_choice }, definitions).toolChoice;
    const { startWithReasoning, generateId } = this.#options;
    return {
      protocol: getProtocol(this.#protocol()),
      startWithReasoning,
      tools: choice === "none" ? [] : definitions,
      untrusted: this.#options.copiedCalls === "call" ? undefined : untrustedTextsIn(messages),
      generateId,
    };
  }

  #asked({ tool_choice, tools }: this["ParsedCallOptions"]): Asked {
    const forced = tool_choice !== undefined && isForced(toChoice({ tool_choice }, boundDefinitions(tools)).toolChoice);
    return { forced, surface: this.#options.onInvalidCall === "surface" };
  }

  #answer(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager: CallbackManagerForLLMRun | undefined,
    spent: UsageMetadata | undefined,
    streams: boolean,
  ): Answer {
    const whole = !streams && doesMoreOnInvoke(this.inner);
    const { tools, tool_choice, parallel_tool_calls, stop, signal } = options as ToolCallingCallOptions;
    const {
      maxInvalidCallRetries,
      onInvalidCall = adapterDefaults.onInvalidCall,
      prefill = adapterDefaults.prefill,
      ...how
    } = this.#options;
    const format = answerFormatOf(options);
    const definitions = boundDefinitions(tools);
    const media = new Media(chatModelIn(this.inner)?.profile);
    const { inner: model } = this;
    const inner = new InnerModel({ model, options, runManager, whole, media, backend: how.backend });
    inner.usage = spent;
    const choice = toChoice({ tool_choice, parallel_tool_calls }, definitions);
    inner.readsCalls = definitions.length > 0 && choice.toolChoice !== "none";
    const reply = generateWithTools({
      ...how,
      ...choice,
      protocol: this.#protocol(),
      model: inner.generate,
      messages: toChatMessages(messages, media),
      tools: definitions,
      onInvalidCall,
      // The answer parser accepts text instead of a call, and needs the partial object.
      onMissingCall: format.isCall ? "surface" : (how.onMissingCall ?? adapterDefaults.onMissingCall),
      liveCalls: format.isCall && streams,
      answersByCall: format.isCall,
      answerSchema: format.schema,
      liveAnswer: streams,
      maxInvalidCallRetries,
      prefill,
      toolSelection: this.#selection?.selection,
      stop,
      signal,
    });
    this.#selection?.follow(inner.generate, inner);
    return new Answer(reply, inner, onInvalidCall === "retry");
  }

  #protocol(): ProtocolName | Protocol {
    return this.#options.protocol ?? protocolForModel(modelName(this.inner) ?? "");
  }

  #isV1(options: { outputVersion?: unknown }): boolean {
    return (options.outputVersion ?? this.outputVersion) === "v1";
  }

  /** A model that answers with an object, see {@link structuredOutput}. */
  override withStructuredOutput<T extends object = Record<string, unknown>>(
    schema: SerializableSchema<T> | ZodV4Like<T> | ZodV3Like<T> | object,
    config?: StructuredOutputMethodOptions<false>,
  ): Runnable<BaseLanguageModelInput, T>;
  override withStructuredOutput<T extends object = Record<string, unknown>>(
    schema: SerializableSchema<T> | ZodV4Like<T> | ZodV3Like<T> | object,
    config?: StructuredOutputMethodOptions<true>,
  ): Runnable<BaseLanguageModelInput, { raw: BaseMessage; parsed: T }>;
  override withStructuredOutput(
    schema: Record<string, unknown>,
    config?: StructuredOutputMethodOptions<boolean>,
  ): StructuredOutput {
    return structuredOutput(this, schema, config);
  }

  override get callKeys(): string[] {
    const own = ["tools", "tool_choice", "parallel_tool_calls"];
    return [...new Set([...super.callKeys, ...(chatModelIn(this.inner)?.callKeys ?? []), ...own])];
  }

  override get profile(): ModelProfile {
    // Structured output uses tools: with `true`, createAgent would ask for JSON in the text instead.
    return { ...chatModelIn(this.inner)?.profile, toolCalling: true, toolChoice: true, structuredOutput: false };
  }

  override getLsParams(options: this["ParsedCallOptions"]): LangSmithParams {
    return describedModel(this.inner)?.getLsParams(options) ?? super.getLsParams(options);
  }

  override invocationParams(options?: this["ParsedCallOptions"]): Record<string, unknown> {
    const { tools, tool_choice, stop } = (options ?? {}) as ToolCallingCallOptions;
    return { ...chatModelIn(this.inner)?.invocationParams(forwarded(options ?? {})), tools, tool_choice, stop };
  }

  override _identifyingParams(): Record<string, unknown> {
    const { protocol: _, generateId: __, onTrace: ___, ...how } = this.#options;
    const protocol = this.#protocol();
    return {
      ...how,
      native: this.#native !== undefined,
      selection: this.#selection?.selection.options,
      protocol: typeof protocol === "string" ? protocol : protocol.name,
      inner: identityOf(this.inner),
    };
  }

  override getNumTokens(content: MessageContent): Promise<number> {
    return chatModelIn(this.inner)?.getNumTokens(content) ?? super.getNumTokens(content);
  }
}

/**
 * Adds tool calling to a chat model. The result works wherever LangChain expects a model with `bindTools`.
 *
 * `model`: any chat model, also with `withRetry`, `withFallbacks` or `withConfig`, or a chain that ends in one.
 *
 * Errors: `ModelError` (`not-a-model`, `tools-bound`, `no-constraint`), `OptionsError` (`bad-option`),
 * `ProtocolError` (`unknown-protocol`).
 *
 * @example
 * const agent = createAgent({ model: withToolCalling(new ChatOllama({ model: "gemma3" })), tools: [getWeather] });
 */
export function withToolCalling<M extends LanguageModelLike>(
  model: M,
  options: ToolCallingOptions = {},
): ToolCallingChatModel<InnerCallOptions<M>> {
  checkToolCallingOptions(options);
  return new ToolCallingChatModel<InnerCallOptions<M>>({ ...options, model });
}
