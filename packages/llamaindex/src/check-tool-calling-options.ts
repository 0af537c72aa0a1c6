import {
  adapterRules,
  checkOptionNames,
  checkOptionValues,
  type OptionRules,
  oneOf,
  wholeFrom,
} from "@toolingua/core/adapters";
import type { ToolCallingOptions } from "./options.js";

const rounds = wholeFrom(1, true);
const rules: OptionRules<ToolCallingOptions> = {
  ...adapterRules,
  onMissingCall: oneOf("surface", "throw"),
  maxToolRounds: { ...rounds, words: `${rounds.words} (for a model without tools, give none)` },
};

const ofTheModel = "It is an option of the LLM that is wrapped.";
const elsewhere = {
  maxTokens: ofTheModel,
  temperature: ofTheModel,
  tools: "Tools are given to the agent, or to `chat`.",
};

/**
 * Checks the options of `withToolCalling` at once: an error in an agent's step would end the process.
 *
 * Errors: `OptionsError` (`bad-option`), `ProtocolError` (`unknown-protocol`).
 *
 * @example checkToolCallingOptions({ maxToolRounds: 0 }); // throws OptionsError: `maxToolRounds` is a whole number from 1, …, not 0.
 */
export function checkToolCallingOptions(options: ToolCallingOptions): void {
  checkOptionNames(rules, options, "the options", elsewhere);
  checkOptionValues(rules, options);
}
