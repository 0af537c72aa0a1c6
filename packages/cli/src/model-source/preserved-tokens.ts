import { getProtocol, type ProtocolName, type ToolDefinition } from "@toolingua/core";

const tool: ToolDefinition = {
  name: "example_tool",
  parameters: { type: "object", properties: { argument: { type: "string" } } },
};

/**
 * The request field that keeps a format's markers in a reply: llama.cpp's server removes special tokens from the text,
 * except the listed ones. Other servers need no field.
 *
 * @param words other texts to preserve, such as those that trigger a grammar
 * @example preservedTokens("hermes", "llama.cpp"); // { preserved_tokens: ["<tool_call>", "</tool_call>"] }
 */
export function preservedTokens(
  protocol: ProtocolName,
  backend: string | undefined,
  words: readonly string[] = [],
): { preserved_tokens?: string[] } {
  if (backend !== "llama.cpp") return {};
  const call = { name: tool.name, arguments: { argument: "x" } };
  const sample = getProtocol(protocol).renderCalls([call], { tools: [tool] });
  const markers = (sample.match(/<[^<>\s]+>|\[\/?[A-Z_]+\]/g) ?? []).filter(
    (marker) => !/example_tool|argument/.test(marker),
  );
  const tokens = [...new Set([...markers, ...words])];
  return tokens.length > 0 ? { preserved_tokens: tokens } : {};
}
