import { OptionsError } from "@toolingua/core";
import { checkOptions, type OptionRules, wholeFrom } from "@toolingua/core/adapters";

/** Limits of a document. Reading ends with a `PmlSyntaxError` `limit` if one is exceeded. */
export interface PmlLimits {
  /** Characters (UTF-16 units). Default 20,000,000. */
  maxLength?: number | undefined;
  /** Nesting of elements, and of the JSON in calls and tools. Default 256. */
  maxDepth?: number | undefined;
  /** Attributes of one element. Default 256. */
  maxAttributes?: number | undefined;
}

const rules: OptionRules<PmlLimits> = {
  maxLength: wholeFrom(1, true),
  maxDepth: wholeFrom(1),
  maxAttributes: wholeFrom(1),
};

/** The limits with their defaults. Errors: {@link OptionsError}. */
export function limitsOf(given: PmlLimits): Required<{ [K in keyof PmlLimits]: number }> {
  checkOptions(rules, given, "the options of a PML reader");
  const { maxLength = 20_000_000, maxDepth = 256, maxAttributes = 256 } = given;
  // Data is written and compared by recursive functions.
  if (maxDepth > 1_000) throw new OptionsError("bad-option", `\`maxDepth\` is at most 1000, not ${maxDepth}.`);
  return { maxLength, maxDepth, maxAttributes };
}
