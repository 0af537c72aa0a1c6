import {
  aFunction,
  anObject,
  aTimer,
  checkOptionNames,
  checkOptionValues,
  type OptionRule,
  type OptionRules,
  wholeFrom,
} from "@toolingua/core/adapters";
import type { ApiFiles } from "./files.js";
import type { OpenApiOptions } from "./openapi-tools.js";

const aPlace: OptionRule = {
  takes: (value) => typeof value === "string" || value instanceof URL,
  words: "a string or a URL",
};

const rules: OptionRules<OpenApiOptions> = {
  baseUrl: aPlace,
  location: aPlace,
  allow: { takes: Array.isArray, words: "a list of origins" },
  include: aFunction,
  credentials: anObject,
  mediaType: aFunction,
  files: anObject,
  maxFileBytes: wholeFrom(1),
  authorize: aFunction,
  fetch: aFunction,
  timeout: aTimer,
  maxResponseBytes: wholeFrom(1),
  onProblem: aFunction,
};

const fileRules: OptionRules<ApiFiles> = { read: aFunction, save: aFunction };

/** Errors: `OptionsError` (`bad-option`). */
export function checkOptions(options: OpenApiOptions): void {
  checkOptionNames(rules, options, "the options of openApiTools");
  checkOptionValues(rules, options);
  if (options.files === undefined) return;
  checkOptionNames(fileRules, options.files, "files");
  checkOptionValues(fileRules, options.files, "files.");
}
