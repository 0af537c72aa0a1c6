import { isObject } from "../../common/plain-object.js";
import { checkOptions } from "../../options/check-options.js";
import { aBoolean, type OptionRule, type OptionRules } from "../../options/option-rules.js";
import type { ToolChoice } from "../../types.js";
import { itemsAt, listAt, objectAt, ProviderFormatError } from "./expect.js";
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

const CHOICES: readonly unknown[] = ["auto", "none", "required"];

function choiceAt(choice: ToolChoice): ToolChoice {
  if (CHOICES.includes(choice) || (isObject(choice) && typeof choice.name === "string")) return choice;
  throw new ProviderFormatError("", '"auto", "none", "required" or { name }', choice);
}

/**
 * The same format, whose functions check their input and options first. Errors: `ProviderFormatError`, `OptionsError`
 * (`bad-option`).
 */
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
    fromTools: (tools) => {
      listAt(tools, "", "a list of tools");
      return format.fromTools(tools);
    },
    toToolChoice: (choice) => format.toToolChoice(choiceAt(choice)),
    fromToolChoice: checked(readRules, "fromToolChoice", format.fromToolChoice),
    toCalls: (calls) => format.toCalls(itemsAt(calls, "", "a call: { id, name, arguments }")),
    fromCalls: checked(readRules, "fromCalls", (calls, options) => {
      listAt(calls, "", "a list of calls");
      return format.fromCalls(calls, options);
    }),
    toResults: (results) => format.toResults(itemsAt(results, "", "a result: { toolCallId, name, content }")),
    fromResults: checked(resultRules, "fromResults", (results, options) => {
      listAt(results, "", "a list of results");
      return format.fromResults(results, options);
    }),
    toRequest: checked(writeRules, "toRequest", (conversation, options) => {
      const { toolChoice } = objectAt(conversation, "", "a conversation: { messages, tools, toolChoice }");
      if (toolChoice !== undefined) choiceAt(toolChoice as ToolChoice);
      return format.toRequest(conversation, options);
    }),
    fromRequest: checked(requestRules, "fromRequest", format.fromRequest),
    fromResponse: checked(readRules, "fromResponse", format.fromResponse),
  };
}
