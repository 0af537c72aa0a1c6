import { CallFailure, whyUnreachable } from "@toolingua/core/adapters";

/**
 * Reasons for a failed call of a tool. `invalid-arguments`: they do not match the schema, and the function was not
 * called; `usage-limit`: the tool may not be used again, and the function was not called; `exception`: the function
 * threw; `invalid-result`: the result does not match the result's schema; `reported`: the function returned an error;
 * `timeout`: there was no result in time; `missing-requirement`: an environment variable is not set, and the function
 * was not called.
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
 * How a failure is handled when a model called the tool. `report`: `execute` returns the `ToolFailure`, whose message
 * the model is shown, and the conversation continues; `throw`: `execute` throws it, and the framework handles it.
 */
export type FailurePolicy = "report" | "throw";

const RETRYABLE: readonly ToolFailureCode[] = ["invalid-arguments", "exception", "reported"];

/**
 * A failed call. The message is written for the model; `cause` is the error of the function. A function may throw its
 * own `ToolFailure` to choose the message, and whether a retry makes sense.
 *
 * @example throw new ToolFailure("reported", "search", "The index is being rebuilt. Try again later.", { retryable: true });
 */
export class ToolFailure extends CallFailure {
  static override readonly name: string = "ToolFailure";

  declare readonly code: ToolFailureCode;
  readonly tool: string;
  /** Whether the model may succeed with another call. */
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
}

/** Converts an error that a tool's function threw or returned to a failure. */
export function toFailure(tool: string, thrown: unknown, code: "exception" | "reported"): ToolFailure {
  if (isFailure(thrown)) return thrown;
  return new ToolFailure(code, tool, `The tool "${tool}" failed: ${reasonOf(thrown)}`, { cause: thrown });
}

/** The message of any thrown value. Never throws, though a value may when it is read. */
function reasonOf(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  try {
    if (thrown instanceof Error) {
      // `fetch` and lists of errors say in their causes what happened.
      const { words } = whyUnreachable(thrown);
      if (!thrown.message) return words;
      return thrown.message === "fetch failed" && words !== thrown.message
        ? `${thrown.message} (${words})`
        : String(thrown.message);
    }
    return JSON.stringify(thrown) ?? "an object";
  } catch {
    return "an object that is not JSON";
  }
}

function isFailure(thrown: unknown): thrown is ToolFailure {
  try {
    return thrown instanceof ToolFailure;
  } catch {
    return false;
  }
}
