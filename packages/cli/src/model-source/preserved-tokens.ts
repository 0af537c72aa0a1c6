import { getProtocol, type ProtocolName, type ToolDefinition } from "@toolingua/core";

const tool: ToolDefinition = {
  name: "example_tool",
  parameters: { type: "object", properties: { argument: { type: "string" } } },
};

/**
 * The field that keeps a format's own markers in a reply: llama.cpp's server leaves special tokens out of the text, except those
 * that are named. None for other servers.
 *
 * @param words what else is looked for in a reply, such as the words that begin a grammar
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
