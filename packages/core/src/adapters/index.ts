// The building blocks of framework adapters. Applications do not need them.
export { checkArgument } from "../check-argument.js";
export { base64Of } from "../common/base64.js";
export { byteAlphabet } from "../common/byte-alphabet.js";
export { canonicalJson } from "../common/canonical-json.js";
export { clip } from "../common/clip.js";
export { describeValue } from "../common/describe-value.js";
export { escapeRegExp } from "../common/escape-reg-exp.js";
export { estimatePromptTokens, estimateTokens } from "../common/estimate-tokens.js";
export {
  isTooDeep,
  jsonObject,
  jsonOrText,
  lackedByJson,
  MAX_JSON_LEVELS,
  parsedJson,
  shallowJson,
} from "../common/json-text.js";
export { lineBetween } from "../common/line-between.js";
export { didYouMean, isMisspelling, nearestNames } from "../common/nearest-name.js";
export { oncePer } from "../common/once-per.js";
export { isOpenAIAddress } from "../common/openai-address.js";
export { PartMarks } from "../common/part-marks.js";
export { isObject, isPlainObject } from "../common/plain-object.js";
export { RecentMap } from "../common/recent-map.js";
export { contentOf, messageOf } from "../common/result-text.js";
export { retryAfterMs } from "../common/retry-after.js";
export { serverMessage } from "../common/server-message.js";
export { encodingOf, TextBytes, textOfBytes } from "../common/text-bytes.js";
export { type ToolList, toolsIn } from "../common/tool-list.js";
export { CLASS_NAMES, classNames, inEitherCopy } from "../common/two-copies.js";
export { untilAborted } from "../common/until-aborted.js";
export { addUsage, reportedUsage } from "../common/usage.js";
export { isUtf16, whyNotText } from "../common/why-not-text.js";
export { whyUnreachable } from "../common/why-unreachable.js";
export { within } from "../common/within.js";
export { backends, takesGrammar } from "../grammar/backends.js";
export { keptJson, unkeptNumber } from "../notation/json/kept-json.js";
export { readStrictJson } from "../notation/json/read-json.js";
export { readNumber } from "../notation/numbers.js";
export { checkOptions } from "../options/check-options.js";
export { optionsIn } from "../options/nested-options.js";
export { checkMisspelt, checkOptionNames, sameOption } from "../options/option-names.js";
export {
  aBoolean,
  aDuration,
  aFunction,
  anObject,
  aSignal,
  aString,
  aTimer,
  checkedElsewhere,
  checkOptionValues,
  listWith,
  MAX_TIMER,
  type OptionRule,
  type OptionRules,
  oneOf,
  strings,
  wholeFrom,
  withMethods,
} from "../options/option-rules.js";
export { listAt, objectAt, textAt } from "../providers/common/expect.js";
export { converted, Losses } from "../providers/common/losses.js";
export { plainData } from "../providers/common/plain-data.js";
export { checkedSchema } from "../schema/check-schema.js";
export { describeIssues } from "../schema/describe-issues.js";
export { executableTools } from "../schema/executable-tools.js";
export { withoutFrameworkKeywords } from "../schema/framework-keywords.js";
export { join as jsonPointer, placeOf } from "../schema/json.js";
export { libraryReader, type ReadValue } from "../schema/library-reader.js";
export { mapSchemas } from "../schema/map-schemas.js";
export { closeResult, wrongResult } from "../schema/one-result.js";
export { preparedTools } from "../schema/prepared-tools.js";
export { misspeltSchemaKey } from "../schema/tool-shapes.js";
export {
  type AdapterOptions,
  adapterDefaults,
  adapterRules,
  type NativeAdapterOptions,
  nativeRules,
} from "../turn/adapter-options.js";
export { FILTERED } from "../turn/filtered.js";
export { turnOf, wholeTurnOf } from "../turn/generate-with-tools.js";
export { objectsInText, onlyObjectIn } from "../turn/objects-in-text.js";
export { type OpenedReplyOptions, parseOpenedReply } from "../turn/opened-reply.js";
export {
  HybridSelection,
  type NativeSelection,
  type ToolSelectionSettings,
} from "../turn/selection/hybrid-selection.js";
export { traceListener } from "../turn/trace.js";
export { asUntrusted, untrustedContents } from "../turn/untrusted-messages.js";
export { type ReplyPiece, whyPieces } from "../turn/why/why-text.js";
export { callAsText } from "./call-as-text.js";
export { CallFailure } from "./call-failure.js";
export { hasOneReading } from "./has-one-reading.js";
export { OpenedReplyParser } from "./opened-reply-parser.js";
export { refusalsOf } from "./refusals.js";
export { storedArguments } from "./stored-arguments.js";
export { fileLabel, type MessageFile, shownTextFile, withEscapedTexts } from "./text-file.js";
export { whyNoChoice } from "./why-no-choice.js";
export { whyUncallable } from "./why-uncallable.js";
