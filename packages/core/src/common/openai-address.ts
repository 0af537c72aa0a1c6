/**
 * Whether an address is OpenAI's own. Many servers with OpenAI's API support other fields, or accept its fields and ignore
 * them.
 *
 * Errors: none.
 *
 * @example isOpenAIAddress("https://api.openai.com/v1"); // true
 * @example isOpenAIAddress("https://api.openai.com.example.org/v1"); // false
 */
export function isOpenAIAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" && hostname === "api.openai.com";
}
