import {
  adapterRules,
  checkOptionNames as checkNames,
  checkOptionValues,
  nativeRules,
  type OptionRules,
  oneOf,
  selectionRule,
  selectionRules,
} from "@toolingua/core/adapters";
import type { ToolSelectionSettings } from "./inner/hybrid-selection.js";
import type { ToolCallingOptions } from "./options.js";

const selection: OptionRules<ToolSelectionSettings> = {
  from: selectionRules.from,
  limit: selectionRules.limit,
  by: oneOf("auto", "text", "words"),
};

const rules: OptionRules<ToolCallingOptions> = {
  ...adapterRules,
  toolSelection: selectionRule(selection),
  ...nativeRules,
  onMissingCall: oneOf("surface", "throw"),
};

/**
 * Checks the values of options before they are used; ignores unknown names.
 *
 * Errors: `OptionsError` (`bad-option`); `ProtocolError` (`unknown-protocol`).
 */
export function checkValues(options: ToolCallingOptions): void {
  checkOptionValues(rules, options);
}

const ofTheModel = "It is an option of the model that is wrapped.";
const elsewhere = {
  maxTokens: ofTheModel,
  temperature: ofTheModel,
  stop: "It is an option of the call: `model.invoke(messages, { stop })`.",
  tools: "Tools are given to `bindTools` or to the agent.",
  maxSteps: "The agent's `recursionLimit` limits its steps.",
};

/** Checks that all option names are known. Errors: `OptionsError` (`bad-option`). */
export const checkOptionNames = (options: ToolCallingOptions): void =>
  checkNames(rules, options, "the options", elsewhere);
