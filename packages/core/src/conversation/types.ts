import type { GivenAliases } from "../schema/aliases.js";
import type { GenerateOptions } from "../turn/generate-with-tools.js";
import type { TraceEvent } from "../turn/trace.js";
import type {
  ChatMessage,
  InvalidToolCall,
  ReplyEvent,
  TextModel,
  Tool,
  ToolCall,
  ToolDefinition,
  ToolResult,
  Usage,
} from "../types.js";
import type { Budget } from "./budget.js";
import type { ErrorDetail } from "./execution.js";
import type { HistoryBudget } from "./history.js";
import type { BudgetSpent, ConversationRecord, StopReason } from "./records.js";
import type { ConversationStore } from "./store.js";

/** A tool of a conversation. Without `execute` it is the client's: the run ends, and the application gives the result. */
export type ConversationTool = ToolDefinition & Partial<Omit<Tool, keyof ToolDefinition>>;

/**
 * Hears what happens in the turns of a conversation, and each record once it is stored. It must not throw: what it throws at a
 * record is printed with `console.error`, and the run goes on; at any other event it ends the turn (`error`).
 */
export type ConversationTraceListener = (event: TraceEvent | { type: "record"; record: ConversationRecord }) => void;

/** What {@link ToolConversation} takes. What is not named here goes to `generateWithTools`. */
export interface ConversationOptions extends Omit<GenerateOptions, "model" | "messages" | "tools" | "onTrace"> {
  model: TextModel;
  tools?: readonly ConversationTool[] | undefined;
  /** The system message. */
  instructions?: string | undefined;
  /** What was said before. */
  messages?: readonly ChatMessage[] | undefined;
  /** What a run may cost. Default: 20 replies. */
  budget?: Budget | undefined;
  /** How many calls run at the same time. Default 8. */
  concurrency?: number | undefined;
  /**
   * Whether a call waits for `decide()`. Calls of tools that say `needsApproval` wait in any case. Where it throws, the
   * call waits.
   */
  needsApproval?: ((call: ToolCall, tool: ConversationTool) => boolean | Promise<boolean>) | undefined;
  /** How often the same call may come in a row, over turns; the next time ends the run. Default 2; `Infinity`: no limit. */
  maxIdenticalCalls?: number | undefined;
  /**
   * What becomes of triggers (see `readTriggers`) in messages that are sent as `trusted`. `off` (default): they are text.
   * `prompt`: the model is told that it must make these calls. `direct`: the calls are made without the model.
   */
  triggers?: "off" | "prompt" | "direct" | undefined;
  /** Short names for triggers. */
  aliases?: GivenAliases | undefined;
  /**
   * What the model is told of an error in a tool: its `message` (default), `full` (class, code and causes too), nothing
   * (`hidden`), or what a function makes of it.
   */
  errorDetail?: ErrorDetail | undefined;
  /** How much of a long conversation the model is shown. Default: all. */
  history?: HistoryBudget | undefined;
  /**
   * Tools that say `readOnly` start while the model still writes. What they give is thrown away where the reply is
   * repaired. Default `false`.
   */
  eagerReadOnly?: boolean | undefined;
  /** Where the records are kept. Default: in memory only. */
  store?: ConversationStore | undefined;
  /** The id of a new conversation. Default: a random one. */
  conversationId?: string | undefined;
  onTrace?: ConversationTraceListener | undefined;
}

/** What a message is sent with. */
export interface SendOptions {
  /**
   * The message counts as the application's, not as a stranger's: its triggers are read, and a call that the model copies
   * from it is a call. Default `false`.
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
  stopReason: StopReason;
  /** What the model threw, where the reason is `error`. */
  error?: unknown;
}

/** A call that waits. */
export interface PendingCall {
  call: ToolCall;
  /** For a decision; for a result that the application gives; for a decision, since it had started when the process ended. */
  why: "approval" | "result" | "unknown-outcome";
  /** Give it to `decide` where the decision comes from elsewhere: it is refused if the arguments have changed since. */
  argumentsHash: string;
}

/** What came of a run. */
export interface ConversationResult {
  /** The answer; where there is none, what the model said last, also if it was interrupted. */
  text: string;
  stopReason: StopReason;
  pending: PendingCall[];
  /** Tokens since the user's message that the model counted; `estimated` where it did not count all. */
  usage?: Usage;
  /** Which limit was met, where the reason is `budget`. */
  budget?: BudgetSpent;
  messages: ChatMessage[];
  /** What the model threw, where the reason is `error`. */
  error?: unknown;
}

/** What happens in a run. */
export type ConversationEvent =
  | ReplyEvent
  | { type: "approval-needed"; call: ToolCall }
  | { type: "tool-start"; call: ToolCall }
  | { type: "tool-end"; call: ToolCall; result: ToolResult }
  /** The model is asked again, because of these calls. */
  | { type: "repair"; calls: InvalidToolCall[] }
  | { type: "turn-end"; turn: ConversationTurn }
  | { type: "end"; result: ConversationResult };

/** A conversation as plain data. */
export interface ConversationState {
  version: number;
  log: ConversationRecord[];
}
