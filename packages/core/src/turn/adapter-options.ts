import { optionsIn } from "../options/nested-options.js";
import { aBoolean, aFunction, type OptionRule, type OptionRules, oneOf, wholeFrom } from "../options/option-rules.js";
import type { ConstraintTarget } from "../prompt/constrain.js";
import { promptRules } from "../prompt/prompt-rules.js";
import type { Protocol } from "../protocol.js";
import type { ProtocolName } from "../protocols/index.js";
import type { ToolStyle } from "../types.js";
import type { GenerateOptions } from "./generate-options.js";
import { hybridSelectionRules, type ToolSelectionSettings } from "./selection/hybrid-selection.js";
import { selectionRules, type ToolSelectionOptions } from "./selection/tool-selection.js";

/** The options that all adapters share, with the same defaults. An adapter says what its framework makes of them. */
export interface AdapterOptions {
  /** The wire format. Default: the one that a model of this name was trained on, else `xml`. */
  protocol?: ProtocolName | Protocol | undefined;
  /** How the prompt describes tools. Default: the protocol's style. */
  style?: ToolStyle | undefined;
  /**
   * What to do with an invalid call; it never runs. `retry` (default): show the error to the model and ask again. `surface`: do
   * not. `throw`: throw an error.
   */
  onInvalidCall?: "retry" | "surface" | "throw" | undefined;
  /** The maximum number of retries under `retry`, at least 0. Default 2. */
  maxInvalidCallRetries?: number | undefined;
  /**
   * How often one reply may make the same call. One more is dropped, ends the reply, and is reported. At least 1; default 2, or
   * 1 if the reply is constrained to calls.
   */
  maxIdenticalCalls?: number | undefined;
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
   * Whether a grammar constrains calls, on models that support it. `auto`: if the model and the protocol allow it; for an
   * optional call it is the grammar of the whole reply. `required`: throws if the model does not support it, or if a call is
   * required and the protocol has no grammar. `fallback`: only in retries. Default `off`.
   */
  constraint?: GenerateOptions["constraint"];
  /**
   * Limits of the grammar where schemas have none, such as `{ maxItems: 10 }`: small models may repeat items until the
   * token limit. Default: only a limit on nesting.
   */
  grammar?: GenerateOptions["grammar"];
  /** The model continues a final assistant message, so the opener of a required call can be prefilled. Default `false`. */
  prefill?: boolean | undefined;
  /** Renders the conversation as one text, such as `pmlTranscript()` of `@toolingua/pml`. Default: separate messages. */
  transcript?: GenerateOptions["transcript"];
  /** For many tools: the prompt shows those that a conversation needs; the model can request more. Default `false`: all. */
  toolSelection?: boolean | ToolSelectionOptions | undefined;
  /** Generates the ids of calls. */
  generateId?: (() => string) | undefined;
  /**
   * Receives the events of each turn: requests, raw replies, the parsed calls and text, and the reasons for retries. What it
   * throws is printed, and the turn continues. `TOOLINGUA_DEBUG=1` writes the same to the console.
   */
  onTrace?: GenerateOptions["onTrace"];
}

/**
 * The defaults of every adapter, of the gateway and of `ToolConversation`, each here alone. `onMissingCall` is not that of
 * `ToolConversation` and the AI SDK, where a required call that is missing is an error. `prefill` is that of the adapters: in
 * `ToolConversation` the model takes one, and the gateway knows it by the kind of server.
 *
 * @example const { onInvalidCall = adapterDefaults.onInvalidCall } = options;
 */
export const adapterDefaults = Object.freeze({
  onInvalidCall: "retry",
  maxInvalidCallRetries: 2,
  onMissingCall: "surface",
  constraint: "off",
  prefill: false,
} as const);

/** The options of adapters whose models may call tools natively, and may be servers that constrain a reply. */
export interface NativeAdapterOptions extends Omit<AdapterOptions, "toolSelection"> {
  /**
   * Whether to use the model's native tool calling. `auto`: yes, until the model refuses it; then the prompt is used.
   * `never` (default): only the prompt, also for models that claim native tool calling.
   */
  native?: "auto" | "never" | undefined;
  /**
   * Hybrid mode for many tools: the prompt shows those that a conversation needs; the model can request more. They are selected
   * by native tool calling if the model has it, also under `native: "never"`; see `by`. Default `false`: all.
   */
  toolSelection?: boolean | ToolSelectionSettings | undefined;
  /** Where the grammar is enforced. Detected for some models. */
  backend?: ConstraintTarget | undefined;
}

const { protocol, style, grammar, prefill, transcript, backend } = promptRules;

/** The rule for `toolSelection`, from the rules of its own options. */
function selectionRule(rules: Readonly<Record<string, OptionRule>>): OptionRule {
  const { takes, words } = optionsIn(
    "toolSelection",
    rules,
    'true, false, or an object such as { from: 20, by: "words" }',
  );
  return { takes: (value) => typeof value === "boolean" || takes(value), words };
}

/**
 * The rules of {@link AdapterOptions}. `protocol` throws `ProtocolError` (`unknown-protocol`), `grammar` and
 * `toolSelection` an `OptionsError` of their own.
 */
export const adapterRules = {
  protocol,
  style,
  onInvalidCall: oneOf("retry", "surface", "throw"),
  maxInvalidCallRetries: wholeFrom(0),
  maxIdenticalCalls: wholeFrom(1, true),
  copiedCalls: oneOf("text", "call"),
  startWithReasoning: aBoolean,
  constraint: oneOf("off", "auto", "required", "fallback"),
  grammar,
  prefill,
  transcript,
  toolSelection: selectionRule(selectionRules),
  generateId: aFunction,
  onTrace: aFunction,
} satisfies OptionRules<AdapterOptions>;

/**
 * The rules of what {@link NativeAdapterOptions} have besides.
 *
 * Errors: none of its own; a rule says what it takes, and `checkOptionValues` throws, for `toolSelection` with its own words.
 *
 * @example nativeRules.native.takes("never"); // true
 */
export const nativeRules = {
  native: oneOf("auto", "never"),
  toolSelection: selectionRule(hybridSelectionRules),
  backend,
} satisfies Partial<OptionRules<NativeAdapterOptions>>;
