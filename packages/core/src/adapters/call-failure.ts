import { ToolinguaError } from "../errors.js";

/**
 * A failed call of a tool. Its message is written for the model, and is all that a result written as JSON contains.
 *
 * @example JSON.stringify(new CallFailure("timeout", "No answer in time.")); // {"error":"No answer in time."}
 */
export class CallFailure extends ToolinguaError {
  static override readonly name: string = "CallFailure";

  toJSON(): { error: string } {
    return { error: this.message };
  }
}
