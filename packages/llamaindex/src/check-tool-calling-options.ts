import {
  aBoolean,
  adapterRules,
  checkedElsewhere,
  checkMisspelt,
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

const chatRules = { tool_choice: checkedElsewhere, parallel_tool_calls: aBoolean };

/**
 * Refuses a chat option that looks like one for tools: it would be passed on to the wrapped LLM, and do nothing.
 *
 * Errors: `OptionsError` (`bad-option`).
 *
 * @example checkChatOptions({ toolChoice: "required" }); // throws OptionsError: There is no option "toolChoice" of a chat. …
 */
export function checkChatOptions(options: object): void {
  checkMisspelt(chatRules, options, "a chat");
  checkOptionValues(chatRules, options);
}
