import type { ChatMessage, ToolCall } from "../types.js";

export const callsOf = (message: ChatMessage): readonly ToolCall[] =>
  message.role === "assistant" ? (message.toolCalls ?? []) : [];

/** Splits parallel calls into turns, each with its result: for models whose prompt shows one call per turn. */
export function oneCallATurn(messages: readonly ChatMessage[]): ChatMessage[] {
  const turns: ChatMessage[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!;
    const calls = callsOf(message);
    if (message.role !== "assistant" || calls.length < 2) {
      turns.push(message);
      continue;
    }
    let end = at + 1;
    while (messages[end]?.role === "tool") end += 1;
    const results = messages.slice(at + 1, end).filter((result) => result.role === "tool");
    const waiting = [...results];
    for (const [index, call] of calls.entries()) {
      turns.push({ role: "assistant", content: index === 0 ? message.content : "", toolCalls: [call] });
      // Calls that share an id have their results in the same order; the last call takes the remaining ones.
      const isLast = !calls.slice(index + 1).some(({ id }) => id === call.id);
      const answers = waiting.filter((result) => result.toolCallId === call.id).slice(0, isLast ? undefined : 1);
      turns.push(...answers);
      for (const answer of answers) waiting.splice(waiting.indexOf(answer), 1);
    }
    turns.push(...waiting);
    at = end - 1;
  }
  return turns;
}
