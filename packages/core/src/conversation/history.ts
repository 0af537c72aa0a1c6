import { untilAborted } from "../turn/abortable.js";
import type { ChatMessage } from "../types.js";
import type { FoldedLog } from "./fold.js";
import type { RecordBody } from "./records.js";

/** How much of a long conversation the model is shown. */
export interface HistoryBudget {
  /** Above this many tokens the oldest messages are left out. */
  tokens: number;
  /** How much is left then, as a part of `tokens`. Default 0.5: rarely and much, so that prefix caches keep hitting. */
  keep?: number | undefined;
  /** The tokens of a text. Default: a fourth of its characters. */
  count?: ((text: string) => number) | undefined;
  /** Says in a few words what is left out. Default: nothing stands for it. */
  summarise?: ((messages: readonly ChatMessage[], signal?: AbortSignal) => Promise<string>) | undefined;
}

const aFourth = (text: string) => Math.ceil(text.length / 4);

/** The messages that the model is shown: all, or those after what was left out, and a summary for that. */
export function shownMessages({ messages, hidden }: FoldedLog): readonly ChatMessage[] {
  const { before, summary } = hidden;
  if (before === 0) return messages;
  const system = messages.slice(0, headLength(messages));
  const question = lastUser(messages);
  return [
    ...system,
    // A message of the user: what it quotes is escaped, and the system message stays as it is.
    ...(summary === undefined
      ? []
      : [{ role: "user" as const, content: `What was said before, in short:\n${summary}` }]),
    ...(question >= 0 && question < before ? [messages[question]!] : []),
    ...messages.slice(Math.max(before, system.length)),
  ];
}

/**
 * Up to which message the history is to be left out now; `undefined` where it is short enough. Calls stay with their
 * results, and the question that is being answered stays.
 */
export function whereToCut(state: FoldedLog, budget: HistoryBudget): number | undefined {
  const { messages, hidden } = state;
  const { tokens, keep = 0.5, count = aFourth } = budget;
  const costs = messages.map((message) => costOf(message, count));
  const head = headLength(messages);
  const from = Math.max(hidden.before, head);
  const shown = (at: number) => costs.slice(0, head).reduce(sum, 0) + costs.slice(at).reduce(sum, 0);
  let left = shown(from);
  if (left <= tokens) return undefined;
  let cut = from;
  const last = groupStarts(messages, from).at(-1) ?? from;
  for (let at = from; at < messages.length && at < last; at++) {
    left -= costs[at]!;
    if (!startsGroup(messages[at + 1])) continue;
    cut = at + 1;
    if (left <= tokens * keep) break;
  }
  return cut > from ? cut : undefined;
}

/**
 * The record that leaves out the oldest messages where the history has become too long; none where the time is over before
 * the summary is complete.
 *
 * Errors: what `summarise` and `count` throw; `TypeError` for a summary that is not a string; the reason of an abort.
 */
export async function compaction(
  state: FoldedLog,
  budget: HistoryBudget,
  { deadline, tools: signal }: { deadline: AbortSignal | undefined; tools: AbortSignal | undefined },
): Promise<RecordBody[]> {
  const before = whereToCut(state, budget);
  if (before === undefined) return [];
  const left = shownMessages(state)
    .slice(0, before - state.messages.length)
    .filter(({ role }) => role !== "system");
  let summary: unknown;
  try {
    summary = await untilAborted(() => budget.summarise?.(left, signal), signal);
  } catch (error) {
    if (deadline?.aborted) return [];
    throw error;
  }
  if (summary === undefined) return [{ type: "compacted", before }];
  if (typeof summary === "string") return [{ type: "compacted", before, summary }];
  throw new TypeError(`\`history.summarise\` gives the summary as a string, not ${typeof summary}.`);
}

const sum = (a: number, b: number) => a + b;

function costOf(message: ChatMessage, count: (text: string) => number): number {
  const calls = message.role === "assistant" && message.toolCalls ? JSON.stringify(message.toolCalls) : "";
  return count(message.content + calls);
}

const headLength = (messages: readonly ChatMessage[]): number => {
  const first = messages.findIndex(({ role }) => role !== "system");
  return first === -1 ? messages.length : first;
};

const lastUser = (messages: readonly ChatMessage[]) => messages.findLastIndex(({ role }) => role === "user");

/** Results, and what the runtime itself says, belong to what stands before them. */
const startsGroup = (message: ChatMessage | undefined) => message?.role === "user" || message?.role === "assistant";

const groupStarts = (messages: readonly ChatMessage[], from: number): number[] =>
  messages.flatMap((message, at) => (at >= from && startsGroup(message) ? [at] : []));
