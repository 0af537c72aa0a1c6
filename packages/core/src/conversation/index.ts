export type { Budget } from "./budget.js";
export type { ConversationRun } from "./conversation-run.js";
export { diffLogs, type LogDifference } from "./diff-logs.js";
export {
  ConversationConflictError,
  ConversationLogError,
  ConversationStateError,
  ConversationStoreError,
  DecisionError,
} from "./errors.js";
export type { ErrorDetail } from "./execution.js";
export { firstRecord } from "./first-record.js";
export { type CallState, type CallStatus, type FoldedLog, fold, type RunState } from "./fold.js";
export type { HistoryBudget, HistorySummary } from "./history.js";
export {
  type BudgetLimit,
  type BudgetSpent,
  type ConversationRecord,
  type Decision,
  LOG_VERSION,
  type SettledHow,
  type StopReason,
} from "./records.js";
export { type ReplayOptions, replay } from "./replay.js";
export { type ConversationStore, memoryStore } from "./store.js";
export { ToolConversation } from "./tool-conversation.js";
export { type ReadTriggersOptions, readTriggers, type Triggers } from "./triggers.js";
export type {
  ConversationEvent,
  ConversationOptions,
  ConversationResult,
  ConversationState,
  ConversationTool,
  ConversationToolInput,
  ConversationTraceListener,
  ConversationTurn,
  PendingCall,
  Schemas,
  SendOptions,
} from "./types.js";
