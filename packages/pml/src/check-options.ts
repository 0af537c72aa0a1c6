import { checkOptionNames, checkOptionValues, type OptionRule } from "@toolingua/core/adapters";

export const aText: OptionRule = { takes: (value) => typeof value === "string", words: "a string" };

/** Checks the names and values of options. Errors: `OptionsError` (`bad-option`). */
export function checkOptions(rules: Readonly<Record<string, OptionRule>>, given: object, where = "the options"): void {
  checkOptionNames(rules, given, where);
  checkOptionValues(rules, given);
}
