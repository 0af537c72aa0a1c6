import { aString, checkedElsewhere, type OptionRule } from "../options/option-rules.js";

// Rules for the options that the functions of whole prompts share.

export const aDate: OptionRule = {
  // Of any realm.
  takes: (value) => Object.prototype.toString.call(value) === "[object Date]" && !Number.isNaN(Number(value)),
  words: "a Date",
};

/** A format and a template have errors of their own. */
export const choiceRules = { format: checkedElsewhere, template: checkedElsewhere, model: aString };
