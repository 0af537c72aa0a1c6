import type { StructuredOutputMethodOptions } from "@langchain/core/language_models/base";
import type { BaseChatModelParams } from "@langchain/core/language_models/chat_models";
import { OptionsError } from "@toolingua/core";
import {
  aBoolean,
  adapterRules,
  aString,
  checkedElsewhere,
  checkMisspelt,
  checkOptionNames,
  checkOptionValues,
  describeValue,
  isObject,
  nativeRules,
  type OptionRule,
  type OptionRules,
  oneOf,
} from "@toolingua/core/adapters";
import type { ToolCallingCallOptions } from "./call-options.js";
import type { ToolCallingOptions, ToolCallParserFields } from "./options.js";

/** The same rule, and null, which programs pass for an option that is not set. */
const orNull = ({ takes, words }: OptionRule): OptionRule => ({
  takes: (value) => value === null || takes(value),
  words,
});

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

/**
 * The call options for tools. The others belong to the wrapped model or to LangChain, and may have any name: `topK` looks like
 * `stop`.
 */
const callRules: OptionRules<Pick<ToolCallingCallOptions, "tools" | "tool_choice" | "parallel_tool_calls">> = {
  tools: checkedElsewhere,
  tool_choice: checkedElsewhere,
  parallel_tool_calls: orNull(aBoolean),
};

const structuredOutputRules: OptionRules<StructuredOutputMethodOptions> = {
  name: orNull(aString),
  method: checkedElsewhere,
  includeRaw: orNull(aBoolean),
  strict: orNull(aBoolean),
};

const ofTheClass = "It is a field of a chat model: `new ToolCallingChatModel({ model, … })` takes it.";
const ofTheModel = "It is an option of the model that is wrapped.";
const elsewhere = {
  // `maxRetries` rather means `maxInvalidCallRetries`.
  ...Object.fromEntries(
    Object.keys(chatModelRules).flatMap((name) => (name === "maxRetries" ? [] : [[name, ofTheClass]])),
  ),
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
 * @example checkToolCallingOptions({ protcol: "hermes" }); // throws OptionsError: There is no "protcol" in the options. Did you mean …
 */
export function checkToolCallingOptions(options: ToolCallingOptions): void {
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
 * @example
 * checkParserFields({ protcol: "hermes" }); // throws OptionsError: There is no "protcol" in the options. Did you mean …
 */
export function checkParserFields(fields: ToolCallParserFields): void {
  checkOptionNames(parserRules, fields);
  checkOptionValues(parserRules, fields);
}

/**
 * Refuses a call option that looks like one for tools: it would be passed on to the wrapped model, and do nothing.
 *
 * Errors: `OptionsError` (`bad-option`).
 *
 * @example checkCallOptions({ toolChoice: "any" }); // throws OptionsError: There is no option "toolChoice" of a call. …
 */
export function checkCallOptions(options: object): void {
  checkMisspelt(callRules, options, "a call");
  checkOptionValues(callRules, options);
}

/**
 * Refuses a misspelt option of `withStructuredOutput`, which would be ignored.
 *
 * Errors: `OptionsError` (`bad-option`).
 *
 * @example checkStructuredOutput({ includeraw: true }); // throws OptionsError: There is no option "includeraw" of …
 */
export function checkStructuredOutput(options: object): void {
  if (!isObject(options)) {
    const message = `The options of withStructuredOutput are an object, not ${describeValue(options)}.`;
    throw new OptionsError("bad-option", message);
  }
  checkMisspelt(structuredOutputRules, options, "withStructuredOutput");
  checkOptionValues(structuredOutputRules, options);
}

/**
 * The options for tool calling among the fields of a `ToolCallingChatModel`, and the others, which are LangChain's.
 *
 * @example separateFields({ protocol: "xml", verbose: true }); // { options: { protocol: "xml" }, others: { verbose: true } }
 */
export function separateFields(fields: ToolCallingOptions & BaseChatModelParams): {
  options: ToolCallingOptions;
  others: BaseChatModelParams;
} {
  const all = Object.entries(fields);
  const isOption = ([name]: [string, unknown]) => Object.hasOwn(rules, name);
  return {
    options: Object.fromEntries(all.filter(isOption)),
    others: Object.fromEntries(all.filter((field) => !isOption(field))),
  };
}
