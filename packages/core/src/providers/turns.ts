import { join } from "../schema/json.js";
import type { ChatMessage, ToolResult } from "../types.js";

/** A message that is no result. */
export type SpokenMessage = Exclude<ChatMessage, { role: "tool" }>;

/** A message and where it stands, or the results that stand side by side. */
export type Turn = { message: SpokenMessage; path: string } | { results: { result: ToolResult; path: string }[] };

/** The conversation by turns, for formats where the results of parallel calls share a message; only what `isWritten`. */
export function turnsOf(
  messages: readonly ChatMessage[],
  isWritten: (message: ChatMessage, path: string) => boolean,
): Turn[] {
  const turns: Turn[] = [];
  for (const [i, message] of messages.entries()) {
    const path = join("/messages", i);
    if (!isWritten(message, path)) continue;
    const last = turns.at(-1);
    if (message.role !== "tool") turns.push({ message, path });
    else if (last && "results" in last) last.results.push({ result: message, path });
    else turns.push({ results: [{ result: message, path }] });
  }
  return turns;
}
