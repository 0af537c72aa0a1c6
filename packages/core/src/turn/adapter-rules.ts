import { optionsIn } from "../options/nested-options.js";
import { aBoolean, aFunction, type OptionRule, oneOf, wholeFrom } from "../options/option-rules.js";
import { promptRules } from "../prompt/prompt-rules.js";
import { hybridSelectionRules } from "./selection/hybrid-selection.js";
import { selectionRules } from "./selection/tool-selection.js";

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
 * The options that all adapters share. `protocol` throws `ProtocolError` (`unknown-protocol`), `grammar` and
 * `toolSelection` an `OptionsError` of their own.
 */
export const adapterRules = {
  protocol,
  style,
  onInvalidCall: oneOf("retry", "surface", "throw"),
  maxInvalidCallRetries: wholeFrom(0),
  maxRepeatedCalls: wholeFrom(0, true),
  copiedCalls: oneOf("text", "call"),
  startWithReasoning: aBoolean,
  constraint: oneOf("off", "auto", "required", "fallback"),
  grammar,
  prefill,
  transcript,
  toolSelection: selectionRule(selectionRules),
  generateId: aFunction,
  onTrace: aFunction,
} satisfies Record<string, OptionRule>;

/**
 * The options that only adapters have whose models may call tools natively, and may be servers that constrain a reply.
 *
 * Errors: none; a rule says what it takes, and `checkOptionValues` throws.
 *
 * @example nativeRules.native.takes("never"); // true
 */
export const nativeRules = {
  native: oneOf("auto", "never"),
  toolSelection: selectionRule(hybridSelectionRules),
  backend,
} satisfies Record<string, OptionRule>;
