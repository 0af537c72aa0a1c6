import type { GenerateOptions, Protocol, ProtocolName, ToolSelectionOptions, ToolStyle } from "@toolingua/core";

/** The options of `withToolCalling`. */
export interface ToolCallingOptions {
  /** The wire format. Default: the one that a model of this name was trained on, else `xml`. */
  protocol?: ProtocolName | Protocol | undefined;
  /** How the prompt describes tools. Default: the protocol's style. */
  style?: ToolStyle | undefined;
  /**
   * What to do with a wrong call; it never runs. `retry` (default): show the error to the model and ask again.
   * `surface`: do not. In both cases a call that stays wrong is in the message's `options.invalidToolCall`, and
   * described in the text if there is no other content. `throw`: throw an error, which in LlamaIndex's agents ends the
   * process.
   */
  onInvalidCall?: "retry" | "surface" | "throw" | undefined;
  /**
   * What to do if the model does not make a required call (`tool_choice`), even when asked again. `surface` (default):
   * its text is the answer, as with native tool calling. `throw`: throw a `ToolChoiceError`.
   */
  onMissingCall?: GenerateOptions["onMissingCall"];
  /** The maximum number of retries under `retry`, at least 0. Default 2. */
  maxInvalidCallRetries?: number | undefined;
  /**
   * How often one reply may repeat the same call. The next repetition is dropped and ends the reply;
   * `options.repeatedCall` reports it. At least 0; default 1, or 0 if the reply is constrained to calls.
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
  /** The maximum rounds of tool calls after a user's message; then the model must answer. At least 1; default 20. */
  maxToolRounds?: number | undefined;
  /**
   * Whether a grammar constrains calls; the wrapped LLM gets it as the chat option `constraint`. `auto`: if the
   * protocol has one; for an optional call it is the grammar of the whole reply. `required`: throws if a call is required
   * and the protocol has no grammar. `fallback`: only in retries. Default `off`.
   */
  constraint?: GenerateOptions["constraint"];
  /**
   * Limits of the grammar where schemas have none, such as `{ maxItems: 10 }`: small models may repeat items until the
   * token limit. Default: only a limit on nesting.
   */
  grammar?: GenerateOptions["grammar"];
  /** The model continues a final assistant message. Default `false`. */
  prefill?: boolean | undefined;
  /**
   * Renders the conversation as one text, such as `pmlTranscript()` of `@toolingua/pml`. Default: separate messages.
   */
  transcript?: GenerateOptions["transcript"];
  /** For many tools: the prompt shows those that a conversation needs; the model can request more. Default `false`: all. */
  toolSelection?: boolean | ToolSelectionOptions | undefined;
  /** Generates the ids of calls. */
  generateId?: (() => string) | undefined;
  /**
   * Receives the events of each turn: requests, raw replies, the parsed calls and text, and the reasons for repairs. It
   * must not throw. `TOOLINGUA_DEBUG=1` writes the same to the console.
   */
  onTrace?: GenerateOptions["onTrace"];
}
