import { callsOf } from "../../common/one-call-a-turn.js";
import { join } from "../../schema/json.js";
import type { ChatMessage, ToolResult } from "../../types.js";
import type { Losses } from "./losses.js";

/** A message that is not a result. */
export type SpokenMessage = Exclude<ChatMessage, { role: "tool" }>;

interface Results {
  results: { result: ToolResult; path: string }[];
}

/** A message with its place, or consecutive results. */
export type Turn = { message: SpokenMessage; path: string } | Results;

/** The place for the results of one turn's calls, and the last message before the messages between them. */
interface Answers {
  turn: Results;
  end: number;
}

/**
 * The conversation by turns, for formats in which the results of parallel calls share a message; only messages that
 * `isWritten` accepts. Results are moved directly after their calls, because the APIs refuse any other order.
 */
export function turnsOf(
  messages: readonly ChatMessage[],
  isWritten: (message: ChatMessage, path: string) => boolean,
  losses: Losses,
): Turn[] {
  const turns: Turn[] = [];
  /** The places of the open calls by id, the latest at the end. */
  const waiting = new Map<string, Answers[]>();
  for (const [i, message] of messages.entries()) {
    const path = join("/messages", i);
    if (!isWritten(message, path)) continue;
    if (message.role !== "tool") {
      turns.push({ message, path });
      const calls = callsOf(message);
      if (calls.length === 0) continue;
      const answers: Answers = { turn: { results: [] }, end: i };
      turns.push(answers.turn);
      for (const { id } of calls) waiting.set(id, [...(waiting.get(id) ?? []), answers]);
      continue;
    }
    const last = turns.at(-1);
    const answers = waiting.get(message.toolCallId)?.pop();
    if (answers && answers.turn !== last) {
      const between = Array.from({ length: i - answers.end - 1 }, (_, k) => join("/messages", answers.end + 1 + k));
      losses.add(path, "order", "moved directly after the calls", between);
      answers.turn.results.push({ result: message, path });
      continue;
    }
    if (answers) answers.end = i;
    if (last && "results" in last) last.results.push({ result: message, path });
    else turns.push({ results: [{ result: message, path }] });
  }
  return turns.filter((turn) => "message" in turn || turn.results.length > 0);
}
