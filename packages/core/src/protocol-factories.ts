import { checkOptions } from "./options/check-options.js";
import { checkOptionNames } from "./options/option-names.js";
import { anObject, aString, checkOptionValues, type OptionRules, oneOf, wholeFrom } from "./options/option-rules.js";
import type { Protocol } from "./protocol.js";
import { type AmXmlOptions, amXml as makeAmXml } from "./protocols/am-xml.js";
import { type JsonActionOptions, jsonAction as makeJsonAction } from "./protocols/json-action.js";
import { type LaicOptions, laic as makeLaic } from "./protocols/laic.js";
import type { GivenAliases } from "./schema/aliases.js";

// The public entry to the protocols with options: checks them.

const amXmlRules: OptionRules<AmXmlOptions> = {
  definitions: oneOf("elements", "schema"),
  structured: oneOf("json", "nested"),
  errors: oneOf("message", "detailed"),
};
const jsonActionRules: OptionRules<JsonActionOptions> = {
  mode: oneOf("tolerant", "strict"),
  maxThought: wholeFrom(1, true),
};
const laicRules: OptionRules<LaicOptions> = { aliases: anObject };
const aliasRules: OptionRules<GivenAliases[string]> = { alias: aString, parameters: anObject };

/**
 * One element per call, one child per argument, in the `am:` namespace. A call is never self-closing, so that its
 * closing tag can be a stop sequence.
 *
 * Errors: `OptionsError` (`bad-option`) for an unknown option or a wrong value.
 *
 * @example
 * amXml({ errors: "detailed" }).renderCalls([{ name: "calculator", arguments: { a: 5, b: 3 } }], { tools });
 * // <am:tool_call name="calculator"><a>5</a><b>3</b></am:tool_call>
 */
export function amXml(options: AmXmlOptions = {}): Protocol {
  checkOptions(amXmlRules, options, "the options of amXml");
  return makeAmXml(options);
}

/**
 * One JSON object for the whole message: a thought, and either a call or the final answer. For models and servers with
 * a JSON mode, which allows no other text.
 *
 * Errors: `OptionsError` (`bad-option`) for an unknown option or a wrong value.
 *
 * @example
 * jsonAction({ mode: "strict" }).renderCalls([{ name: "add", arguments: { a: 2, b: 3 } }], { tools });
 * // {"action": {"tool": "add", "args": {"a": 2, "b": 3}}}
 */
export function jsonAction(options: JsonActionOptions = {}): Protocol {
  checkOptions(jsonActionRules, options, "the options of jsonAction");
  return makeJsonAction(options);
}

/**
 * Lightweight Agentic Invocation Convention: the call is one empty element at the end of the message, with short
 * aliases for tools and parameters. A call takes few tokens, and a model that is asked for its tools does not know
 * their internal names.
 *
 * Errors: `OptionsError` (`bad-option`) for an unknown option or a wrong value; `AliasError` for a bad alias, where tools
 * are first shown, calls are rendered or a reply parser is made.
 *
 * @example
 * laic({ aliases: { get_weather: { alias: "W" } } }).renderCalls(calls, { tools });
 * // <call name="W" loc="San Francisco"/>
 */
export function laic(options: LaicOptions = {}): Protocol {
  checkOptions(laicRules, options, "the options of laic");
  for (const [tool, names] of Object.entries(options.aliases ?? {})) {
    checkOptionNames(aliasRules, names, `the aliases of ${JSON.stringify(tool)}`);
    checkOptionValues(aliasRules, names, `aliases.${tool}.`);
  }
  return makeLaic(options);
}
