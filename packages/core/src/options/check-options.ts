import { OptionsError } from "../errors.js";
import { checkOptionNames } from "./option-names.js";
import { checkOptionValues, type OptionRule } from "./option-rules.js";

/**
 * Checks an object of options: that it is one, then its names, then that the `required` options are given, then all values.
 * `where`: what messages call it; `elsewhere`: see {@link checkOptionNames}.
 *
 * Errors: `OptionsError` (`bad-option`); what a rule throws.
 *
 * @example checkOptions({ tokens: wholeFrom(1) }, {}, "the history", ["tokens"]);
 * // throws: `tokens` is missing in the history: a whole number from 1.
 */
export function checkOptions(
  rules: Readonly<Record<string, OptionRule>>,
  options: object,
  where = "the options",
  required: readonly string[] = [],
  elsewhere?: Readonly<Record<string, string>>,
): void {
  checkOptionNames(rules, options, where, elsewhere);
  const missing = required.find((name) => (options as Record<string, unknown>)[name] === undefined);
  if (missing !== undefined)
    throw new OptionsError("bad-option", `\`${missing}\` is missing in ${where}: ${rules[missing]?.words}.`);
  checkOptionValues(rules, options);
}
