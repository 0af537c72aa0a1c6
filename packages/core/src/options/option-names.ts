import { describeValue } from "../common/describe-value.js";
import { didYouMean, nearestNames, plainName } from "../common/nearest-name.js";
import { OptionsError } from "../errors.js";
import type { OptionRule } from "./option-rules.js";

/**
 * Checks that all option names are known: a misspelt option would be silently ignored. `elsewhere`: the hint for an
 * option that belongs to another object, by name.
 *
 * Errors: {@link OptionsError}.
 *
 * @example checkOptionNames(adapterRules, { protcol: "hermes" }); // throws: There is no "protcol" in the options. …
 */
export function checkOptionNames(
  rules: Readonly<Record<string, OptionRule>>,
  options: object,
  where = "the options",
  elsewhere: Readonly<Record<string, string>> = {},
): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new OptionsError("bad-option", `${capitalized(where)} must be an object, not ${describeValue(options)}.`);
  }
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(rules, name));
  if (unknown === undefined) return;
  const place = Object.keys(elsewhere).find((name) => plainName(name) === plainName(unknown));
  const names = Object.keys(rules);
  const same = sameOption(unknown, names);
  const hint = place !== undefined ? elsewhere[place] : didYouMean(same ?? unknown, names);
  throw new OptionsError("bad-option", `There is no "${unknown}" in ${where}. ${hint}`);
}

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Names of one option, in this package, its adapters and other packages. */
const SAME_OPTION: readonly (readonly string[])[] = [
  ["maxInvalidCallRetries", "maxRetries"],
  ["budget", "maxToolRounds", "maxSteps", "maxTurns", "maxIterations", "recursionLimit", "stopWhen"],
  ["instructions", "system", "systemPrompt", "systemMessage"],
  ["stop", "stopSequences"],
  ["maxTokens", "maxOutputTokens", "maxCompletionTokens", "maxNewTokens", "numPredict"],
  ["concurrency", "maxConcurrency"],
  ["toolSelection", "selection"],
  ["parallel", "parallelToolCalls"],
  ["signal", "abortSignal"],
  ["baseURL", "url", "endpoint"],
  ["apiKey", "key"],
  ["parameters", "inputSchema", "schema"],
  ["needsApproval", "requireApproval"],
  ["resultAsAnswer", "returnDirect"],
];

/**
 * The option probably meant by an unknown name: the one that other packages call so, or the nearest by spelling.
 *
 * @example optionMeant("maxSteps", budgetAndOthers); // "budget"
 */
function optionMeant(unknown: string, rules: Readonly<Record<string, OptionRule>>): string | undefined {
  const names = Object.keys(rules);
  return sameOption(unknown, names) ?? nearestNames(unknown, names).meant;
}

/**
 * The one of these options that other packages call so.
 *
 * @example sameOption("api_key", ["baseURL", "apiKey"]); // "apiKey"
 */
export function sameOption(unknown: string, options: readonly string[]): string | undefined {
  const same = SAME_OPTION.find((names) => names.some((name) => plainName(name) === plainName(unknown)));
  return same?.find((name) => options.includes(name));
}

/**
 * The same for an object that may have other fields: refuses a name only if it resembles an option that is not given.
 *
 * Errors: {@link OptionsError}.
 */
export function checkMisspelt(rules: Readonly<Record<string, OptionRule>>, options: object, where: string): void {
  for (const name in options) {
    if (Object.hasOwn(rules, name)) continue;
    const meant = optionMeant(name, rules);
    if (meant === undefined || meant in options) continue;
    throw new OptionsError("bad-option", `There is no option "${name}" of ${where}. Did you mean "${meant}"?`);
  }
}
