import { untilAborted } from "@toolingua/core";

/** What {@link within} gives where the time was over. */
export const OVERDUE = Symbol("overdue");

/**
 * Work that may take so many milliseconds: what it gives, or {@link OVERDUE}. Its signal is aborted when the time is over,
 * and when the caller's is. Work that pays no heed to it goes on, unheard.
 *
 * Errors: what the work throws; the reason of the caller's signal.
 *
 * @example await within(1000, undefined, (signal) => fetch(url, { signal }));
 */
export async function within<T>(
  ms: number | undefined,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T | typeof OVERDUE> {
  if (ms === undefined || ms === Number.POSITIVE_INFINITY) return await untilAborted(work(signal), signal);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException(`no result within ${ms} ms`, "TimeoutError")), ms);
  const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  try {
    return await untilAborted(work(either), either);
  } catch (error) {
    if (late.signal.aborted && !signal?.aborted) return OVERDUE;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
