/**
 * What begins when it is read, and can be awaited like a promise of its result: `await` and `then`, `catch` and `finally` ask
 * for the result.
 */
export abstract class Awaitable<T> implements Promise<T> {
  /** The result, as `await` gives it. */
  abstract result(): Promise<T>;

  abstract readonly [Symbol.toStringTag]: string;

  // biome-ignore lint/suspicious/noThenProperty: `await generateWithTools(…)` would otherwise do nothing.
  then<A = T, B = never>(
    done?: ((result: T) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.result().then(done, failed);
  }

  catch<B = never>(failed?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.result().catch(failed);
  }

  finally(settled?: (() => void) | null): Promise<T> {
    return this.result().finally(settled);
  }
}
