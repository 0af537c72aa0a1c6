import { LogitMaskError } from "./errors.js";

/** Memory outside of JavaScript's, that is freed once; what uses it afterwards is an error instead of a crash. */
export class Owned<T extends { dispose(): void }> {
  #held: T | undefined;

  /** `what`: what it is, for the error. */
  constructor(
    held: T,
    private readonly what: string,
  ) {
    this.#held = held;
  }

  /** Throws LogitMaskError `disposed`. */
  get(): T {
    if (this.#held) return this.#held;
    throw new LogitMaskError("disposed", `${this.what} was disposed of. Make a new one.`);
  }

  dispose(): void {
    this.#held?.dispose();
    this.#held = undefined;
  }
}
