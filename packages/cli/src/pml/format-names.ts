/** The formats that `pml convert` reads and writes, in the order of its help. */
export const pmlFormats = [
  ...(["pml", "json", "markdown", "poml", "atif", "state", "langchain", "llamaindex", "ai-sdk", "toolingua"] as const),
  ...(["openai", "openai-responses", "openai-functions", "anthropic", "gemini"] as const),
] as const;

export type PmlFormat = (typeof pmlFormats)[number];
