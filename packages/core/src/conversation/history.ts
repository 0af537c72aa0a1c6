import { estimateTokens } from "../common/estimate-tokens.js";
import { oncePer } from "../common/once-per.js";
import { isObject } from "../common/plain-object.js";
import { untilAborted } from "../common/until-aborted.js";
import { reportedUsage } from "../common/usage.js";
import { OptionsError } from "../errors.js";
import { asUntrusted, untrustedContents } from "../turn/untrusted-messages.js";
import type { ChatMessage, Usage } from "../types.js";
import type { FoldedLog } from "./fold.js";
import { givenNumber } from "./given-number.js";
import type { RecordBody } from "./records.js";

/** How much of a long conversation the model sees. */
export interface HistoryBudget {
  /** The maximum number of tokens, including the summary. Above it the oldest messages are left out. */
  tokens: number;
  /** The part of `tokens` that is kept then. Default 0.5: large, rare cuts keep prefix caches valid. */
  keep?: number | undefined;
  /**
   * Counts the tokens of a text: a finite number from 0. Default: a fourth of its characters. Called once for each
   * message that is shown.
   */
  countTokens?: ((text: string) => number) | undefined;
  /**
   * Summarises the messages that are left out. Default: no summary. Its tokens count towards the run's budget: those of
   * `usage`, or for a plain string an estimate of four characters a token. A summary that is made without a model
   * returns `usage: { inputTokens: 0, outputTokens: 0 }`.
   */
  summarise?:
    | ((messages: readonly ChatMessage[], signal?: AbortSignal) => Promise<string | HistorySummary>)
    | undefined;
}

/** The text that replaces the messages that are left out, and the tokens that making it took. */
export interface HistorySummary {
  text: string;
  usage: Usage;
}

const estimate = ({ length }: string) => estimateTokens(length);

/** Counts the tokens of a message. Messages never change, so each is counted once. */
export type CountMessage = (message: ChatMessage) => number;

/**
 * Errors of the returned function: those of `countTokens`; `OptionsError` (`bad-option`) for a result that is not a number.
 */
export function countMessages({ countTokens = estimate }: Pick<HistoryBudget, "countTokens">): CountMessage {
  return oncePer((message: ChatMessage) => {
    const text = textOf(message);
    return givenNumber(countTokens(text), "history.countTokens", () => `a message of ${text.length} characters`);
  });
}

/**
 * The messages that the model sees: all, or a summary and the messages after those that were left out. The model may still
 * quote what users and tools said in those, so their texts count as untrusted with the first message that is shown.
 */
export function shownMessages({ messages, hidden, trusted }: FoldedLog): readonly ChatMessage[] {
  const { before, summary } = hidden;
  if (before === 0) return messages;
  const system = messages.slice(0, headLength(messages));
  const question = lastUser(messages);
  const shown = [
    ...system,
    ...(summary === undefined ? [] : [summary]),
    ...(question >= 0 && question < before ? [messages[question]!] : []),
    ...messages.slice(Math.max(before, system.length)),
  ];
  const first = shown.find(({ role }) => role === "user" || role === "tool");
  if (first) asUntrusted(first, untrustedContents(messages.slice(0, before), trusted));
  return shown;
}

/**
 * The index of the first message that is kept when the history must be cut now; `undefined` if it is short enough.
 * Calls stay with their results, and the question that is being answered stays.
 */
export function whereToCut(
  state: FoldedLog,
  { tokens, keep = 0.5 }: HistoryBudget,
  tokensOf: CountMessage,
): number | undefined {
  const { messages, hidden } = state;
  const head = headLength(messages);
  const from = Math.max(hidden.before, head);
  const question = lastUser(messages);
  let left = shownMessages(state).reduce((sum, message) => sum + tokensOf(message), 0);
  if (left <= tokens) return undefined;
  let cut = from;
  const last = groupStarts(messages, from).at(-1) ?? from;
  for (let at = from; at < messages.length && at < last; at++) {
    if (at !== question) left -= tokensOf(messages[at]!);
    if (!startsGroup(messages[at + 1])) continue;
    cut = at + 1;
    if (left <= tokens * keep) break;
  }
  const isQuestionOnly = from === question && cut === from + 1;
  return cut > from && !isQuestionOnly ? cut : undefined;
}

/**
 * The record that leaves out the oldest messages, if the history has become too long. Empty if the time is over before
 * the summary is complete.
 *
 * Errors: those of `summarise` and `countTokens`; `OptionsError` for a summary that has no text and a count that is not a number;
 * the reason of an abort.
 */
export async function compaction(
  state: FoldedLog,
  budget: HistoryBudget,
  tokensOf: CountMessage,
  { deadline, tools: signal }: { deadline: AbortSignal | undefined; tools: AbortSignal | undefined },
): Promise<RecordBody[]> {
  const before = whereToCut(state, budget, tokensOf);
  if (before === undefined) return [];
  const { summarise } = budget;
  if (!summarise) return [{ type: "compacted", before }];
  const left = shownMessages(state)
    .slice(0, before - state.messages.length)
    .filter(({ role }) => role !== "system");
  let made: unknown;
  try {
    made = await untilAborted(() => summarise(left, signal), signal);
  } catch (error) {
    if (deadline?.aborted) return [];
    throw error;
  }
  const { text, usage } = (isObject(made) ? made : { text: made }) as Partial<HistorySummary>;
  if (typeof text !== "string") {
    const found = isObject(made) ? "an object without `text`" : typeof made;
    throw new OptionsError(
      "bad-option",
      `\`history.summarise\` must return a string or { text, usage }, not ${found}.`,
    );
  }
  return [{ type: "compacted", before, summary: text, ...costOf(text, left, reportedUsage(usage)) }];
}

/** The tokens that a summary took, counted or estimated. */
function costOf(text: string, messages: readonly ChatMessage[], usage: Usage | undefined) {
  if (usage) return { usage: { ...usage }, tokens: usage.inputTokens + usage.outputTokens };
  const tokens = messages.reduce((sum, message) => sum + estimate(textOf(message)), estimate(text));
  return { tokens, estimated: true as const };
}

/** Everything of a message that the model sees. */
function textOf(message: ChatMessage): string {
  const calls = message.role === "assistant" && message.toolCalls ? JSON.stringify(message.toolCalls) : "";
  return message.content + calls;
}

const headLength = (messages: readonly ChatMessage[]): number => {
  const first = messages.findIndex(({ role }) => role !== "system");
  return first === -1 ? messages.length : first;
};

const lastUser = (messages: readonly ChatMessage[]) => messages.findLastIndex(({ role }) => role === "user");

/** Results, and messages of the runtime itself, belong to the message before them. */
const startsGroup = (message: ChatMessage | undefined) => message?.role === "user" || message?.role === "assistant";

const groupStarts = (messages: readonly ChatMessage[], from: number): number[] =>
  messages.flatMap((message, at) => (at >= from && startsGroup(message) ? [at] : []));
