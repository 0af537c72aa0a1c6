import { isObject } from "../common/plain-object.js";
import { checkOptionNames } from "./option-names.js";
import { checkOptionValues, type OptionRule } from "./option-rules.js";

/**
 * The rule for an option that holds options of its own. `takes` throws an {@link OptionsError} for one of them that is wrong.
 *
 * @example
 * optionsIn("grammar", { maxItems: wholeFrom(1) }, "an object, such as { maxItems: 10 }").takes({ maxItem: 3 }); // throws
 */
export const optionsIn = (name: string, rules: Readonly<Record<string, OptionRule>>, words: string): OptionRule => ({
  takes(value) {
    if (!isObject(value)) return false;
    checkOptionNames(rules, value, `\`${name}\``);
    checkOptionValues(rules, value, `${name}.`);
    return true;
  },
  words,
});
