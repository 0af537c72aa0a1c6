import type { ConstraintTarget, GenerateOptions, Protocol, ProtocolName, ToolStyle } from "@toolingua/core";
import type { ToolSelectionSettings } from "./inner/hybrid-selection.js";

/** How a model is given tools. */
export interface ToolCallingOptions {
  /** The wire format. Default: the one the model was trained on, by its name; else `xml`. */
  protocol?: ProtocolName | Protocol | undefined;
  /**
   * Whether the model's own tool calling is used. `auto`: yes, and the prompt takes over once the model refuses it.
   * `never` (default): the prompt only, also for models that claim to call tools and cannot.
   */
  native?: "auto" | "never" | undefined;
  /** How tools are shown in the prompt. Default: the protocol's way. */
  style?: ToolStyle | undefined;
  /**
   * What becomes of a call that is wrong. `retry` (default): the model is told and asked again; what is wrong after that
   * goes to the tool's own error if it can be read. Arguments stream once the model is not asked again any more.
   * `surface`: it is listed in `invalid_tool_calls`; arguments stream.
   * `throw`: an error.
   */
  onInvalidCall?: "retry" | "surface" | "throw" | undefined;
  /**
   * What becomes of a call that had to come and did not, even when asked for again. `surface` (default): the reply is the
   * answer, as that of a native model is which ignores `tool_choice`. `throw`: a `ToolChoiceError`.
   */
  onMissingCall?: GenerateOptions["onMissingCall"];
  /** How often the model is asked again under `retry`. Default 2. */
  maxInvalidCallRetries?: number | undefined;
  /**
   * How often the same call may come again in one reply; the next time it is left out and ends the reply, which
   * `response_metadata.repeated_call` tells. Default 1; 0 where the reply is held to calls.
   */
  maxRepeatedCalls?: number | undefined;
  /**
   * What a call is that is copied from a user's message or a result, white space and escapes apart. `text` (default): text,
   * since the model only repeats what somebody else wrote. `call`: a call.
   */
  copiedCalls?: "text" | "call" | undefined;
  /**
   * Whether calls are held to their form, where the wrapped model takes such a thing (see `backend`). `auto`: where the
   * protocol can be held. `required`: an error where the model takes nothing of the kind, and where a call must come and
   * the protocol cannot be held. `fallback`: only when the model is asked again. Default `off`.
   */
  constraint?: GenerateOptions["constraint"];
  /**
   * What holds it: `gbnf`, the wrapped model itself by its call option `constraint`; else the server behind it. Known by
   * itself of `EmbeddedChatModel`, `ChatOllama`, and `ChatOpenAI` at OpenAI's own address; `ChatOpenAI` in front of
   * `llama.cpp`, `vllm` or `sglang` has to be told.
   */
  backend?: ConstraintTarget | undefined;
  /**
   * What the grammar bounds that schemas leave open, such as `{ maxItems: 10 }`: small models repeat items until their
   * tokens end. Default: only how deep values nest.
   */
  grammar?: GenerateOptions["grammar"];
  /** The model goes on from an AI message that stands last, so a required call can be begun for it. Default `false`. */
  prefill?: boolean | undefined;
  /** Writes what was said as one text, such as `pmlTranscript()` of `@toolingua/pml`. Default: messages in turn. */
  transcript?: GenerateOptions["transcript"];
  /** Hybrid mode, for many tools: the model is shown those a conversation needs, and can ask for more. Default: all. */
  toolSelection?: true | ToolSelectionSettings | undefined;
  /** Makes the ids of calls. */
  generateId?: (() => string) | undefined;
  /**
   * Is called with the events of each turn: requests, raw replies, what was read in them, and the reasons for repairs. It
   * must not throw. `TOOLINGUA_DEBUG=1` writes the same to the console.
   */
  onTrace?: GenerateOptions["onTrace"];
}
