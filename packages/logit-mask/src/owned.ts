import { LogitMaskError } from "./errors.js";

/** A native object that is freed once. Later use throws an error instead of crashing. */
export class Owned<T extends { dispose(): void }> {
  #held: T | undefined;

  /** `what`: the name of the object, for the error. */
  constructor(
    held: T,
    private readonly what: string,
  ) {
    this.#held = held;
  }

  /** The object. Throws LogitMaskError `disposed`. */
  get(): T {
    if (this.#held) return this.#held;
    throw new LogitMaskError("disposed", `${this.what} was disposed of. Make a new one.`);
  }

  dispose(): void {
    this.#held?.dispose();
    this.#held = undefined;
  }
}
