import { ToolinguaError } from "../errors.js";
import type { ValidationIssue } from "../schema/validation-issue.js";

/**
 * Another writer has appended to the store since this conversation read it. Code: `conflict`. The failed method stored
 * nothing; `ToolConversation.resume` reads the current log.
 *
 * @example
 * try { await conversation.run("Go on.").result(); }
 * catch (error) { if (error instanceof ConversationConflictError) conversation = await ToolConversation.resume(options); }
 */
export class ConversationConflictError extends ToolinguaError {
  static override readonly name: string = "ConversationConflictError";

  /** The number of records that were expected in the store, and the number that it contains. */
  readonly expected: number;
  readonly found: number;

  constructor(expected: number, found: number) {
    const message = `The store contains ${found} records instead of ${expected}: another writer has continued this conversation. Resume it from the store.`;
    super("conflict", message);
    this.expected = expected;
    this.found = found;
  }
}

/**
 * A decision that does not belong to a waiting call. Codes: `unknown-call` (no call has this id), `not-pending` (the
 * call does not wait for a decision: it ran, runs, or was decided), `stale` (the arguments have changed since the
 * decision was made), `invalid-arguments` (the edited arguments, or those of the approved call, do not match the tool's
 * schema; see `issues`), `bad-decision` (its type does not exist, or a field is missing).
 *
 * @example
 * try { await conversation.decide(id, { type: "approve" }); }
 * catch (error) { if (error instanceof DecisionError && error.code === "not-pending") console.error(error.message); }
 */
export class DecisionError extends ToolinguaError {
  static override readonly name: string = "DecisionError";

  readonly callId: string;
  readonly issues: readonly ValidationIssue[];

  constructor(
    code: "unknown-call" | "not-pending" | "stale" | "invalid-arguments" | "bad-decision",
    callId: string,
    message: string,
    issues: readonly ValidationIssue[] = [],
  ) {
    super(code, message);
    this.callId = callId;
    this.issues = issues;
  }
}

/**
 * A request that a conversation cannot take in its current state. Codes: `busy` (a run is in progress), `open-calls`
 * (calls wait for decisions or results), `no-open-calls` and `unknown-call` (results for calls that do not wait for
 * one), `missing-results` (results for only some of the open calls), `nothing-to-do` (there is no message yet).
 *
 * @example
 * try { await conversation.send("And now?"); }
 * catch (error) { if (error instanceof ConversationStateError && error.code === "open-calls") console.error(error.message); }
 */
export class ConversationStateError extends ToolinguaError {
  static override readonly name: string = "ConversationStateError";
}

/**
 * An invalid log, or one that a later version wrote. Codes: `bad-log`, `unknown-version`.
 *
 * @example
 * try { ToolConversation.fromJSON(JSON.parse(text), { model }); }
 * catch (error) { if (error instanceof ConversationLogError) console.error(error.message); }
 */
export class ConversationLogError extends ToolinguaError {
  static override readonly name: string = "ConversationLogError";
}

/**
 * The store has failed. Codes: `no-answer` (the run was aborted or its time is over, and records are still on their way to the
 * store: it is unknown whether they will be stored, and the log of the conversation does not contain them), `partial-write`
 * (`fileStore` could write only a part of the records, for instance because the disk is full: none of them counts).
 * `ToolConversation.resume` reads what is stored.
 *
 * @example
 * try { await conversation.run("Go on.", { signal: AbortSignal.timeout(60_000) }).result(); }
 * catch (error) { if (error instanceof ConversationStoreError) conversation = await ToolConversation.resume(options); }
 */
export class ConversationStoreError extends ToolinguaError {
  static override readonly name: string = "ConversationStoreError";

  /**
   * The time, in milliseconds, for which the store was awaited after the run was aborted or its time was over; 0 if it
   * answered.
   */
  readonly waitedMs: number;

  constructor(code: "no-answer" | "partial-write", message: string, waitedMs = 0) {
    super(code, message);
    this.waitedMs = waitedMs;
  }
}
