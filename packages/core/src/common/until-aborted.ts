/**
 * Resolves with a promise's value, or rejects with the signal's reason as soon as the signal aborts. The work itself
 * continues: others may wait for it, or it may ignore the signal. Its later result or error is ignored.
 *
 * Errors: the signal's reason; the work's own rejection.
 *
 * @example await untilAborted(fetchOnce(), AbortSignal.timeout(1000));
 */
export async function untilAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    // If both are settled, the first one wins.
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
