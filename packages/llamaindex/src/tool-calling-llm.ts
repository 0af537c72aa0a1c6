import {
  type BaseTool,
  type ChatResponse,
  type ChatResponseChunk,
  type LLM,
  type LLMChatParamsNonStreaming,
  type LLMChatParamsStreaming,
  type LLMMetadata,
  ToolCallLLM,
  type ToolCallLLMMessageOptions,
} from "@llamaindex/core/llms";
import type { ZodInfer, ZodSchema } from "@llamaindex/core/zod";
import {
  type ChatMessage,
  type GenerateOptions,
  generateWithTools,
  getProtocol,
  type Protocol,
  type ProtocolName,
  protocolForModel,
  readToolChoice,
  type ToolChoice,
  type ToolDefinition,
  ToolSelection,
  type ToolSelectionOptions,
  type ToolStyle,
} from "@toolingua/core";
import { CLASS_NAMES, classNames, inEitherCopy } from "@toolingua/core/adapters";
import { type AnswerOptions, answerChunks, collect } from "./answer.js";
import { watchToolResults } from "./calls.js";
import { checkOptions } from "./check-options.js";
import { ModelError, ToolBindingError } from "./errors.js";
import { type Executed, type ExecutedStream, execute, executeStream } from "./exec.js";
import { InnerLLM } from "./inner-llm.js";
import { toChatMessages } from "./messages.js";
import { outputDefinition } from "./structured-output.js";
import { isAnswerTool } from "./tool-conversion.js";
import { callableDefinitions } from "./tools.js";

/** How a model is given tools. */
export interface ToolCallingOptions {
  /** The wire format. Default: the one the model was trained on, by its name; else `xml`. */
  protocol?: ProtocolName | Protocol | undefined;
  /** How tools are shown in the prompt. Default: the protocol's way. */
  style?: ToolStyle | undefined;
  /**
   * What becomes of a call that is wrong; it never runs. `retry` (default): the model is told and asked again. `surface`:
   * it is not. Either way what is wrong in the end stands in the message's `options.invalidToolCall`, and in the text if
   * there is nothing else. `throw`: an error, which in LlamaIndex's agents ends the process.
   */
  onInvalidCall?: "retry" | "surface" | "throw" | undefined;
  /**
   * What becomes of a call that must come (`tool_choice`) and did not, when the model was asked again. `surface` (default):
   * what it said is the answer, as of a model with tool calling of its own. `throw`: a `ToolChoiceError`.
   */
  onMissingCall?: GenerateOptions["onMissingCall"];
  /** How often the model is asked again under `retry`, from 0. Default 2. */
  maxInvalidCallRetries?: number | undefined;
  /**
   * How often the same call may come again in one reply; the next time it is left out and ends the reply, which
   * `options.repeatedCall` tells. From 0; default 1, and 0 where the reply is held to calls.
   */
  maxRepeatedCalls?: number | undefined;
  /**
   * What a call is that is copied from a user's message or a result, white space and escapes apart. `text` (default): text,
   * since the model only repeats what somebody else wrote. `call`: a call.
   */
  copiedCalls?: "text" | "call" | undefined;
  /** How many rounds of tool calls may follow a user's message; then the model must answer. From 1; default 20. */
  maxToolRounds?: number | undefined;
  /**
   * Whether calls are held to their form by a grammar, which the wrapped LLM is sent as the chat option `constraint`. `auto`:
   * where the protocol has one; a call that may come, from where it begins. `required`: an error where a call must come
   * and the protocol has none. `fallback`: only when the model is asked again. Default `off`.
   */
  constraint?: GenerateOptions["constraint"];
  /**
   * What the grammar bounds that schemas leave open, such as `{ maxItems: 10 }`: small models repeat items until their
   * tokens end. Default: only how deep values nest.
   */
  grammar?: GenerateOptions["grammar"];
  /** The model goes on from an assistant message that stands last. Default `false`. */
  prefill?: boolean | undefined;
  /** Writes what was said as one text, such as `pmlTranscript()` of `@toolingua/pml`. Default: messages in turn. */
  transcript?: GenerateOptions["transcript"];
  /** For many tools: the model is shown those a conversation needs, and can ask for more. Default: all. */
  toolSelection?: true | Pick<ToolSelectionOptions, "from" | "limit"> | undefined;
  /** Makes the ids of calls. */
  generateId?: (() => string) | undefined;
  /**
   * Is called with the events of each turn: requests, raw replies, what was read in them, and the reasons for repairs. It
   * must not throw. `TOOLINGUA_DEBUG=1` writes the same to the console.
   */
  onTrace?: GenerateOptions["onTrace"];
}

/** Chat options beside those of the wrapped LLM. */
export interface ToolCallingChatOptions {
  /** Whether and what the model must call, in any provider's spelling: `"required"`, a tool's name, OpenAI's object, … */
  tool_choice?: string | object | undefined;
  /** `false`: one call at a time. */
  parallel_tool_calls?: boolean | undefined;
}

type Params<O extends object> =
  | LLMChatParamsStreaming<O & ToolCallingChatOptions, ToolCallLLMMessageOptions>
  | LLMChatParamsNonStreaming<O & ToolCallingChatOptions, ToolCallLLMMessageOptions>;

/**
 * An LLM that calls tools, on top of one that only writes text.
 *
 * @example
 * const llm = new ToolCallingLLM(new Ollama({ model: "gemma3" }), { protocol: "xml" });
 * const { message } = await llm.chat({ messages: [{ role: "user", content: "How is the weather in Oslo?" }], tools });
 * message.options; // { toolCall: [{ id: "call_…", name: "get_weather", input: { city: "Oslo" } }] }
 */
export class ToolCallingLLM<O extends object = object> extends ToolCallLLM<
  O & ToolCallingChatOptions,
  ToolCallLLMMessageOptions
> {
  readonly supportToolCall = true;
  /** The wrapped LLM. */
  readonly inner: LLM;
  readonly #options: ToolCallingOptions;
  readonly #selection: ToolSelection | undefined;

  /** Errors: `ModelError` (`not-a-model`), `OptionsError` (`bad-option`), `ProtocolError` (`unknown-protocol`). */
  constructor(llm: LLM<O>, options: ToolCallingOptions = {}) {
    super();
    if (typeof llm?.chat !== "function" || !llm.metadata) {
      throw new ModelError("not-a-model", "`llm` must be an LLM of LlamaIndex: an object with `chat` and `metadata`.");
    }
    checkOptions(options);
    this.inner = llm as LLM;
    const { toolSelection, ...how } = options;
    this.#options = how;
    this.#selection = toolSelection && new ToolSelection(toolSelection === true ? {} : toolSelection);
  }

  get [CLASS_NAMES](): string[] {
    return classNames(this, ToolCallingLLM);
  }

  /** A wrapper of this package loaded as CommonJS beside the ES module, or the other way round, is one, too. */
  static override readonly [Symbol.hasInstance] = inEitherCopy(() => ToolCallingLLM);

  /** The wrapped LLM's; structured output is there for every model, by a tool. */
  get metadata(): LLMMetadata {
    return { ...this.inner.metadata, structuredOutput: true };
  }

  /**
   * One turn. Text streams as it comes; calls come whole, in the last piece.
   *
   * LlamaIndex's older agents (`LLMAgent`) look for calls in the first piece only. They are known by always giving
   * `additionalChatOptions`, which its workflow agents never do: for whoever gives those beside tools, text is held back
   * until it is known whether a call follows.
   *
   * Errors: what the wrapped LLM throws; `ToolBindingError`; `ToolDefinitionError`; under `throw` `ToolChoiceError`
   * where `tool_choice` requires a call and the model makes none, and `InvalidToolCallError`.
   */
  override chat(
    params: LLMChatParamsStreaming<O & ToolCallingChatOptions, ToolCallLLMMessageOptions>,
  ): Promise<AsyncIterable<ChatResponseChunk<ToolCallLLMMessageOptions>>>;
  override chat(
    params: LLMChatParamsNonStreaming<O & ToolCallingChatOptions, ToolCallLLMMessageOptions>,
  ): Promise<ChatResponse<ToolCallLLMMessageOptions>>;
  override async chat(
    params: Params<O>,
  ): Promise<AsyncIterable<ChatResponseChunk<ToolCallLLMMessageOptions>> | ChatResponse<ToolCallLLMMessageOptions>> {
    const { chunks, inner } = this.#answer(params);
    return params.stream ? chunks : collect(chunks, inner);
  }

  /**
   * One turn, and its calls. As LlamaIndex's own, but the tools given are not added to, messages hold results as they are,
   * and `object` is there only if it is valid. With a `responseFormat` the model must call a tool: one of those given, or
   * the one that gives the answer.
   */
  override exec<Z extends ZodSchema>(
    params: LLMChatParamsStreaming<O & ToolCallingChatOptions, ToolCallLLMMessageOptions, Z>,
  ): Promise<ExecutedStream<ZodInfer<Z>>>;
  override exec<Z extends ZodSchema>(
    params: LLMChatParamsNonStreaming<O & ToolCallingChatOptions, ToolCallLLMMessageOptions, Z>,
  ): Promise<Executed<ZodInfer<Z>>>;
  override exec<Z extends ZodSchema>(params: Params<O>): Promise<ExecutedStream<ZodInfer<Z>> | Executed<ZodInfer<Z>>> {
    return params.stream ? executeStream(this, params) : execute(this, params);
  }

  override streamExec<Z extends ZodSchema>(
    params: LLMChatParamsStreaming<O & ToolCallingChatOptions, ToolCallLLMMessageOptions, Z>,
  ): Promise<ExecutedStream<ZodInfer<Z>>> {
    return executeStream(this, params);
  }

  #answer(params: Params<O>): { chunks: AsyncGenerator<ChatResponseChunk<AnswerOptions>>; inner: InnerLLM } {
    watchToolResults();
    const { tools = [], responseFormat, stream } = params;
    const { tool_choice, parallel_tool_calls, ...chatOptions } = (params.additionalChatOptions ??
      {}) as ToolCallingChatOptions;
    const {
      maxInvalidCallRetries,
      maxToolRounds = 20,
      onInvalidCall = "retry",
      onMissingCall = "surface",
      prefill = false,
      ...how
    } = this.#options;
    const messages = toChatMessages(params.messages);
    warnOfLostMessages(messages, this.metadata);

    const passed = responseFormat && tools.length === 0 && this.inner.metadata.structuredOutput;
    const inner = new InnerLLM(this.inner, chatOptions, passed ? responseFormat : undefined);
    const answer = toolsAnswer(messages, tools);
    if (answer !== undefined) return { chunks: once({ delta: answer, raw: null }), inner };

    const protocol = getProtocol(how.protocol ?? protocolForModel(this.metadata.model));
    const output = responseFormat && !passed ? outputDefinition(responseFormat) : undefined;
    const definitions = [...callableDefinitions(tools, protocol), ...(output ? [output] : [])];
    const rounds = toolRounds(messages);
    const enough = rounds >= maxToolRounds && definitions.length > 0;
    if (enough) messages.push({ role: "user", content: enoughRounds(rounds) });
    const turn = generateWithTools({
      ...how,
      protocol,
      model: inner.generate,
      messages,
      tools: definitions,
      toolChoice: chosen(
        tool_choice ?? (output && (enough || tools.length === 0 ? output.name : "required")),
        definitions,
      ),
      parallel: parallel_tool_calls,
      onInvalidCall,
      // Plain JSON may still be the object that was asked for.
      onMissingCall: output ? "throw" : onMissingCall,
      maxRetries: maxInvalidCallRetries,
      prefill,
      selection: this.#selection,
    });
    const hold = stream !== true || (definitions.length > 0 && "additionalChatOptions" in params);
    const noCalls = enough ? `Stopped after ${rounds} rounds of tool calls.` : undefined;
    return { chunks: answerChunks(turn, inner, { hold, noCalls, output }), inner };
  }
}

/**
 * Gives an LLM tool calling: what comes back works wherever LlamaIndex wants a model that calls tools.
 *
 * Errors: `ModelError` (`not-a-model`), `OptionsError` (`bad-option`), `ProtocolError` (`unknown-protocol`).
 *
 * @example
 * const llm = withToolCalling(new Ollama({ model: "gemma3" }));
 * const { data } = await agent({ llm, tools: [getWeather] }).run("How is the weather in Oslo?");
 */
export function withToolCalling<O extends object = object>(
  llm: LLM<O>,
  options: ToolCallingOptions = {},
): ToolCallingLLM<O> {
  return new ToolCallingLLM<O>(llm, options);
}

/** The result of a tool whose result is the answer, if such a one has just run. */
function toolsAnswer(messages: readonly ChatMessage[], tools: readonly BaseTool[]): string | undefined {
  const first = messages.findLastIndex(({ role }) => role !== "tool") + 1;
  const ending = new Set(tools.filter(isAnswerTool).map(({ metadata }) => metadata.name));
  return messages.slice(first).findLast((one) => one.role === "tool" && !one.isError && ending.has(one.name))?.content;
}

/** How often tools were called since a user last spoke. */
function toolRounds(messages: readonly ChatMessage[]): number {
  const since = messages.findLastIndex(({ role }) => role === "user") + 1;
  return messages.slice(since).filter((message) => message.role === "assistant" && message.toolCalls).length;
}

const enoughRounds = (rounds: number) =>
  `You have called tools ${rounds} times, which is enough. Answer now with what you know, without calling a tool.`;

function chosen(asked: unknown, tools: readonly ToolDefinition[]): ToolChoice {
  const choice = readToolChoice(asked, tools);
  if (choice) return choice;
  const names = tools.map(({ name }) => name).join(", ") || "none";
  throw new ToolBindingError(
    "unknown-tool-choice",
    `tool_choice ${JSON.stringify(asked)} is neither "auto", "any", "required" or "none" nor one of the tools (${names}).`,
  );
}

/** LlamaIndex's memory leaves out what does not fit into the context window, without a word: the question itself, too. */
function warnOfLostMessages(messages: readonly ChatMessage[], { model, contextWindow }: LLMMetadata): void {
  if (messages.some(({ role }) => role !== "system")) return;
  console.warn(
    `[toolingua] LlamaIndex sent "${model}" no message but the system's: its memory leaves out what is too long for the ` +
      `contextWindow of ${contextWindow} tokens that the LLM's metadata says.`,
  );
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}
