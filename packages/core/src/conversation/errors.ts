import { ToolinguaError } from "../errors.js";
import type { ValidationIssue } from "../schema/validate.js";

/**
 * Something else has appended to the store since this conversation read it. Code: `conflict`. Nothing of the failed call
 * was stored; `ToolConversation.resume` reads what there is now.
 *
 * @example
 * try { await conversation.run("Go on.").result(); }
 * catch (error) { if (error instanceof ConversationConflictError) conversation = await ToolConversation.resume(options); }
 */
export class ConversationConflictError extends ToolinguaError {
  /** How many records were expected in the store, and how many there are. */
  readonly expected: number;
  readonly found: number;

  constructor(expected: number, found: number) {
    const message = `The store holds ${found} records where ${expected} were expected: another writer has gone on with this conversation. Resume it from the store.`;
    super("conflict", message);
    this.expected = expected;
    this.found = found;
  }
}

/**
 * A decision that does not belong to a call that waits for one. Codes: `unknown-call` (there is no call with this id),
 * `not-pending` (the call waits for no decision: it ran, runs, or was decided), `stale` (its arguments are not those that
 * the decision was made on), `invalid-arguments` (the edited arguments, or those of the call that is approved, do not fit
 * the tool's schema; `issues` says where), `bad-decision` (its type does not exist, or what it needs is missing).
 *
 * @example
 * try { await conversation.decide(id, { type: "approve" }); }
 * catch (error) { if (error instanceof DecisionError && error.code === "not-pending") console.error(error.message); }
 */
export class DecisionError extends ToolinguaError {
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
 * What was asked of a conversation does not fit the state it is in. Codes: `busy` (it runs), `open-calls` (calls wait for
 * decisions or results), `no-open-calls` and `unknown-call` (results for calls that do not wait for any),
 * `missing-results` (results for some of the open calls only), `nothing-to-do` (nobody has said anything).
 *
 * @example
 * try { await conversation.send("And now?"); }
 * catch (error) { if (error instanceof ConversationStateError && error.code === "open-calls") console.error(error.message); }
 */
export class ConversationStateError extends ToolinguaError {}

/**
 * A log that is none, or was written by a later version. Codes: `bad-log`, `unknown-version`.
 *
 * @example
 * try { ToolConversation.fromJSON(JSON.parse(text), { model }); }
 * catch (error) { if (error instanceof ConversationLogError) console.error(error.message); }
 */
export class ConversationLogError extends ToolinguaError {}

/**
 * A store that does not answer. Code: `no-answer`: the run was aborted, or its time is over, and what was to be stored is still on
 * its way. Nobody knows whether it will be stored; the log of the conversation does not have it. `ToolConversation.resume` reads what there
 * is.
 *
 * @example
 * try { await conversation.run("Go on.", { signal: AbortSignal.timeout(60_000) }).result(); }
 * catch (error) { if (error instanceof ConversationStoreError) conversation = await ToolConversation.resume(options); }
 */
export class ConversationStoreError extends ToolinguaError {
  /** How many milliseconds it was waited for, after the run was aborted or its time was over. */
  readonly waitedMs: number;

  constructor(waitedMs: number) {
    const message = `The store has not answered ${waitedMs / 1000} s after the run was aborted or its time was over. Whether the last records are stored is unknown: resume the conversation from the store.`;
    super("no-answer", message);
    this.waitedMs = waitedMs;
  }
}
