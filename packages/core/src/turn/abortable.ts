/**
 * The same values, but an abort is heard at once, also while the source is silent or pays no heed to the signal itself.
 * The source is closed then, and when the reader stops early.
 *
 * Errors: the signal's reason; whatever the source throws.
 */
export function abortable<T>(source: AsyncIterable<T>, signal?: AbortSignal): AsyncIterable<T> {
  return signal ? heard(source, signal) : source;
}

async function* heard<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  signal.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  // One listener for the whole source, and no Promise.race, which would keep a promise for every value.
  let interrupt: (reason: unknown) => void = () => {};
  const stop = () => interrupt(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  const next = () =>
    new Promise<IteratorResult<T>>((resolve, reject) => {
      interrupt = reject;
      if (signal.aborted) reject(signal.reason);
      else iterator.next().then(resolve, reject);
    });
  let done = false;
  try {
    while (true) {
      const step = await next();
      if (step.done) {
        done = true;
        return;
      }
      yield step.value;
    }
  } catch (error) {
    done = !signal.aborted;
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    if (!done) {
      const closed = iterator.return?.();
      // A source that is stuck in next() never answers; an abort does not wait for it.
      if (signal.aborted) closed?.catch(() => {});
      else await closed;
    }
  }
}
