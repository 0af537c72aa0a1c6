import type { ConversationEvent } from "./types.js";

/** What a run is given. */
export interface RunContext {
  emit: (event: ConversationEvent) => void;
  /** Aborted by the application. */
  signal: AbortSignal | undefined;
}

/** The same with the run's clock. */
export interface Running extends RunContext {
  /** Aborted when the time is over. */
  deadline: AbortSignal | undefined;
  /** Aborted by either. */
  tools: AbortSignal | undefined;
}
