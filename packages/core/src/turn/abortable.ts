import { describeValue } from "../common/describe-value.js";
import { isObject } from "../common/plain-object.js";
import { OptionsError } from "../errors.js";

/** A synchronous or asynchronous iterable. */
export type AnyIterable<T> = AsyncIterable<T> | Iterable<T>;

/**
 * The same values, with immediate abort, even while the source is silent or ignores the signal.
 * The source is closed on abort, and when the reader stops early.
 *
 * Errors: the signal's reason; whatever the source throws.
 */
export function abortable<T>(source: AnyIterable<T>, signal?: AbortSignal): AnyIterable<T> {
  return signal ? { [Symbol.asyncIterator]: () => new AbortableIterator(source, signal) } : source;
}

/** An iterator over the values. Of a synchronous source, values may be promises. */
export function iteratorOf<T>(source: AnyIterable<T>): AsyncIterator<T> {
  return Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : awaited(source);
}

/** A step of an iterator of the model, which may be hand-written. Errors: `OptionsError` (`bad-option`) for anything else. */
export function checkedStep<T>(step: IteratorResult<T>): IteratorResult<T> {
  if (isObject(step)) return step;
  const said = "An iterator's next() must return { done, value }";
  throw new OptionsError("bad-option", `${said}; that of \`model\` returned ${describeValue(step)}.`);
}

async function* awaited<T>(source: Iterable<T>): AsyncGenerator<T> {
  yield* source;
}

/** An explicit iterator: an asynchronous generator costs two more promises per value. */
class AbortableIterator<T> implements AsyncIterator<T> {
  #iterator: AsyncIterator<T> | Iterator<T> | undefined;
  #isOver = false;
  #resolve: (result: IteratorResult<T>) => void = () => {};
  #reject: (reason: unknown) => void = () => {};
  readonly #wait = (resolve: (result: IteratorResult<T>) => void, reject: (reason: unknown) => void) => {
    this.#resolve = resolve;
    this.#reject = reject;
  };

  constructor(
    private readonly source: AnyIterable<T>,
    private readonly signal: AbortSignal,
  ) {}

  next(): Promise<IteratorResult<T>> {
    if (this.signal.aborted) {
      this.#stop();
      return Promise.reject(this.signal.reason);
    }
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    if (!this.#iterator) {
      const { source } = this;
      this.#iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
      // One listener for the whole source; Promise.race would retain a promise for every value.
      this.signal.addEventListener("abort", this.#onAbort, { once: true });
    }
    const promise = new Promise(this.#wait);
    try {
      // Hand-written iterators may return a step without a promise.
      Promise.resolve(this.#iterator.next()).then(this.#onValue, this.#onError);
    } catch (error) {
      this.#onError(error);
    }
    return promise;
  }

  async return(): Promise<IteratorResult<T>> {
    const iterator = this.#iterator;
    this.#end();
    await iterator?.return?.();
    return { done: true, value: undefined };
  }

  readonly #onValue = (result: IteratorResult<T>) => {
    try {
      if (checkedStep(result).done) this.#end();
      this.#resolve(result);
    } catch (error) {
      this.#onError(error);
    }
  };

  readonly #onError = (error: unknown) => {
    this.#end();
    this.#reject(error);
  };

  readonly #onAbort = () => {
    this.#reject(this.signal.reason);
    this.#stop();
  };

  /** Closes the source without waiting, because a source that is stuck in next() never answers. */
  #stop(): void {
    const iterator = this.#iterator;
    this.#end();
    // Errors and return values of `return` are ignored.
    Promise.resolve()
      .then(() => iterator?.return?.())
      .catch(() => {});
  }

  #end(): void {
    this.#isOver = true;
    this.#iterator = undefined;
    this.signal.removeEventListener("abort", this.#onAbort);
  }
}
