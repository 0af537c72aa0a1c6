import type { GivenAliases } from "../schema/aliases.js";
import type { InputOf, ReadBy } from "../schema/tool-call-of.js";
import type { GenerateOptions } from "../turn/generate-options.js";
import type { TraceEvent } from "../turn/trace.js";
import type {
  ChatMessage,
  FinishReason,
  InvalidToolCall,
  ReplyEvent,
  TextModel,
  Tool,
  ToolCall,
  ToolDefinition,
  ToolExecutionContext,
  ToolResult,
  Usage,
} from "../types.js";
import type { Budget } from "./budget.js";
import type { ErrorDetail } from "./execution.js";
import type { HistoryBudget } from "./history.js";
import type { BudgetSpent, ConversationRecord, StopReason } from "./records.js";
import type { ConversationStore } from "./store.js";

/**
 * A tool of a conversation. One without `execute` is the client's: the run ends, and the application gives the result.
 */
export type ConversationTool = ToolDefinition & Partial<Omit<Tool, keyof ToolDefinition>>;

/**
 * A tool as an application gives it to a conversation: its schema `S` may be of any kind that `toJsonSchema` accepts, such as
 * zod's. A schema of a library, or a literal JSON Schema, determines the types of the arguments.
 */
export interface ConversationToolInput<S = unknown>
  extends Omit<ConversationTool, "parameters" | "needsApproval" | "execute"> {
  parameters?: S | undefined;
  /** Whether a call waits for a person's approval. It gets the arguments as the model wrote them. */
  needsApproval?: boolean | { of(args: InputOf<S>): boolean | Promise<boolean> }["of"];
  execute?(args: ReadBy<S>, context: ToolExecutionContext): unknown;
}

/** The schemas of a list of tools, in its order. */
export type Schemas = readonly unknown[];

/** The tools of a conversation whose schemas are `S`. */
type ToolsBy<S extends Schemas> = { readonly [I in keyof S]: ConversationToolInput<S[I]> } | readonly [];

/**
 * Receives the trace events of a conversation's turns, and each record after it is stored. An error that the listener throws is
 * printed with `console.error`, and the run continues.
 */
export type ConversationTraceListener = (event: TraceEvent | { type: "record"; record: ConversationRecord }) => void;

/** Options of {@link ToolConversation}. Options that are not listed here go to `generateWithTools`. */
export interface ConversationOptions<S extends Schemas = Schemas>
  extends Omit<GenerateOptions, "model" | "messages" | "tools" | "onTrace"> {
  model: TextModel;
  tools?: ToolsBy<S> | undefined;
  /** The system message. */
  instructions?: string | undefined;
  /** The messages so far. */
  messages?: readonly ChatMessage[] | undefined;
  /** What a run may cost. Default: 20 replies. */
  budget?: Budget | undefined;
  /** The maximum number of calls that run at the same time. Default 8. */
  concurrency?: number | undefined;
  /**
   * Whether a call waits for `decide()`. Calls of tools with `needsApproval` wait in any case. If this function throws,
   * the call waits.
   */
  needsApproval?: ((call: ToolCall, tool: ConversationTool) => boolean | Promise<boolean>) | undefined;
  /**
   * How often the same call may be made in one reply, where one more ends the reply, and in a row across turns, where one more
   * ends the run. At least 1. Default 2, or 1 in a reply that is constrained to calls; `Infinity`: no limit.
   */
  maxIdenticalCalls?: number | undefined;
  /**
   * How triggers (see `readTriggers`) in messages that are sent as `trusted` are handled. `off` (default): they are
   * text. `prompt`: the model is instructed to make these calls. `direct`: the calls are made without the model.
   */
  triggers?: "off" | "prompt" | "direct" | undefined;
  /** Short names for triggers. */
  aliases?: GivenAliases | undefined;
  /**
   * How much of a tool's error the model sees: its `message` (default), `full` (also class, code and causes), nothing
   * (`hidden`), or the text that a function returns.
   */
  errorDetail?: ErrorDetail | undefined;
  /** How much of a long conversation the model sees. Default: all. */
  history?: HistoryBudget | undefined;
  /**
   * Whether tools with `readOnly` start while the model still writes. Their results are discarded if the reply is
   * asked for again. Default `false`.
   */
  eagerReadOnly?: boolean | undefined;
  /** Stores the records. Default: in memory only. */
  store?: ConversationStore | undefined;
  /** The id of a new conversation. Default: a random one. */
  conversationId?: string | undefined;
  onTrace?: ConversationTraceListener | undefined;
}

/** Options of a conversation that is stored. */
export type StoredOptions<S extends Schemas = Schemas> = ConversationOptions<S> & { store: ConversationStore };

/** Checked options, whose tools have JSON Schemas. */
export type CheckedOptions = Omit<ConversationOptions, "tools"> & { tools?: readonly ConversationTool[] | undefined };

/** Options for sending a message. */
export interface SendOptions {
  /**
   * Whether the message is the application's own, not untrusted: its triggers are read, and a call that the model
   * copies from it is a call. Default `false`.
   */
  trusted?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** One turn of the model. */
export interface ConversationTurn {
  text: string;
  reasoning: string;
  toolCalls: ToolCall[];
  invalidToolCalls: InvalidToolCall[];
  usage?: Usage;
  /** Why the model stopped: by itself, at the token limit, or by a content filter. */
  finish?: FinishReason;
  stopReason: StopReason;
  /**
   * The model's error, if the reason is `error`; a `ToolChoiceError`, if it is `invalid-replies` because the call that the tool
   * choice requires is missing.
   */
  error?: unknown;
}

/** A call that waits for a decision or a result. */
export interface PendingCall {
  call: ToolCall;
  /**
   * `approval`: for a decision; `result`: for a result of the application; `unknown-outcome`: for a decision, because
   * it had started when the process ended.
   */
  why: "approval" | "result" | "unknown-outcome";
  /** Pass it to `decide` if the decision comes from elsewhere: it is refused if the arguments have changed since. */
  argumentsHash: string;
}

/** The result of a run. */
export interface ConversationResult {
  /** The answer; if there is none, the last text of the model, even if it was interrupted. */
  text: string;
  stopReason: StopReason;
  pending: PendingCall[];
  /** The invalid calls of the last reply, with their errors, if the reason is `invalid-replies`; otherwise none. */
  invalidToolCalls: InvalidToolCall[];
  /** The tokens since the user's message that the model counted; `estimated` if it did not count all. */
  usage?: Usage;
  /** Why the model stopped in the last reply of this run: an empty answer may be due to a content filter. */
  finish?: FinishReason;
  /** The limit that was reached, if the reason is `budget`. */
  budget?: BudgetSpent;
  messages: ChatMessage[];
  /**
   * The model's error, if the reason is `error`; a `ToolChoiceError`, if it is `invalid-replies` because the call that the tool
   * choice requires is missing.
   */
  error?: unknown;
}

/** The events of a run. */
export type ConversationEvent =
  | ReplyEvent
  | { type: "approval-needed"; call: ToolCall }
  | { type: "tool-start"; call: ToolCall }
  | { type: "tool-end"; call: ToolCall; result: ToolResult }
  /** The model is asked again because of these calls. */
  | { type: "retry"; calls: InvalidToolCall[] }
  | { type: "turn-end"; turn: ConversationTurn }
  | { type: "end"; result: ConversationResult };

/** A conversation as plain data. */
export interface ConversationState {
  version: number;
  log: ConversationRecord[];
}
