import { isObject } from "../../common/plain-object.js";
import { checkOptions } from "../../options/check-options.js";
import { aBoolean, type OptionRule, type OptionRules } from "../../options/option-rules.js";
import type {
  ProviderFormat,
  ProviderShapes,
  ReadOptions,
  ReadRequestOptions,
  ReadResultsOptions,
  WriteOptions,
} from "./types.js";

/** A list of objects with these fields, which are strings. */
const listOf = (...fields: string[]): OptionRule => ({
  takes: (value) =>
    Array.isArray(value) &&
    value.every((one: unknown) => isObject(one) && fields.every((field) => typeof one[field] === "string")),
  words: `a list of { ${fields.join(", ")} }`,
});

const writeRules: OptionRules<WriteOptions> = { jsonSchema: aBoolean };
const readRules: OptionRules<ReadOptions> = { tools: listOf("name") };
const requestRules: OptionRules<ReadRequestOptions> = { ...readRules, images: aBoolean };
const resultRules: OptionRules<ReadResultsOptions> = { ...readRules, calls: listOf("id", "name") };

/** The same format, whose functions check their options first. Errors: `OptionsError` (`bad-option`). */
export function withCheckedOptions<S extends ProviderShapes>(format: ProviderFormat<S>): ProviderFormat<S> {
  const checked =
    <Given, Options extends object, Result>(
      rules: OptionRules<Options>,
      name: string,
      convert: (given: Given, options?: Options) => Result,
    ) =>
    (given: Given, options?: Options): Result => {
      if (options !== undefined) checkOptions(rules, options, `the options of ${name}`);
      return convert(given, options);
    };
  return {
    ...format,
    toTools: checked(writeRules, "toTools", format.toTools),
    fromToolChoice: checked(readRules, "fromToolChoice", format.fromToolChoice),
    fromCalls: checked(readRules, "fromCalls", format.fromCalls),
    fromResults: checked(resultRules, "fromResults", format.fromResults),
    toRequest: checked(writeRules, "toRequest", format.toRequest),
    fromRequest: checked(requestRules, "fromRequest", format.fromRequest),
    fromResponse: checked(readRules, "fromResponse", format.fromResponse),
  };
}
