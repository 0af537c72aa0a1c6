// The building blocks of framework adapters. Applications do not need them.
export { canonicalJson } from "./canonical-json.js";
export { readFinishReason } from "./finish-reason.js";
export { nearestNames } from "./nearest-name.js";
export { PartMarks, withoutMarks } from "./part-marks.js";
export { isObject } from "./plain-object.js";
export { mapSchemas } from "./schema/map-schemas.js";
export { openRecords } from "./schema/open-record.js";
export { preparedTools } from "./schema/prepared-tools.js";
export { StopSequences } from "./stop-sequences.js";
export { adapterRules } from "./turn/adapter-rules.js";
export { objectsInText, onlyObjectIn } from "./turn/objects-in-text.js";
export { checkMisspelt, checkOptionNames } from "./turn/option-names.js";
export {
  aBoolean,
  aFunction,
  anObject,
  aString,
  aTimer,
  checkOptionValues,
  LONGEST_TIMER,
  type OptionRule,
  type OptionRules,
  oneOf,
  strings,
  wholeFrom,
} from "./turn/option-rules.js";
export { refusalMessage, refusalOf, type ToolRefusal } from "./turn/refusal.js";
export { catalogue } from "./turn/selection/select-tools.js";
export { readToolChoice } from "./turn/tool-choice.js";
export { whyUncallable } from "./turn/why-uncallable.js";
export { CLASS_NAMES, classNames, inEitherCopy } from "./two-copies.js";
export { untilAborted } from "./until-aborted.js";
