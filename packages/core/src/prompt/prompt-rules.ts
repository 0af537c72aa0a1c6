import { isObject } from "../common/plain-object.js";
import { backends, limitRules } from "../grammar/options.js";
import { checkOptionNames } from "../options/option-names.js";
import {
  aBoolean,
  aFunction,
  checkedElsewhere,
  checkOptionValues,
  type OptionRules,
  oneOf,
  strings,
} from "../options/option-rules.js";
import { getProtocol, type ProtocolName } from "../protocols/index.js";
import type { RenderPromptOptions } from "./prompt-options.js";

/** Whether these are valid limits of a grammar; otherwise the error would appear only at the first constrained request. */
function areLimits(value: unknown): boolean {
  if (!isObject(value)) return false;
  checkOptionNames(limitRules, value, "`grammar`");
  checkOptionValues(limitRules, value, "grammar.");
  return true;
}

/**
 * The rules for the options of a prompt. `protocol` throws `ProtocolError` (`unknown-protocol`), `grammar` an
 * `OptionsError` of its own.
 */
export const promptRules: OptionRules<RenderPromptOptions> = {
  messages: checkedElsewhere,
  tools: { takes: Array.isArray, words: "a list of tools" },
  listed: { takes: Array.isArray, words: "a list of tools" },
  toolChoice: checkedElsewhere,
  protocol: { takes: (value) => getProtocol(value as ProtocolName) !== undefined, words: "a protocol" },
  style: oneOf("native", "json", "signature", "compact"),
  parallel: aBoolean,
  prefill: aBoolean,
  constraint: {
    takes: (value) => typeof value === "boolean" || value === "required",
    words: 'true, false or "required"',
  },
  backend: oneOf("gbnf", ...backends),
  grammar: { takes: areLimits, words: "an object, such as { maxItems: 10 }" },
  guard: { takes: Array.isArray, words: "a list of protocols" },
  markers: strings,
  transcript: { ...aFunction, words: "a function that writes the transcript, such as pmlTranscript()" },
};
