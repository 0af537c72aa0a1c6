import type { ConversationEvent } from "./types.js";

/** What the parts of a run share: where to emit events, and the application's signal. */
export interface RunContext {
  emit: (event: ConversationEvent) => void;
  /** Aborted by the application. */
  signal: AbortSignal | undefined;
}

/** The context with the run's clock. */
export interface Running extends RunContext {
  /** Aborted when the time is over. */
  deadline: AbortSignal | undefined;
  /** Aborted by the application, or when the time is over. */
  tools: AbortSignal | undefined;
}
