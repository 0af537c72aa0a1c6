/**
 * What a promise gives; the signal's reason, as soon as that is aborted before. The work itself goes on: it may be what others
 * wait for as well, or pay no heed to the signal. How it ends then is nobody's to hear.
 *
 * Errors: the signal's reason; what the work rejects with.
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
    // Of two that are settled the first one counts.
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
