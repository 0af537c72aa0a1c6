import { isObject } from "../common/plain-object.js";
import { checkOptions } from "../options/check-options.js";
import {
  aBoolean,
  aFunction,
  anObject,
  aSignal,
  type OptionRules,
  oneOf,
  strings,
  wholeFrom,
  withMethods,
} from "../options/option-rules.js";
import { promptRules } from "../prompt/prompt-rules.js";
import { adapterRules } from "./adapter-options.js";
import type { GenerateInput, GenerateOptions } from "./generate-options.js";

const { guard: _, listed: __, ...ofPrompt } = promptRules;
// Here it is a `ToolSelection`, which adapters make of their option.
const { toolSelection: ___, ...ofAdapters } = adapterRules;

/** The rules for the options of a turn. */
export const turnRules: OptionRules<GenerateOptions> = {
  ...ofPrompt,
  ...ofAdapters,
  model: { ...aFunction, words: "a text model, such as `chatEndpoint()` makes" },
  // Rendering the prompt checks the messages themselves, with separate errors.
  messages: { takes: Array.isArray, words: "a list of messages" },
  toolSelection: withMethods("a ToolSelection", "recall"),
  onMissingCall: oneOf("throw", "surface"),
  liveCalls: aBoolean,
  liveAnswer: aBoolean,
  answersByCall: aBoolean,
  answerSchema: { takes: (value) => isObject(value) || typeof value === "boolean", words: "a JSON Schema" },
  accept: oneOf("any", "own"),
  stop: strings,
  signal: aSignal,
  fields: { ...anObject, words: "an object, such as { top_p: 0.9 }" },
  maxTokens: wholeFrom(1),
  temperature: {
    takes: (value) => typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY,
    words: "a number from 0",
  },
  seed: { takes: Number.isInteger, words: "a whole number" },
  onRetry: aFunction,
};

/** Options of `parseReply` that a turn needs not. */
export const knownToTurns = { untrusted: "A turn takes the texts of users and results from `messages`." };

/**
 * Checks the names and values of the options of a turn.
 *
 * Errors: {@link OptionsError}; `ProtocolError` (`unknown-protocol`).
 */
export function checkTurnOptions(options: GenerateInput): void {
  checkOptions(turnRules, options, "the options of a turn", ["model", "messages"], knownToTurns);
}
