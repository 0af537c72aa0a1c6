import { isObject } from "../common/plain-object.js";
import { OptionsError } from "../errors.js";
import { checkOptionNames } from "../options/option-names.js";
import { anObject, aString, checkOptionValues, type OptionRules } from "../options/option-rules.js";
import type { GivenAliases } from "../schema/aliases.js";

const aliasRules: OptionRules<GivenAliases[string]> = { alias: aString, parameters: anObject };

/** Checks the shape of aliases. Errors: {@link OptionsError}. `aliasesFor` checks their names. */
export function checkAliases(aliases: GivenAliases): void {
  for (const [tool, given] of Object.entries(aliases)) {
    if (!isObject(given))
      throw new OptionsError("bad-option", `\`aliases.${tool}\` is an object such as { alias: "W" }.`);
    checkOptionNames(aliasRules, given, `\`aliases.${tool}\``);
    checkOptionValues(aliasRules, given, `aliases.${tool}.`);
  }
}
