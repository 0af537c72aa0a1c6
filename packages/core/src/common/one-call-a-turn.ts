import type { ChatMessage, ToolCall } from "../types.js";

export const callsOf = (message: ChatMessage): readonly ToolCall[] =>
  message.role === "assistant" ? (message.toolCalls ?? []) : [];

type ResultMessage = Extract<ChatMessage, { role: "tool" }>;

/**
 * Splits parallel calls into turns, each with its result: for models whose prompt shows one call per turn. Calls that
 * share an id have their results in the same order; the last of them has the remaining ones. Results of other calls
 * follow the turns. Takes linear time.
 *
 * @example
 * oneCallATurn([{ role: "assistant", content: "", toolCalls: [a, b] }, resultOfB, resultOfA]); // a, resultOfA, b, resultOfB
 */
export function oneCallATurn(messages: readonly ChatMessage[]): ChatMessage[] {
  const turns: ChatMessage[] = [];
  let parallel: ParallelCalls | undefined;
  for (const message of messages) {
    if (message.role === "tool" && parallel) {
      parallel.results.push(message);
      continue;
    }
    if (parallel) addTurns(turns, parallel);
    parallel = message.role === "assistant" && callsOf(message).length > 1 ? { message, results: [] } : undefined;
    if (!parallel) turns.push(message);
  }
  if (parallel) addTurns(turns, parallel);
  return turns;
}

/** A message with several calls, and the results that follow it. */
interface ParallelCalls {
  message: Extract<ChatMessage, { role: "assistant" }>;
  results: ResultMessage[];
}

function addTurns(turns: ChatMessage[], { message, results }: ParallelCalls): void {
  const calls = callsOf(message);
  const resultsOf = new Map<string, ResultMessage[]>(calls.map(({ id }) => [id, []]));
  for (const result of results) resultsOf.get(result.toolCallId)?.push(result);
  const last = new Map(calls.map(({ id }, i) => [id, i]));
  const turnsOf = new Map<string, number>();
  for (const [i, call] of calls.entries()) {
    turns.push({ role: "assistant", content: i === 0 ? message.content : "", toolCalls: [call] });
    const nth = turnsOf.get(call.id) ?? 0;
    turnsOf.set(call.id, nth + 1);
    const end = last.get(call.id) === i ? undefined : nth + 1;
    for (const result of resultsOf.get(call.id)?.slice(nth, end) ?? []) turns.push(result);
  }
  for (const result of results) if (!resultsOf.has(result.toolCallId)) turns.push(result);
}
