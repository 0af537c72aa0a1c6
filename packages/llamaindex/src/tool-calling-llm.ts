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
  generateWithTools,
  getProtocol,
  protocolForModel,
  readToolChoice,
  type ToolChoice,
  type ToolDefinition,
  ToolSelection,
} from "@toolingua/core";
import {
  adapterDefaults,
  CLASS_NAMES,
  classNames,
  describeValue,
  inEitherCopy,
  whyNoChoice,
} from "@toolingua/core/adapters";
import { type AnswerOptions, answerChunks, collect } from "./answer.js";
import { watchToolResults } from "./calls.js";
import { checkChatOptions, checkToolCallingOptions } from "./check-tool-calling-options.js";
import { ModelError, ToolBindingError } from "./errors.js";
import { type Executed, type ExecutedStream, execute, executeStream } from "./exec.js";
import { InnerLLM } from "./inner-llm.js";
import { toChatMessages } from "./messages.js";
import type { ToolCallingOptions } from "./options.js";
import { FORMAT_OUTPUT, outputDefinition } from "./structured-output.js";
import { isAnswerTool } from "./tool-conversion.js";
import { callableDefinitions } from "./tools.js";

/** Chat options in addition to those of the wrapped LLM. */
export interface ToolCallingChatOptions {
  /** The tool choice in any provider's form: `"required"`, a tool's name, OpenAI's object, … */
  tool_choice?: string | object | undefined;
  /** `false`: one call at a time. */
  parallel_tool_calls?: boolean | undefined;
}

type Params<O extends object> =
  | LLMChatParamsStreaming<O & ToolCallingChatOptions, ToolCallLLMMessageOptions>
  | LLMChatParamsNonStreaming<O & ToolCallingChatOptions, ToolCallLLMMessageOptions>;

/**
 * An LLM with tool calling, on top of an LLM that only writes text.
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
  static override readonly name: string = "ToolCallingLLM";

  readonly supportToolCall = true;
  /** The wrapped LLM. */
  readonly inner: LLM;
  readonly #options: ToolCallingOptions;
  readonly #selection: ToolSelection | undefined;

  /** Errors: `ModelError` (`not-a-model`), `OptionsError` (`bad-option`), `ProtocolError` (`unknown-protocol`). */
  constructor(llm: LLM<O>, options: ToolCallingOptions = {}) {
    super();
    if (typeof llm?.chat !== "function" || !llm.metadata) {
      const right = "`llm` must be an LLM of LlamaIndex, an object with `chat` and `metadata`";
      throw new ModelError("not-a-model", `${right}, not ${describeValue(llm)}.`);
    }
    checkToolCallingOptions(options);
    this.inner = llm as LLM;
    const { toolSelection, ...how } = options;
    this.#options = how;
    this.#selection = toolSelection ? new ToolSelection(toolSelection === true ? {} : toolSelection) : undefined;
  }

  get [CLASS_NAMES](): string[] {
    return classNames(this, ToolCallingLLM);
  }

  /** Wrappers of the CommonJS and of the ES module copy of this package are both instances. */
  static override readonly [Symbol.hasInstance] = inEitherCopy(() => ToolCallingLLM);

  /** The wrapped LLM's metadata, with structured output, which a tool provides for every model. */
  get metadata(): LLMMetadata {
    return { ...this.inner.metadata, structuredOutput: true };
  }

  /**
   * One turn. Text streams while the model writes it; calls are sent whole, in the last chunk.
   *
   * LlamaIndex's older agents (`LLMAgent`) look for calls in the first chunk only. They always pass
   * `additionalChatOptions`, which its workflow agents never do: if a caller passes these together with tools, text is
   * buffered until it is known whether a call follows.
   *
   * Errors: those of the wrapped LLM; `ToolBindingError`; `ToolDefinitionError`; `OptionsError` for a misspelt chat option;
   * under `throw`, `ToolChoiceError` if
   * `tool_choice` requires a call and the model makes none, and `InvalidToolCallError`.
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
   * One turn, and its calls. Like LlamaIndex's `exec`, except that `tools` is not modified, messages contain unchanged
   * results, and `object` is set only if it is valid. With a `responseFormat`, the model must call a tool: one of
   * `tools`, or the tool for the answer.
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
    checkChatOptions(params.additionalChatOptions ?? {});
    const { tool_choice, parallel_tool_calls, ...chatOptions } = (params.additionalChatOptions ??
      {}) as ToolCallingChatOptions;
    const {
      maxInvalidCallRetries,
      maxToolRounds = 20,
      onInvalidCall = adapterDefaults.onInvalidCall,
      onMissingCall = adapterDefaults.onMissingCall,
      prefill = adapterDefaults.prefill,
      ...how
    } = this.#options;
    const messages = toChatMessages(params.messages);
    warnOfLostMessages(messages, this.metadata);

    const passed = responseFormat && tools.length === 0 && this.inner.metadata.structuredOutput;
    const inner = new InnerLLM(this.inner, chatOptions, passed ? responseFormat : undefined);
    const protocol = getProtocol(how.protocol ?? protocolForModel(this.metadata.model));
    const output = responseFormat && !passed ? outputDefinition(responseFormat) : undefined;
    const definitions = [...callableDefinitions(tools, protocol), ...(output ? [output] : [])];
    const answer = toolsAnswer(messages, tools);
    if (answer !== undefined) return { chunks: once({ delta: answer, raw: null }), inner };

    const rounds = toolRounds(messages);
    const enough = rounds >= maxToolRounds && definitions.length > 0;
    if (enough) messages.push({ role: "user", content: enoughRounds(rounds) });
    const toolChoice = chosen(
      tool_choice ?? (output && (enough || tools.length === 0 ? output.name : "required")),
      definitions,
    );
    const turn = generateWithTools({
      ...how,
      protocol,
      model: inner.generate,
      messages,
      tools: definitions,
      toolChoice,
      // `exec` passes the tool of the answer among the others.
      answersByCall: typeof toolChoice === "object" && toolChoice.name === FORMAT_OUTPUT,
      parallel: parallel_tool_calls,
      onInvalidCall,
      // Plain JSON may still be the object that was asked for.
      onMissingCall: output ? "throw" : onMissingCall,
      maxInvalidCallRetries,
      prefill,
      toolSelection: this.#selection,
    });
    const buffer = stream !== true || (definitions.length > 0 && "additionalChatOptions" in params);
    const noCalls = enough ? `Stopped after ${rounds} rounds of tool calls.` : undefined;
    return { chunks: answerChunks(turn, inner, { buffer, noCalls, output }), inner };
  }
}

/**
 * Adds tool calling to an LLM. The result works wherever LlamaIndex expects a model with tool calling.
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

/** The result of a tool with `resultAsAnswer`, if such a tool has just run. */
function toolsAnswer(messages: readonly ChatMessage[], tools: readonly BaseTool[]): string | undefined {
  const first = messages.findLastIndex(({ role }) => role !== "tool") + 1;
  const ending = new Set(tools.filter(isAnswerTool).map(({ metadata }) => metadata.name));
  return messages.slice(first).findLast((one) => one.role === "tool" && !one.isError && ending.has(one.name))?.content;
}

/** The rounds of tool calls since the last user message. */
function toolRounds(messages: readonly ChatMessage[]): number {
  const since = messages.findLastIndex(({ role }) => role === "user") + 1;
  return messages.slice(since).filter((message) => message.role === "assistant" && message.toolCalls).length;
}

const enoughRounds = (rounds: number) =>
  `You have called tools ${rounds} times, which is enough. Answer now with what you know, without calling a tool.`;

function chosen(asked: unknown, tools: readonly ToolDefinition[]): ToolChoice {
  const choice = readToolChoice(asked, tools);
  if (choice) return choice;
  throw new ToolBindingError("unknown-tool-choice", whyNoChoice(asked, tools));
}

/** Warns if LlamaIndex's memory silently dropped all messages, because they exceed the context window. */
function warnOfLostMessages(messages: readonly ChatMessage[], { model, contextWindow }: LLMMetadata): void {
  if (messages.some(({ role }) => role !== "system")) return;
  console.warn(
    `[toolingua] LlamaIndex sent "${model}" only system messages: its memory drops messages that exceed the ` +
      `contextWindow of ${contextWindow} tokens in the LLM's metadata.`,
  );
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}
