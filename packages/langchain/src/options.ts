import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { ConstraintTarget, GenerateOptions, Protocol, ProtocolName, ToolStyle } from "@toolingua/core";
import type { ToolSelectionSettings } from "@toolingua/core/adapters";

/** The options of {@link withToolCalling}. */
export interface ToolCallingOptions {
  /** The wire format. Default: the one that a model of this name was trained on, else `xml`. */
  protocol?: ProtocolName | Protocol | undefined;
  /**
   * Whether to use the model's native tool calling. `auto`: yes, until the model refuses it; then the prompt is used.
   * `never` (default): only the prompt, also for models that claim native tool calling.
   */
  native?: "auto" | "never" | undefined;
  /** How the prompt describes tools. Default: the protocol's style. */
  style?: ToolStyle | undefined;
  /**
   * What to do with a wrong call. `retry` (default): show the error to the model and ask again; a call that is still
   * wrong stays a call if it can be read, and the tool node answers with an error. Arguments stream in the last
   * attempt. `surface`: list it in `invalid_tool_calls`; arguments stream. `throw`: throw an error.
   */
  onInvalidCall?: "retry" | "surface" | "throw" | undefined;
  /**
   * What to do if a required call is missing after all retries. `surface` (default): the reply is the answer, as with a
   * native model that ignores `tool_choice`. `throw`: throw a `ToolChoiceError`.
   */
  onMissingCall?: GenerateOptions["onMissingCall"];
  /** The maximum number of retries under `retry`. Default 2. */
  maxInvalidCallRetries?: number | undefined;
  /**
   * How often one reply may repeat the same call. The next repetition is dropped and ends the reply;
   * `response_metadata.repeated_call` reports it. Default 1, or 0 if the reply is constrained to calls.
   */
  maxRepeatedCalls?: number | undefined;
  /**
   * How to read a call that is copied from a user's message or a result, ignoring white space and escapes. `text`
   * (default): as text, because the model only repeats untrusted text. `call`: as a call.
   */
  copiedCalls?: "text" | "call" | undefined;
  /**
   * The model's chat template opens the reasoning, so a reply begins inside it and only its end is marked: that of DeepSeek-R1,
   * QwQ or Qwen3-Thinking, after a server that leaves reasoning in the text. See `startWithReasoning` of `generateWithTools`.
   * Default `false`.
   */
  startWithReasoning?: boolean | undefined;
  /**
   * Whether a grammar constrains calls, on models that support it (see `backend`). `auto`: if the model and the
   * protocol allow it. `required`: throws if the model does not support it, or if a call is required and the protocol
   * has no grammar. `fallback`: only in retries. Default `off`.
   */
  constraint?: GenerateOptions["constraint"];
  /**
   * Where the grammar is enforced. `gbnf`: by the wrapped model, through its call option `constraint`; otherwise by the
   * server it talks to. Detected for `EmbeddedChatModel`, `ChatOllama`, and `ChatOpenAI` at OpenAI's own address.
   * Required for `ChatOpenAI` with a `llama.cpp`, `vllm` or `sglang` server.
   */
  backend?: ConstraintTarget | undefined;
  /**
   * Limits of the grammar where schemas have none, such as `{ maxItems: 10 }`: small models may repeat items until the
   * token limit. Default: only a limit on nesting.
   */
  grammar?: GenerateOptions["grammar"];
  /** The model continues a final AI message, so the opener of a required call can be prefilled. Default `false`. */
  prefill?: boolean | undefined;
  /**
   * Renders the conversation as one text, such as `pmlTranscript()` of `@toolingua/pml`. Default: separate messages.
   */
  transcript?: GenerateOptions["transcript"];
  /**
   * Hybrid mode for many tools: the prompt shows those that a conversation needs; the model can request more. Default
   * `false`: all.
   */
  toolSelection?: boolean | ToolSelectionSettings | undefined;
  /** Generates the ids of calls. */
  generateId?: (() => string) | undefined;
  /**
   * Receives the events of each turn: requests, raw replies, the parsed calls and text, and the reasons for repairs. It
   * must not throw. `TOOLINGUA_DEBUG=1` writes the same to the console.
   */
  onTrace?: GenerateOptions["onTrace"];
}

/** The tools and the wire format of a parser. */
export interface ToolCallParserFields<T extends readonly BindToolsInput[] = readonly BindToolsInput[]> {
  /** The tools, in any shape that `bindTools` accepts. Without them, names and arguments are not checked. */
  tools?: T | undefined;
  /** The wire format of the instructions, and the first one that the parser tries. Default `xml`. */
  protocol?: ProtocolName | Protocol | undefined;
  /** How the instructions describe tools. Default: the protocol's style. */
  style?: ToolStyle | undefined;
  /** The model's chat template opens the reasoning: the option of {@link ToolCallingOptions}. Default `false`. */
  startWithReasoning?: boolean | undefined;
  /** Generates the ids of calls. */
  generateId?: (() => string) | undefined;
}
