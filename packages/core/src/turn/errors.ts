import { ToolinguaError } from "../errors.js";
import type { FinishReason, InvalidToolCall } from "../types.js";

/**
 * A call was required and the model made none, even after retries. Code `tool-choice-unmet`.
 * `raw` is the model's last reply, `finish` why it ended: the token limit may have cut off the call.
 *
 * @example
 * try { await turn.result(); }
 * catch (error) { if (error instanceof ToolChoiceError) console.error(error.message, error.raw); }
 */
export class ToolChoiceError extends ToolinguaError {
  static override readonly name: string = "ToolChoiceError";

  readonly raw: string;
  readonly finish: FinishReason | undefined;

  constructor(message: string, raw: string, finish?: FinishReason) {
    super("tool-choice-unmet", message);
    this.raw = raw;
    this.finish = finish;
  }
}

/** The turn was ended before its end: code `turn-stopped`. */
export const turnStopped = () =>
  new ToolinguaError("turn-stopped", "The turn has no result: its reader stopped before the end.");

/**
 * A call that must not run, under `onInvalidCall: "throw"`. Its code is the call's: `unknown-tool`, `truncated`, …
 *
 * @example
 * try { await turn.result(); }
 * catch (error) { if (error instanceof InvalidToolCallError) console.error(error.call.error.feedback); }
 */
export class InvalidToolCallError extends ToolinguaError {
  static override readonly name: string = "InvalidToolCallError";

  readonly call: InvalidToolCall;

  constructor(call: InvalidToolCall) {
    super(call.error.code, call.error.message);
    this.call = call;
  }
}
