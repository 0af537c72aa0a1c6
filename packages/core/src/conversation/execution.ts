import { contentOf, messageOf, withCauses } from "../common/result-text.js";
import { closeResult, wrongResult } from "../schema/one-result.js";
import type { Tool, ToolCall, ToolExecutionContext } from "../types.js";
import type { SettledHow } from "./records.js";
import { startTimer } from "./timer.js";

/** How much of a tool's error the model sees. */
export type ErrorDetail = "message" | "full" | "hidden" | ((error: unknown, call: ToolCall) => string);

/** The outcome of a call. */
export interface Outcome {
  content: string;
  isError: boolean;
  how: SettledHow;
}

/** The reason why a call is given up. */
class GivenUp extends Error {
  constructor(
    readonly how: "timeout" | "cancelled",
    readonly content: string,
  ) {
    super(content);
  }
}

export const CANCELLED = new GivenUp(
  "cancelled",
  "The user stopped this call while it ran; nobody knows whether it took effect.",
);
export const OUT_OF_TIME = new GivenUp(
  "timeout",
  "The call was given up: the time for this run is over. Nobody knows whether it took effect.",
);

/**
 * An error whose message the model sees as it is, whatever it may see of others: wrong arguments, or an error that is replayed.
 */
export class FeedbackError extends Error {}

/**
 * Runs one call. Never throws: errors, timeouts and aborts are outcomes. The tool gets a copy of the arguments, and a
 * signal that is aborted when the call is given up. A tool that ignores the signal continues, and its result is
 * dropped.
 */
export async function execute(
  tool: Tool,
  call: ToolCall,
  context: ToolExecutionContext,
  { detail, signal }: { detail: ErrorDetail; signal: AbortSignal | undefined },
): Promise<Outcome> {
  const { timeout } = tool;
  // The call needs another controller only if there is a time limit.
  const limited = timeout === undefined ? undefined : new AbortController();
  let why: GivenUp | undefined;
  let giveUp: (reason: GivenUp) => void = () => {};
  const givenUp = new Promise<never>((_, reject) => {
    giveUp = (reason) => {
      why ??= reason;
      reject(reason);
    };
  });
  const onAbort = () => {
    limited?.abort(signal?.reason);
    giveUp(signal?.reason === OUT_OF_TIME ? OUT_OF_TIME : CANCELLED);
  };
  const onTimeout = () => {
    const reason = new GivenUp("timeout", `The tool gave no result within ${timeout} ms.`);
    limited?.abort(reason);
    giveUp(reason);
  };
  const stopTimer = timeout === undefined ? undefined : startTimer(timeout, onTimeout);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });
  // Each call has its own: tools listen to it, and Node.js warns of more than ten listeners on one signal.
  const toolSignal = limited?.signal ?? (signal && AbortSignal.any([signal]));
  try {
    const started = Promise.resolve(
      tool.execute(structuredClone(call.arguments), { ...context, ...(toolSignal ? { signal: toolSignal } : {}) }),
    );
    // Also that of a call that was given up.
    started.then(closeResult).catch(() => {});
    const value: unknown = await Promise.race([givenUp, started]);
    if (value instanceof Error) return failure(value, call, detail);
    const wrong = wrongResult(call.name, value);
    if (wrong) return failure(wrong, call, detail);
    return { content: contentOf(value), isError: false, how: "done" };
  } catch (error) {
    if (why) return { content: why.content, isError: true, how: why.how };
    return failure(error, call, detail);
  } finally {
    stopTimer?.();
    signal?.removeEventListener("abort", onAbort);
    givenUp.catch(() => {});
  }
}

function failure(error: unknown, call: ToolCall, detail: ErrorDetail): Outcome {
  return { content: failureText(error, call, detail), isError: true, how: "failed" };
}

/**
 * The message of a failed call for the model. A tool may throw anything, even an object that throws when it is read.
 */
function failureText(error: unknown, call: ToolCall, detail: ErrorDetail): string {
  const unnamed = `The tool ${JSON.stringify(call.name)} failed.`;
  try {
    if (error instanceof FeedbackError) return error.message;
    if (detail === "hidden") return unnamed;
    const text: unknown =
      typeof detail === "function" ? detail(error, call) : detail === "full" ? withCauses(error) : messageOf(error);
    // The application's function may return an empty message.
    const isText = typeof text === "string" && (typeof detail === "function" || text.trim() !== "");
    return isText ? text : unnamed;
  } catch {
    return unnamed;
  }
}

/** Work for {@link inParallel}. */
export interface Job {
  /** Whether no other job may run at the same time. */
  exclusive: boolean;
  run(): Promise<void>;
}

/**
 * Runs all jobs in order, at most `limit` at the same time and exclusive ones alone. Rejects with the first error,
 * after all jobs that had started have ended.
 */
export async function inParallel(jobs: readonly Job[], limit: number): Promise<void> {
  const running = new Set<Promise<void>>();
  const errors: unknown[] = [];
  let alone = false;
  for (const job of jobs) {
    while (running.size > 0 && (alone || job.exclusive || running.size >= limit)) await Promise.race(running);
    if (errors.length > 0) break;
    alone = job.exclusive;
    const ended = job
      .run()
      .catch((error: unknown) => {
        errors.push(error);
      })
      .finally(() => running.delete(ended));
    running.add(ended);
  }
  await Promise.all(running);
  if (errors.length > 0) throw errors[0];
}
