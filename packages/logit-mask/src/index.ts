export { LogitMaskError } from "./errors.js";
export { LogitMasks, type LogitMasksOptions, type MaskedGrammar } from "./logit-masks.js";
export type { Logits, LogitsProcessor } from "./logits-processor.js";
export { readVocabulary, type TokenizerJson, type Vocabulary } from "./vocabulary.js";
