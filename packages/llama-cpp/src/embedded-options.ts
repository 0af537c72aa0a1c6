import {
  anObject,
  aString,
  checkArgument,
  checkMisspelt,
  checkOptionValues,
  type OptionRule,
  type OptionRules,
  strings,
  wholeFrom,
} from "@toolingua/core/adapters";
import type { EngineChoice, Sampling } from "./embedded-engine.js";

/** What the embedded models of all frameworks take. */
export interface EmbeddedOptions extends EngineChoice, Sampling {
  /** The reply ends before any of these texts. */
  stop?: string[] | undefined;
}

const aTemperature: OptionRule = {
  takes: (value) => typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY,
  words: "a number from 0",
};
const aShare: OptionRule = {
  takes: (value) => typeof value === "number" && value >= 0 && value <= 1,
  words: "a number from 0 to 1",
};

const rules: OptionRules<EmbeddedOptions> = {
  engine: anObject,
  modelPath: aString,
  model: aString,
  engineOptions: anObject,
  resolveOptions: anObject,
  temperature: aTemperature,
  topP: aShare,
  topK: wholeFrom(0),
  minP: aShare,
  seed: { takes: Number.isInteger, words: "a whole number" },
  maxTokens: wholeFrom(1),
  stop: strings,
};

/**
 * Checks the options of an embedded model. A framework's own options may be next to them, so a name is refused only where
 * it looks like one of these.
 *
 * Errors: `OptionsError` (`bad-option`).
 *
 * @example
 * checkEmbeddedOptions({ temprature: 0 }, "EmbeddedLLM"); // throws: There is no option "temprature" of EmbeddedLLM. Did you mean "temperature"?
 */
export function checkEmbeddedOptions(options: EmbeddedOptions, where: string): void {
  checkArgument("options", "object", options, `an object, of ${where}`);
  checkMisspelt(rules, options, where);
  const known = Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(rules, name)));
  checkOptionValues(rules, known);
}
