/**
 * Does work and resolves with its result, or rejects with the signal's reason as soon as the signal aborts, also where the
 * work ignores the signal. Work that has begun continues, and its later result or error is ignored; after an abort no work
 * begins.
 *
 * Errors: the signal's reason; the errors of the work.
 *
 * @example await untilAborted(() => fetchOnce(), AbortSignal.timeout(1000));
 */
export function untilAborted<T>(work: () => T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    const forget = () => signal?.removeEventListener("abort", onAbort);
    (async () => work())().then(resolve, reject).finally(forget);
  });
}
