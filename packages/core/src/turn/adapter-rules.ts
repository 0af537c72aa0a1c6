import { isObject } from "../common/plain-object.js";
import { aFunction, type OptionRule, oneOf, wholeFrom } from "../options/option-rules.js";
import { promptRules } from "../prompt/prompt-rules.js";

const { protocol, style, grammar, prefill, transcript } = promptRules;

/**
 * The options that all adapters share. `protocol` throws `ProtocolError` (`unknown-protocol`), `grammar` an
 * `OptionsError` of its own.
 */
export const adapterRules = {
  protocol,
  style,
  onInvalidCall: oneOf("retry", "surface", "throw"),
  maxInvalidCallRetries: wholeFrom(0),
  maxRepeatedCalls: wholeFrom(0, true),
  copiedCalls: oneOf("text", "call"),
  constraint: oneOf("off", "auto", "required", "fallback"),
  grammar,
  prefill,
  transcript,
  toolSelection: {
    takes: (value: unknown) => typeof value === "boolean" || isObject(value),
    words: 'true, false, or an object such as { from: 20, by: "words" }',
  },
  generateId: aFunction,
  onTrace: aFunction,
} satisfies Record<string, OptionRule>;
