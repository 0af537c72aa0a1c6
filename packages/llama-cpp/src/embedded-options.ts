import { OptionsError } from "@toolingua/core";
import {
  aString,
  checkArgument,
  checkMisspelt,
  checkOptionValues,
  type OptionRules,
  optionsIn,
} from "@toolingua/core/adapters";
import type { EngineChoice, Sampling } from "./embedded-engine.js";
import { anEngine, samplingRules } from "./engine/generate-options.js";
import { engineRules } from "./engine/load-options.js";
import { storeRules } from "./model-store/options.js";

/** What the embedded models of all frameworks take. */
export interface EmbeddedOptions extends EngineChoice, Sampling {
  /** The reply ends before any of these texts. */
  stop?: string[] | undefined;
}

const rules: OptionRules<EmbeddedOptions> = {
  engine: anEngine,
  modelPath: aString,
  model: aString,
  engineOptions: optionsIn("engineOptions", engineRules, "an object, such as { contextSize: 4096 }"),
  resolveOptions: optionsIn("resolveOptions", storeRules, 'an object, such as { sources: ["wheels"] }'),
  ...samplingRules,
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
  const choices = (["engine", "modelPath", "model"] as const).filter((name) => options[name] !== undefined);
  if (choices.length < 2) return;
  const given = choices.map((name) => `\`${name}\``).join(" and ");
  throw new OptionsError("bad-option", `${where} takes one of \`engine\`, \`modelPath\` and \`model\`, not ${given}.`);
}
