import { untilAborted } from "@toolingua/core/adapters";

/** The result of {@link withTimeout} after the timeout. */
export const OVERDUE = Symbol("overdue");

/**
 * Runs work with a time limit in milliseconds: resolves with its result, or {@link OVERDUE}. The work's signal is
 * aborted after the time limit, and with the caller's signal. Work that ignores its signal continues, and its result is
 * dropped.
 *
 * Errors: those of the work; the reason of the caller's signal.
 *
 * @example await withTimeout(1000, undefined, (signal) => fetch(url, { signal }));
 */
export async function withTimeout<T>(
  ms: number | undefined,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T | typeof OVERDUE> {
  if (ms === undefined || ms === Number.POSITIVE_INFINITY) return await untilAborted(() => work(signal), signal);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException(`no result within ${ms} ms`, "TimeoutError")), ms);
  const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  try {
    return await untilAborted(() => work(either), either);
  } catch (error) {
    if (late.signal.aborted && !signal?.aborted) return OVERDUE;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
