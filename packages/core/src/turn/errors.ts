import { ToolinguaError } from "../errors.js";
import type { InvalidToolCall } from "../types.js";

/**
 * A call was required and the model made none, not even when asked again. Code `tool-choice-unmet`.
 * `raw` is the model's last reply.
 */
export class ToolChoiceError extends ToolinguaError {
  readonly raw: string;

  constructor(message: string, raw: string) {
    super("tool-choice-unmet", message);
    this.raw = raw;
  }
}

/** A call that must not run, under `onInvalidCall: "throw"`. Its code is the call's: `unknown-tool`, `truncated`, … */
export class InvalidToolCallError extends ToolinguaError {
  readonly call: InvalidToolCall;

  constructor(call: InvalidToolCall) {
    super(call.error.code, call.error.message);
    this.call = call;
  }
}
