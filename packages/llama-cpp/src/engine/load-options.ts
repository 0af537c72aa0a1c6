import { OptionsError } from "@toolingua/core";
import {
  aFunction,
  checkOptionNames,
  checkOptionValues,
  isObject,
  type OptionRules,
  wholeFrom,
} from "@toolingua/core/adapters";
import type { EngineOptions } from "./engine.js";

const rules: OptionRules<EngineOptions> = {
  modelPath: { takes: (value) => typeof value === "string" && value !== "", words: "the path of a GGUF file" },
  // Numbers are checked against this machine.
  threads: {
    takes: (value) => typeof value === "number" || isObject(value),
    words: "a whole number from 1, or { prefill, decode }",
  },
  contextSize: wholeFrom(1),
  sequences: wholeFrom(1),
  chatTemplate: {
    takes: (value) => typeof value === "string" || (isObject(value) && typeof value.template === "string"),
    words: "a Jinja template, or { template, stop }",
  },
  onLog: aFunction,
  signal: { takes: (value) => value instanceof AbortSignal, words: "an AbortSignal" },
};

/**
 * Checks the options of an engine.
 *
 * Errors: `OptionsError` (`bad-option`).
 *
 * @example checkLoadOptions({ modelPath, contextsize: 4096 }); // throws: … Did you mean "contextSize"?
 */
export function checkLoadOptions(options: EngineOptions): void {
  checkOptionNames(rules, options, "the options of LlamaCppEngine.load");
  if (options.modelPath === undefined)
    throw new OptionsError(
      "bad-option",
      "`modelPath` is missing: the path of a GGUF file, which resolveModel() finds.",
    );
  checkOptionValues(rules, options);
}
