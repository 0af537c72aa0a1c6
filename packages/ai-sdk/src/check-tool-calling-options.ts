import {
  aBoolean,
  adapterRules,
  checkOptionNames,
  checkOptionValues,
  nativeRules,
  type OptionRules,
  oneOf,
} from "@toolingua/core/adapters";
import type { ToolCallingOptions } from "./options.js";

const rules: OptionRules<ToolCallingOptions> = {
  ...adapterRules,
  ...nativeRules,
  liveCalls: aBoolean,
  resultMedia: oneOf("placeholder", "model", "text"),
};

const ofTheCall = "It is an option of `generateText`, `streamText` or the agent.";
const elsewhere = {
  tools: ofTheCall,
  toolChoice: ofTheCall,
  temperature: ofTheCall,
  maxOutputTokens: ofTheCall,
  maxTokens: "It is `maxOutputTokens` of `generateText`, `streamText` or the agent.",
  stop: "It is `stopSequences` of `generateText`, `streamText` or the agent.",
  stopSequences: ofTheCall,
  stopWhen: ofTheCall,
  maxSteps: "It is `stopWhen: stepCountIs(…)` of `generateText`, `streamText` or the agent.",
  maxRetries: "Wrong calls are retried `maxInvalidCallRetries` times; `maxRetries` of `generateText` retries requests.",
  toolSystemPromptTemplate: "Choose a `protocol` and a `style`, or define a protocol with `defineProtocol`.",
};

/**
 * Checks the options of `withToolCalling` and `toolCallingMiddleware` at once.
 *
 * Errors: `OptionsError` (`bad-option`), `ProtocolError` (`unknown-protocol`).
 *
 * @example checkToolCallingOptions({ protcol: "hermes" }); // throws OptionsError: There is no "protcol" in the options. Did you mean …
 */
export function checkToolCallingOptions(options: ToolCallingOptions): void {
  checkOptionNames(rules, options, "the options", elsewhere);
  checkOptionValues(rules, options);
}
