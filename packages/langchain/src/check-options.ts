import type { BaseChatModelParams } from "@langchain/core/language_models/chat_models";
import {
  adapterRules,
  checkedElsewhere,
  checkMisspelt,
  checkOptionNames,
  checkOptionValues,
  nativeRules,
  type OptionRules,
  oneOf,
} from "@toolingua/core/adapters";
import type { ToolCallingOptions, ToolCallParserFields } from "./options.js";

const rules: OptionRules<ToolCallingOptions> = {
  ...adapterRules,
  ...nativeRules,
  onMissingCall: oneOf("surface", "throw"),
};

/** The fields that every chat model of LangChain takes. It checks none of them. */
const chatModelRules: OptionRules<BaseChatModelParams> = {
  cache: checkedElsewhere,
  callbackManager: checkedElsewhere,
  callbacks: checkedElsewhere,
  disableStreaming: checkedElsewhere,
  maxConcurrency: checkedElsewhere,
  maxRetries: checkedElsewhere,
  metadata: checkedElsewhere,
  onFailedAttempt: checkedElsewhere,
  outputVersion: checkedElsewhere,
  tags: checkedElsewhere,
  verbose: checkedElsewhere,
};
const fieldRules = { ...chatModelRules, ...rules, model: checkedElsewhere };

const parserRules: OptionRules<ToolCallParserFields> = {
  tools: checkedElsewhere,
  protocol: adapterRules.protocol,
  style: adapterRules.style,
  startWithReasoning: adapterRules.startWithReasoning,
  generateId: adapterRules.generateId,
};

const ofTheModel = "It is an option of the model that is wrapped.";
const elsewhere = {
  maxTokens: ofTheModel,
  temperature: ofTheModel,
  stop: "It is an option of the call: `model.invoke(messages, { stop })`.",
  tools: "Tools are given to `bindTools` or to the agent.",
  maxSteps: "The agent's `recursionLimit` limits its steps.",
};

/**
 * Checks the options of `withToolCalling` and `toolCallingMiddleware` at once.
 *
 * Errors: `OptionsError` (`bad-option`), `ProtocolError` (`unknown-protocol`).
 *
 * @example checkOptions({ protcol: "hermes" }); // throws OptionsError: There is no "protcol" in the options. Did you mean …
 */
export function checkOptions(options: ToolCallingOptions): void {
  checkOptionNames(rules, options, "the options", elsewhere);
  checkOptionValues(rules, options);
}

/**
 * The same for the fields of a `ToolCallingChatModel`. A subclass or another version of LangChain may have more of them, so a
 * name is refused only if it looks like a known one.
 *
 * Errors: as above.
 *
 * @example checkFields({ model, protcol: "hermes" }); // throws OptionsError: There is no option "protcol" of …
 */
export function checkFields(fields: ToolCallingOptions & BaseChatModelParams): void {
  checkMisspelt(fieldRules, fields, "ToolCallingChatModel");
  checkOptionValues(rules, fields);
}

/**
 * The same for the options of an output parser. `tools` is not checked here.
 *
 * Errors: as above.
 *
 * @example checkParserFields({ protcol: "hermes" }); // throws OptionsError: There is no "protcol" in the options. Did you mean …
 */
export function checkParserFields(fields: ToolCallParserFields): void {
  checkOptionNames(parserRules, fields);
  checkOptionValues(parserRules, fields);
}
