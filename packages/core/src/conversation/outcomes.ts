import type { ToolCall, ToolResult } from "../types.js";
import type { Outcome } from "./execution.js";

/** The outcome of a call that was running when the process ended. */
export const unknownOutcome: Outcome = {
  content:
    "The process ended while this call ran. It counts as failed, but it may have taken effect: check before making it again.",
  isError: true,
  how: "unknown",
};

export const refused = (content: string): Outcome => ({ content, isError: true, how: "refused" });

export const notMade = (how: "cancelled" | "timeout"): Outcome => ({
  content:
    how === "cancelled"
      ? "The user stopped the run before this call was made."
      : "This call was not made: the time for this run is over.",
  isError: true,
  how,
});

/** An outcome as a result for the model. */
export function resultOf({ id, name }: ToolCall, { content, isError }: Outcome): ToolResult {
  return { toolCallId: id, name, content, ...(isError ? { isError } : {}) };
}
