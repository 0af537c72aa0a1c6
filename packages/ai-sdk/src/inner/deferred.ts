/** A promise with a public `resolve` (Node 20 lacks `Promise.withResolvers`), which is made when it is asked for. */
export class Deferred<T> {
  #promise: Promise<T> | undefined;
  #resolve: ((value: T) => void) | undefined;
  #settled: { value: T } | undefined;

  get promise(): Promise<T> {
    this.#promise ??= this.#settled
      ? Promise.resolve(this.#settled.value)
      : new Promise((resolve) => {
          this.#resolve = resolve;
        });
    return this.#promise;
  }

  /** Only the first value counts. */
  resolve(value: T): void {
    if (this.#settled) return;
    this.#settled = { value };
    this.#resolve?.(value);
  }
}
