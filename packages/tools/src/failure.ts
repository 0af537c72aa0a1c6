import { ToolinguaError } from "@toolingua/core";

/**
 * Why a call of a tool gave no result. `invalid-arguments`: they break the schema, and the function was not called;
 * `usage-limit`: the tool may not be used any more, and the function was not called; `exception`: the function threw;
 * `invalid-result`: what it gave back breaks the result's schema; `reported`: the function gave back an error; `timeout`: it
 * gave no result in time; `missing-requirement`: an environment variable is not set, and the function was not called.
 */
export type ToolFailureCode =
  | "invalid-arguments"
  | "usage-limit"
  | "exception"
  | "invalid-result"
  | "reported"
  | "timeout"
  | "missing-requirement";

/**
 * What becomes of a failure when a model called the tool. `report`: `execute` gives the `ToolFailure` back, whose message
 * the model is shown, and the conversation goes on; `throw`: `execute` throws it, and what follows is up to the framework.
 */
export type FailurePolicy = "report" | "throw";

const RETRYABLE: readonly ToolFailureCode[] = ["invalid-arguments", "exception", "reported"];

/**
 * A call that failed. The message is written for the model; `cause` is what the function threw. A function may throw one
 * of its own to choose the message and whether another try makes sense.
 *
 * @example throw new ToolFailure("reported", "search", "The index is being rebuilt. Try again later.", { retryable: true });
 */
export class ToolFailure extends ToolinguaError {
  declare readonly code: ToolFailureCode;
  readonly tool: string;
  /** Whether the model may get it right with another call. */
  readonly retryable: boolean;

  constructor(
    code: ToolFailureCode,
    tool: string,
    message: string,
    options: ErrorOptions & { retryable?: boolean | undefined } = {},
  ) {
    super(code, message, options);
    this.tool = tool;
    this.retryable = options.retryable ?? RETRYABLE.includes(code);
  }

  /** Where a result is written as JSON, a failure is its message. */
  toJSON(): { error: string } {
    return { error: this.message };
  }
}

/** The failure that something thrown or given back by a tool's function is. */
export function toFailure(tool: string, thrown: unknown, code: "exception" | "reported"): ToolFailure {
  if (thrown instanceof ToolFailure) return thrown;
  return new ToolFailure(code, tool, `The tool "${tool}" failed: ${reasonOf(thrown)}`, { cause: thrown });
}

/** What can be said of anything that was thrown; never throws itself. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  try {
    return JSON.stringify(thrown) ?? "an object";
  } catch {
    return "an object that is not JSON";
  }
}
