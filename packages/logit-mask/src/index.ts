export { LogitMaskError } from "./errors.js";
export { LogitMasks, type MaskedGrammar } from "./logit-masks.js";
export type { Logits, LogitsProcessor } from "./logits-processor.js";
export type { LogitMasksOptions } from "./options.js";
export { readVocabulary, type TokenizerJson, type Vocabulary } from "./vocabulary.js";
