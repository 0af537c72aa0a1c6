import { isObject } from "../common/plain-object.js";
import { TOOL_LIST } from "../common/tool-list.js";
import { aBoolean, aString, type OptionRules, oneOf, wholeFrom, wholeWithin } from "../options/option-rules.js";
import { backends, type ConstraintBackend } from "./backends.js";
import type {
  ConstraintOptions,
  JsonGrammarOptions,
  ReplySchemaOptions,
  ToolCallGrammarInput,
} from "./grammar-options.js";
import { MAX_REPEAT } from "./rules.js";

export const backendRules: OptionRules<{ backend: ConstraintBackend }> = { backend: oneOf(...backends) };

/** The limits of grammars. The upper ends keep a grammar small enough for engines to load. */
export const limitRules = {
  maxUnordered: wholeWithin(0, 10),
  maxStringLength: wholeFrom(0),
  maxItems: wholeWithin(1, MAX_REPEAT),
  maxDepth: wholeWithin(0, 64),
  maxCalls: wholeWithin(1, MAX_REPEAT),
};

const { maxCalls, ...styleRules } = { ...limitRules, closed: aBoolean };
const gapRules = { onUnenforced: oneOf("report", "error"), onNarrowed: oneOf("report", "error") };

export const jsonRules: OptionRules<JsonGrammarOptions> = {
  ...styleRules,
  ...gapRules,
  escape: oneOf("markup"),
  whitespace: oneOf("none", "spaced", "pretty", "any"),
};

export const replyRules: OptionRules<ReplySchemaOptions> = {
  tools: { takes: Array.isArray, words: TOOL_LIST },
  protocol: {
    takes: (value) => typeof value === "string" || isObject(value),
    words: "a protocol, or the name of one",
  },
  toolChoice: {
    takes: (value) =>
      ["auto", "required", "none"].includes(value as string) || (isObject(value) && typeof value.name === "string"),
    words: '"auto", "required" or { name }',
  },
  maxCalls,
};

export const callRules: OptionRules<ToolCallGrammarInput> = {
  ...replyRules,
  ...styleRules,
  ...gapRules,
  lazy: aBoolean,
  parallel: aBoolean,
  prefix: aString,
  prefill: aString,
};

export const constraintRules: OptionRules<ConstraintOptions> = { ...callRules, engine: oneOf("llguidance") };

/** The options that every grammar of calls needs. */
export const NEEDED = ["tools", "protocol", "toolChoice"];
