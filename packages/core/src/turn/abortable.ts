/**
 * The same values, but an abort is heard at once, also while the source is silent or pays no heed to the signal itself.
 * The source is closed then, and when the reader stops early.
 *
 * Errors: the signal's reason; whatever the source throws.
 */
export async function* abortable<T>(source: AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
  if (!signal) {
    yield* source;
    return;
  }
  signal.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  // Nobody may be waiting when it rejects.
  aborted.catch(() => {});
  let done = false;
  try {
    while (true) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done) {
        done = true;
        return;
      }
      yield next.value;
    }
  } catch (error) {
    done = !signal.aborted;
    throw error;
  } finally {
    if (stop) signal.removeEventListener("abort", stop);
    if (!done) {
      const closed = iterator.return?.();
      // A source that is stuck in next() never answers; an abort does not wait for it.
      if (signal.aborted) closed?.catch(() => {});
      else await closed;
    }
  }
}
