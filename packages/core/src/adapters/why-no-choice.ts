import type { ToolDefinition } from "../types.js";

/**
 * Explains that a `tool_choice`, the name of the option in most APIs, is none that `readToolChoice` reads.
 *
 * Errors: none.
 *
 * @example
 * whyNoChoice("ad", [{ name: "add" }]); // 'tool_choice "ad" is neither "auto", "any", "required" or "none" nor one of the tools (add).'
 */
export function whyNoChoice(asked: unknown, tools: readonly ToolDefinition[]): string {
  const names = tools.map(({ name }) => name).join(", ") || "none";
  return `tool_choice ${JSON.stringify(asked)} is neither "auto", "any", "required" or "none" nor one of the tools (${names}).`;
}
