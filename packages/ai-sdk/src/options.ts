import type {
  ConstraintTarget,
  GenerateOptions,
  Protocol,
  ProtocolName,
  ToolSelectionOptions,
  ToolStyle,
} from "@toolingua/core";

/** How a model is given tools. */
export interface ToolCallingOptions {
  /** The wire format. Default: the one the model was trained on, by its `modelId`; else `xml`. */
  protocol?: ProtocolName | Protocol | undefined;
  /**
   * Whether the model's own tool calling is used. `auto`: yes, and the prompt takes over once the model refuses it.
   * `never` (default): the prompt only, also for models that claim to call tools and cannot.
   */
  native?: "auto" | "never" | undefined;
  /** How tools are shown in the prompt. Default: the protocol's way. */
  style?: ToolStyle | undefined;
  /**
   * What happens with an invalid call. `retry` (default): the model gets the error and is asked again within the same step, where
   * nothing of the call was streamed (see `liveCalls`). A call that is still invalid after that, and every one under `surface`,
   * becomes an invalid call of the AI SDK: `experimental_repairToolCall` can repair it, else the next step has the error. It
   * never runs.
   * `throw`: an error.
   */
  onInvalidCall?: "retry" | "surface" | "throw" | undefined;
  /** How often the model is asked again under `retry`, from 0. Default 2. */
  maxInvalidCallRetries?: number | undefined;
  /**
   * Whether the arguments of calls are streamed as they are written. `false`: calls come whole, so that under `retry` each
   * wrong one is written again within the same step. Default `true`. It holds for whole answers too, so that
   * `generateText` and `streamText` always agree. Under `true`, `streamObject` gives partial objects.
   */
  liveCalls?: boolean | undefined;
  /**
   * How often the same call may come again in one reply; the next time it is left out and ends the reply, which
   * `providerMetadata.toolingua.repeatedCall` reports. From 0; default 1, and 0 where the reply is constrained to calls.
   */
  maxRepeatedCalls?: number | undefined;
  /**
   * What a call is that is copied from a user's message or a result, white space and escapes apart. `text` (default): text,
   * since the model only repeats what somebody else wrote. `call`: a call.
   */
  copiedCalls?: "text" | "call" | undefined;
  /**
   * Whether calls are constrained to their form, where the wrapped model takes such a thing (see `backend`). `auto`: where
   * the protocol can be. `required`: an error where the model takes nothing of the kind, and where a call must come and the
   * protocol cannot be constrained. `fallback`: only when the model is asked again. Default `off`.
   */
  constraint?: GenerateOptions["constraint"];
  /**
   * What enforces the constraint: `gbnf`, the wrapped model itself (`EmbeddedChatModel`); else the server behind it. Detected
   * for `EmbeddedChatModel`, Ollama's providers and OpenAI at its own address; one in front of `llama.cpp`, `vllm` or
   * `sglang` has to be named.
   */
  backend?: ConstraintTarget | undefined;
  /**
   * Bounds of the grammar for what schemas leave open, such as `{ maxItems: 10 }`: small models repeat items until their
   * tokens end. Default: only how deep values nest.
   */
  grammar?: GenerateOptions["grammar"];
  /** The model continues an assistant message at the end, so a required call can be begun for it. Default `false`. */
  prefill?: boolean | undefined;
  /**
   * What the model is shown of images and files in a tool's result, and of files that it made itself. `placeholder` (default):
   * that there is one, of which type. `model`: the file itself, in its place. `text`: its data or address, as text.
   */
  resultMedia?: "placeholder" | "model" | "text" | undefined;
  /** Writes what was said as one text, such as `pmlTranscript()` of `@toolingua/pml`. Default: messages in turn. */
  transcript?: GenerateOptions["transcript"];
  /** For many tools: the model is shown those that a conversation needs, and can ask for more. Default: all. */
  toolSelection?: true | Pick<ToolSelectionOptions, "from" | "limit"> | undefined;
  /** Makes the ids of calls. */
  generateId?: (() => string) | undefined;
  /**
   * Is called with the events of each turn: requests, raw replies, what was read in them, and the reasons for repairs. It
   * must not throw. `TOOLINGUA_DEBUG=1` writes the same to the console.
   */
  onTrace?: GenerateOptions["onTrace"];
}
