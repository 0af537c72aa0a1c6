import type { ConstraintTarget, GenerateOptions, Protocol, ProtocolName, ToolStyle } from "@toolingua/core";
import type { ToolSelectionSettings } from "@toolingua/core/adapters";

/** The options of `withToolCalling` and `toolCallingMiddleware`. */
export interface ToolCallingOptions {
  /** The wire format. Default: the one that a model of this `modelId` was trained on, else `xml`. */
  protocol?: ProtocolName | Protocol | undefined;
  /**
   * Whether to use the model's native tool calling. `auto`: yes, until the model refuses it; then the prompt is used.
   * `never` (default): only the prompt, also for models that claim native tool calling.
   */
  native?: "auto" | "never" | undefined;
  /** How the prompt describes tools. Default: the protocol's style. */
  style?: ToolStyle | undefined;
  /**
   * What to do with an invalid call; it never runs. `retry` (default): if no part of the call was streamed (see
   * `liveCalls`), show the error to the model and ask again within the same step. A call that is still invalid, and
   * every invalid call under `surface`, becomes an invalid call of the AI SDK: `experimental_repairToolCall` can repair
   * it, else the next step has the error. `throw`: throw an error.
   */
  onInvalidCall?: "retry" | "surface" | "throw" | undefined;
  /** The maximum number of retries under `retry`, at least 0. Default 2. */
  maxInvalidCallRetries?: number | undefined;
  /**
   * Whether arguments of calls stream while the model writes them. `false`: calls are sent whole, so that under `retry`
   * every wrong call is retried within the same step. Default `true`. The option also applies to whole answers, so that
   * `generateText` and `streamText` always agree. With `true`, `streamObject` streams partial objects.
   */
  liveCalls?: boolean | undefined;
  /**
   * How often one reply may repeat the same call. The next repetition is dropped and ends the reply;
   * `providerMetadata.toolingua.repeatedCall` reports it. At least 0; default 1, or 0 if the reply is constrained to
   * calls.
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
   * Where the grammar is enforced. `gbnf`: by the wrapped model (`EmbeddedChatModel`); otherwise by the server it talks
   * to. Detected for `EmbeddedChatModel`, Ollama's providers and OpenAI at its own address. Required for a `llama.cpp`,
   * `vllm` or `sglang` server.
   */
  backend?: ConstraintTarget | undefined;
  /**
   * Limits of the grammar where schemas have none, such as `{ maxItems: 10 }`: small models may repeat items until the
   * token limit. Default: only a limit on nesting.
   */
  grammar?: GenerateOptions["grammar"];
  /**
   * The model continues a final assistant message, so the opener of a required call can be prefilled. Default `false`.
   */
  prefill?: boolean | undefined;
  /**
   * How the prompt shows images and files in a tool's result, and files that the model generated. `placeholder`
   * (default): a note with the type. `model`: the file itself, in its position. `text`: its data or address as text.
   */
  resultMedia?: "placeholder" | "model" | "text" | undefined;
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
