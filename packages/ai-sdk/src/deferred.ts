/** A promise with a public `resolve` (Node 20 lacks `Promise.withResolvers`). */
export class Deferred<T> {
  readonly promise: Promise<T>;
  resolve: (value: T) => void = () => {};

  constructor() {
    this.promise = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }
}
