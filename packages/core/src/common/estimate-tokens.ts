/** The average length of an English token, in characters (UTF-16 units). */
const CHARACTERS = 4;

/** The tokens that a chat template adds to a message. */
const PER_MESSAGE = 4;

/**
 * Estimates the number of tokens in a text of this many characters (UTF-16 units), for models whose tokenizer is unknown.
 *
 * @example estimateTokens("It is sunny.".length); // 3
 */
export const estimateTokens = (characters: number): number => Math.ceil(characters / CHARACTERS);

/**
 * Estimates the number of tokens in a prompt of messages with these contents.
 *
 * @example estimatePromptTokens(["Be brief.", "Hello"]); // 13
 */
export const estimatePromptTokens = (contents: readonly string[]): number =>
  contents.reduce((sum, { length }) => sum + PER_MESSAGE + estimateTokens(length), 0);
