import { canonicalJson } from "../common/canonical-json.js";
import { hash36 } from "../common/hash.js";
import { oncePer } from "../common/once-per.js";
import { withinLimits } from "../schema/limits.js";
import type { ChatMessage, InvalidToolCall, ToolCall, ToolDefinition, ToolResult, Usage } from "../types.js";

/** The version of the format of records. Older versions stay readable. */
export const LOG_VERSION = 1;

/**
 * A person's decision on a call. `edit`: it runs with other arguments. `respond`: this is its result; it does not run.
 */
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

/** The limit of a budget that was reached. */
export interface BudgetSpent {
  limit: BudgetLimit;
  /** Whether the tokens that reached the limit are estimated, at least in part. */
  estimated?: true;
}

/**
 * How a call got its result. `done`: the tool returned it. `failed`: the tool threw, or returned an error. `timeout`,
 * `cancelled`: the call was given up while it ran, or before. `refused`: it did not run (a person, repetition, a
 * changed tool). `budget`: it did not run, because the budget's calls were spent. `submitted`: the application gave the
 * result. `unknown`: the call had started when the process ended, and its tool has `onCrash: "fail"`.
 */
export type SettledHow = "done" | "failed" | "timeout" | "cancelled" | "refused" | "budget" | "submitted" | "unknown";

type RecordBodies =
  /** The first record. `tools`: the hash of each tool's schema. */
  | { type: "begin"; version: number; id: string; messages: ChatMessage[]; tools: Record<string, string> }
  /** The log so far is a copy from another conversation. */
  | { type: "forked"; id: string; from: string }
  /** The tools have changed. */
  | { type: "tools"; tools: Record<string, string> }
  /**
   * `written`: the message with its triggers, if calls were made of them and the model sees the message without them.
   * `called`: tools that must be called because of triggers in the message.
   */
  | {
      type: "user";
      content: string;
      written?: string;
      trusted?: boolean;
      called?: { name: string; arguments: Record<string, unknown> }[];
    }
  /**
   * A reply of the model, or (`by: "trigger"`) calls that the user made without it. `tokens`: its cost in the budget;
   * `estimated`: the model did not count all of them. `last`: no tool could be called any more. `cut`: the budget ended
   * the reply.
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
   * A turn of the model that threw or was aborted after it had begun to answer, and its cost. `last`: it was the last
   * answer, and there is no other.
   */
  | { type: "failed"; usage?: Usage; tokens?: number; estimated?: true; last?: boolean }
  | { type: "approval-needed"; callId: string; argumentsHash: string }
  /** `reject` and `respond` settle the call. */
  | { type: "decision"; callId: string; argumentsHash: string; decision: Decision }
  /** Stored before the tool runs. */
  | { type: "call-started"; callId: string; idempotencyKey: string }
  /** Stored when it has ended. `answer`: the result is the answer. */
  | { type: "call-settled"; callId: string; result: ToolResult; how: SettledHow; answer?: boolean }
  /** No tool may be called any more in this run. */
  | ({ type: "exhausted" } & BudgetSpent)
  /**
   * The messages before this index are no longer shown to the model. `summary`: the text that replaces them; `usage`,
   * `tokens` and `estimated`: its cost, as for a reply.
   */
  | { type: "compacted"; before: number; summary?: string; usage?: Usage; tokens?: number; estimated?: true }
  /** `ms`: how long the run took since it was started or continued. */
  | { type: "end"; stopReason: StopReason; ms: number };

/** An event in a conversation, as plain data. `at`: its time, in milliseconds since 1970. */
export type ConversationRecord = { at: number } & RecordBodies;

/** A record without its time. */
export type RecordBody = RecordBodies;

/** A hash of 14 letters and digits, equal for equal data. */
export function hashOf(value: unknown): string {
  const text = canonicalJson(value);
  return hash36(text) + hash36(text, 1);
}

/**
 * The hash of each tool's schema, by the tool's name. Schemas must not be changed afterwards.
 *
 * Errors: `ToolDefinitionError` (`limit`) for a schema that contains itself.
 */
export const toolHashes = (tools: readonly ToolDefinition[]): Record<string, string> =>
  withinLimits(tools, (all) => Object.fromEntries(all.map(({ name, parameters }) => [name, schemaHash(parameters)])));

const schemaHash = (schema: ToolDefinition["parameters"]): string =>
  typeof schema === "object" ? hashOfObject(schema) : hashOf(schema ?? null);

const hashOfObject = oncePer((schema: object) => hashOf(schema));
