/**
 * Whether an address is OpenAI's own. Many servers with OpenAI's API support other fields, or accept its fields and ignore
 * them.
 *
 * Errors: none.
 *
 * @example isOpenAIAddress("https://api.openai.com/v1"); // true
 * @example isOpenAIAddress("https://api.openai.com.example.org/v1"); // false
 */
export const isOpenAIAddress = (address: string): boolean => /^https:\/\/api\.openai\.com(?:[:/]|$)/.test(address);
