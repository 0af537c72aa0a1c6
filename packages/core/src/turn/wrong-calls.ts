import { validateJson } from "../schema/validate.js";
import type { ChatMessage, ToolDefinition } from "../types.js";

/**
 * Whether the messages end with the results of a step that had only wrong calls: of unknown tools, or with arguments that do
 * not match. The loop that answered them has asked the model again already.
 *
 * @example
 * const call = { id: "1", name: "ad", arguments: {} };
 * endsWithWrongCalls(
 *   [
 *     { role: "assistant", content: "", toolCalls: [call] },
 *     { role: "tool", toolCallId: "1", name: "ad", content: "There is no such tool." },
 *   ],
 *   [{ name: "add" }],
 * ); // true
 */
export function endsWithWrongCalls(messages: readonly ChatMessage[], tools: readonly ToolDefinition[]): boolean {
  const at = messages.findLastIndex(({ role }) => role !== "tool");
  const last = messages[at];
  if (last?.role !== "assistant" || at === messages.length - 1) return false;
  const { toolCalls = [] } = last;
  const isWrong = ({ name, arguments: args }: (typeof toolCalls)[number]) => {
    const tool = tools.find((one) => one.name === name);
    return !tool || validateJson(args, tool.parameters).length > 0;
  };
  return toolCalls.length > 0 && toolCalls.every(isWrong);
}
