import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import type { GenerateOptions, Protocol, ProtocolName, ToolStyle } from "@toolingua/core";
import type { NativeAdapterOptions } from "@toolingua/core/adapters";

/** The options of {@link withToolCalling}. */
export interface ToolCallingOptions extends NativeAdapterOptions {
  /**
   * What to do with a wrong call. `retry` (default): show the error to the model and ask again; a call that is still
   * wrong stays a call if it can be read, and the tool node answers with an error. Arguments stream in the last
   * attempt. `surface`: list it in `invalid_tool_calls`; arguments stream. `throw`: throw an error.
   */
  onInvalidCall?: NativeAdapterOptions["onInvalidCall"];
  /**
   * What to do if a required call is missing after all retries. `surface` (default): the reply is the answer, as with a
   * native model that ignores `tool_choice`. `throw`: throw a `ToolChoiceError`.
   */
  onMissingCall?: GenerateOptions["onMissingCall"];
  /**
   * How often one reply may make the same call. One more is dropped and ends the reply;
   * `response_metadata.repeated_call` reports it. At least 1; default 2, or 1 if the reply is constrained to calls.
   */
  maxIdenticalCalls?: number | undefined;
  /**
   * Where the grammar is enforced. `gbnf`: by the wrapped model, through its call option `constraint`; otherwise by the
   * server it talks to. Detected for `EmbeddedChatModel`, `ChatOllama`, and `ChatOpenAI` at OpenAI's own address.
   * Required for `ChatOpenAI` with a `llama.cpp`, `vllm` or `sglang` server.
   */
  backend?: NativeAdapterOptions["backend"];
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
