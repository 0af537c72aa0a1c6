import { grammarRanges } from "../grammar/options.js";
import { isObject } from "../plain-object.js";
import type { RenderPromptOptions } from "../prompt/render-prompt.js";
import { getProtocol, type ProtocolName } from "../protocols/index.js";
import { checkOptionNames } from "./option-names.js";
import {
  aBoolean,
  aFunction,
  checkOptionValues,
  type OptionRule,
  type OptionRules,
  oneOf,
  wholeFrom,
  wholeWithin,
} from "./option-rules.js";

const { maxUnordered, maxStringLength, maxItems, maxDepth, maxCalls } = grammarRanges;
const bounds: OptionRules<NonNullable<RenderPromptOptions["grammar"]>> = {
  maxUnordered: wholeWithin(...maxUnordered),
  maxStringLength: wholeFrom(maxStringLength[0]),
  maxItems: wholeWithin(...maxItems),
  maxDepth: wholeWithin(...maxDepth),
  maxCalls: wholeWithin(...maxCalls),
};

/** Whether these are valid grammar limits; otherwise the error would appear only at the first request. */
function areBounds(value: unknown): boolean {
  if (!isObject(value)) return false;
  checkOptionNames(bounds, value, "`grammar`");
  checkOptionValues(bounds, value, "grammar.");
  return true;
}

/**
 * The options that all adapters share. `protocol` throws `ProtocolError` (`unknown-protocol`), `grammar` an
 * `OptionsError` of its own.
 */
export const adapterRules = {
  protocol: { takes: (value: unknown) => getProtocol(value as ProtocolName) !== undefined, words: "a protocol" },
  style: oneOf("native", "json", "signature", "compact"),
  onInvalidCall: oneOf("retry", "surface", "throw"),
  maxInvalidCallRetries: wholeFrom(0),
  maxRepeatedCalls: wholeFrom(0, true),
  copiedCalls: oneOf("text", "call"),
  constraint: oneOf("off", "auto", "required", "fallback"),
  grammar: { takes: areBounds, words: "an object, such as { maxItems: 10 }" },
  prefill: aBoolean,
  transcript: { ...aFunction, words: "a function that writes the transcript, such as pmlTranscript()" },
  toolSelection: {
    takes: (value: unknown) => value === true || isObject(value),
    words: "true, or an object such as { from: 20 }",
  },
  generateId: aFunction,
  onTrace: aFunction,
} satisfies Record<string, OptionRule>;
