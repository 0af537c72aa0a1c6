import { isObject } from "../common/plain-object.js";
import { TOOL_LIST } from "../common/tool-list.js";
import { backends } from "../grammar/backends.js";
import { limitRules } from "../grammar/options.js";
import { optionsIn } from "../options/nested-options.js";
import {
  aBoolean,
  aFunction,
  checkedElsewhere,
  listWith,
  type OptionRules,
  oneOf,
  strings,
} from "../options/option-rules.js";
import { getProtocol, type ProtocolName } from "../protocols/index.js";
import type { RenderPromptOptions } from "./prompt-options.js";

/**
 * The rules for the options of a prompt. `protocol` throws `ProtocolError` (`unknown-protocol`), `grammar` an
 * `OptionsError` of its own.
 */
export const promptRules: OptionRules<RenderPromptOptions> = {
  messages: checkedElsewhere,
  tools: { takes: Array.isArray, words: TOOL_LIST },
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
  // Otherwise the error would appear only at the first constrained request.
  grammar: optionsIn("grammar", limitRules, "an object, such as { maxItems: 10 }"),
  guard: {
    takes: listWith((one) => isObject(one) && getProtocol(one as never) !== undefined),
    words: "a list of protocols",
  },
  markers: strings,
  transcript: { ...aFunction, words: "a function that writes the transcript, such as pmlTranscript()" },
};
