import { OptionsError } from "@toolingua/core";
import {
  checkOptionNames,
  checkOptionValues,
  isObject,
  type OptionRule,
  type OptionRules,
  oneOf,
} from "@toolingua/core/adapters";
import type { Vocabulary } from "./vocabulary.js";

/** The options of `LogitMasks`. */
export interface LogitMasksOptions {
  vocabulary: Vocabulary;
  /** The tokens that end a reply. */
  endTokens: number | readonly number[];
}

/** The replies of a batch at most. */
const MAX_BATCH_SIZE = 2 ** 16;

const isWhole = (value: unknown, least: number, most: number) =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
const isId = (value: unknown) => isWhole(value, 0, Number.MAX_SAFE_INTEGER);

const rules: OptionRules<LogitMasksOptions> = {
  vocabulary: {
    takes: (value) => isObject(value) && Array.isArray(value.tokens),
    words: "{ tokens, type }, which readVocabulary(tokenizer) returns",
  },
  endTokens: {
    takes: (value) => isId(value) || (Array.isArray(value) && value.every(isId)),
    words: "the id of a token or a list of ids",
  },
};

const vocabularyRules: Record<keyof Pick<Vocabulary, "type">, OptionRule> = {
  type: oneOf("byte_level", "byte_fallback", "raw"),
};

/**
 * Checks the options of `LogitMasks`. Errors: `OptionsError` (`bad-option`).
 *
 * @example checkMaskOptions({ vocabulary, endToken: 2 }); // throws: There is no "endToken" in the options of LogitMasks. …
 */
export function checkMaskOptions(options: LogitMasksOptions): void {
  const where = "the options of LogitMasks";
  checkOptionNames(rules, options, where);
  for (const [name, { words }] of Object.entries(rules)) {
    if (options[name as keyof LogitMasksOptions] === undefined)
      throw new OptionsError("bad-option", `\`${name}\` is missing in ${where}: ${words}.`);
  }
  const { vocabulary } = options;
  if (vocabulary !== null && "model" in Object(vocabulary)) {
    const message =
      "`vocabulary` is the tokenizer itself: give readVocabulary(tokenizer), with the object of its tokenizer.json.";
    throw new OptionsError("bad-option", message);
  }
  checkOptionValues(rules, options);
  checkOptionValues(vocabularyRules, { type: vocabulary.type ?? null }, "vocabulary.");
}

const batchRules: Record<"batchSize", OptionRule> = {
  batchSize: {
    takes: (value) => isWhole(value, 1, MAX_BATCH_SIZE),
    words: `a whole number from 1 to ${MAX_BATCH_SIZE}`,
  },
};

/**
 * Checks the number of replies of a batch. Errors: `OptionsError` (`bad-option`).
 *
 * @example checkBatchSize(0); // throws: `batchSize` is a whole number from 1 to 65536, not 0.
 */
export function checkBatchSize(batchSize: number): void {
  checkOptionValues(batchRules, { batchSize });
}
