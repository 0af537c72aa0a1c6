import { canonicalJson } from "../canonical-json.js";
import { hash36 } from "../hash.js";
import { randomId } from "../reply/random-id.js";
import type { ChatMessage, InvalidToolCall, ToolCall, ToolDefinition, ToolResult, Usage } from "../types.js";
import type { ConversationOptions } from "./types.js";

/** What the records of a conversation look like. Older versions stay readable. */
export const LOG_VERSION = 1;

/** What a person decides on a call. `edit`: it runs with other arguments. `respond`: this is its result; it does not run. */
export type Decision =
  | { type: "approve" }
  | { type: "reject"; message?: string }
  | { type: "edit"; arguments: Record<string, unknown> }
  | { type: "respond"; content: string };

/** Why a run ended. */
export type StopReason =
  | "answer"
  | "needs-approval"
  | "needs-results"
  | "budget"
  | "repeated-call"
  | "stop-tool"
  | "invalid-replies"
  | "aborted"
  | "error";

/** The limits of a budget. */
export type BudgetLimit = "steps" | "calls" | "callsPerTool" | "tokens" | "seconds" | "cost";

/** Which limit of a budget was met. */
export interface BudgetSpent {
  limit: BudgetLimit;
  /** The tokens that reached the limit are estimated, at least in part. */
  estimated?: true;
}

/**
 * How a call came to its result. `done`: the tool gave it. `failed`: the tool threw, or gave an error back. `timeout`,
 * `cancelled`: it was given up while it ran, or before. `refused`: it did not run (a person, repetition, tool changed).
 * `budget`: it did not run, for the budget's calls were spent.
 * `submitted`: the application gave it. `unknown`: it had started when the process ended, and its tool says `fail`.
 */
export type SettledHow = "done" | "failed" | "timeout" | "cancelled" | "refused" | "budget" | "submitted" | "unknown";

type RecordBodies =
  /** The first record. `tools`: the hash of each tool's schema. */
  | { type: "begin"; version: number; id: string; messages: ChatMessage[]; tools: Record<string, string> }
  /** The log up to here was copied from another conversation. */
  | { type: "forked"; id: string; from: string }
  /** The tools have changed. */
  | { type: "tools"; tools: Record<string, string> }
  /**
   * `written`: the message with its triggers, where calls were made of them and the model is shown it without.
   * `called`: tools that the message says must be called.
   */
  | {
      type: "user";
      content: string;
      written?: string;
      trusted?: boolean;
      called?: { name: string; arguments: Record<string, unknown> }[];
    }
  /**
   * What the model wrote, or (`by: "trigger"`) calls that the user made without it. `tokens`: its cost in the budget;
   * `estimated`: not all of them were counted by the model. `last`: no tool could be called any more. `cut`: the budget
   * ended it.
   */
  | {
      type: "reply";
      text: string;
      reasoning?: string;
      calls: ToolCall[];
      invalid?: InvalidToolCall[];
      usage?: Usage;
      tokens?: number;
      estimated?: true;
      by?: "trigger";
      last?: boolean;
      cut?: boolean;
    }
  /**
   * A turn of the model that threw or was aborted after it had begun to answer, and what it cost. `last`: it was the last
   * answer, and there is no other.
   */
  | { type: "failed"; usage?: Usage; tokens?: number; estimated?: true; last?: boolean }
  | { type: "approval-needed"; callId: string; argumentsHash: string }
  /** `reject` and `respond` settle the call. */
  | { type: "decision"; callId: string; argumentsHash: string; decision: Decision }
  /** Stored before the tool runs. */
  | { type: "call-started"; callId: string; idempotencyKey: string }
  /** Stored when it has run. `answer`: the result is the answer. */
  | { type: "call-settled"; callId: string; result: ToolResult; how: SettledHow; answer?: boolean }
  /** No tool may be called any more in this run. */
  | ({ type: "exhausted" } & BudgetSpent)
  /**
   * The messages before this index are no longer shown to the model. `summary`: the text that replaces them; `usage`, `tokens` and
   * `estimated`: what it cost, as for a reply.
   */
  | { type: "compacted"; before: number; summary?: string; usage?: Usage; tokens?: number; estimated?: true }
  /** `ms`: how long the run took since it was started or continued. */
  | { type: "end"; stopReason: StopReason; ms: number };

/** One thing that happened in a conversation. `at`: when, in milliseconds since 1970. Plain data. */
export type ConversationRecord = { at: number } & RecordBodies;

/** A record that has not been given its time. */
export type RecordBody = RecordBodies;

/** A hash of 14 letters and digits, the same for equal data. */
export function hashOf(value: unknown): string {
  const text = canonicalJson(value);
  return hash36(text) + hash36(text, 1);
}

const schemaHashes = new WeakMap<object, string>();

/** The hash of each tool's schema, by its name. Schemas must not be changed afterwards. */
export const toolHashes = (tools: readonly ToolDefinition[]): Record<string, string> =>
  Object.fromEntries(tools.map(({ name, parameters }) => [name, schemaHash(parameters)]));

function schemaHash(schema: ToolDefinition["parameters"]): string {
  if (typeof schema !== "object") return hashOf(schema ?? null);
  const hash = schemaHashes.get(schema) ?? hashOf(schema);
  schemaHashes.set(schema, hash);
  return hash;
}

/**
 * The record that a new conversation begins with. Alone in a log it is the state of a conversation that has said what
 * `messages` say.
 *
 * @example ToolConversation.fromJSON({ version: LOG_VERSION, log: [firstRecord({ messages })] }, { model, tools });
 */
export function firstRecord({
  tools = [],
  instructions,
  messages = [],
  conversationId,
}: Pick<ConversationOptions, "tools" | "instructions" | "messages" | "conversationId">): ConversationRecord {
  return {
    at: Date.now(),
    type: "begin",
    version: LOG_VERSION,
    id: conversationId ?? randomId().replace("call", "conv"),
    messages: [...(instructions ? [{ role: "system" as const, content: instructions }] : []), ...messages],
    tools: toolHashes(tools),
  };
}
