import { LONGEST_TIMER } from "@toolingua/core/adapters";
import { EndpointError } from "./errors.js";

/**
 * Everything that ends a call from outside: the caller's signal, the time for the next byte, the time for the whole. The
 * first of them aborts `signal`, with an `EndpointError` (`idle-timeout`, `timeout`) or the caller's own reason.
 *
 * Time counts against `idle` only while something is waited for, not while the caller works on what came.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #idle: number;
  #total: ReturnType<typeof setTimeout> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #caller: AbortSignal | undefined;
  #since = 0;
  #waiting = false;

  constructor({ idle, total }: { idle: number; total: number }, caller: AbortSignal | undefined) {
    caller?.throwIfAborted();
    this.#idle = idle;
    if (total <= LONGEST_TIMER) {
      const error = () => new EndpointError("timeout", `The call was not complete after ${total} ms (timeout.total).`);
      this.#total = setTimeout(() => this.#controller.abort(error()), total);
    }
    this.#caller = caller;
    caller?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Aborted when the call must end; its reason is what to throw. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** A controller that is aborted with the call, and can be before. */
  follower(): AbortController {
    const controller = new AbortController();
    const { signal } = this;
    if (signal.aborted) controller.abort(signal.reason);
    else signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
    return controller;
  }

  /** What the server is waited for; fails as soon as the call must end. */
  async wait<T>(work: Promise<T>): Promise<T> {
    this.#since = performance.now();
    this.#waiting = true;
    if (this.#timer === undefined && this.#idle <= LONGEST_TIMER) this.#watch(this.#idle);
    try {
      return await work;
    } catch (error) {
      this.signal.throwIfAborted();
      throw error;
    } finally {
      this.#waiting = false;
    }
  }

  /** What the application does for the call, such as getting a key. Rejects when the call must end, also if it hangs. */
  async until<T>(work: Promise<T>): Promise<T> {
    let stop = () => {};
    const over = new Promise<never>((_, reject) => {
      stop = () => reject(this.signal.reason);
    });
    if (this.signal.aborted) stop();
    else this.signal.addEventListener("abort", stop, { once: true });
    try {
      return await Promise.race([over, work]);
    } finally {
      this.signal.removeEventListener("abort", stop);
    }
  }

  /** A pause, in ms. Rejects when the call must end. */
  async pause(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      await this.until(
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER));
        }),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** The call is over: nothing is waited for any longer. `cancel`: what is still under way ends. */
  end(cancel: boolean): void {
    clearTimeout(this.#total);
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#onAbort);
    if (cancel) this.#controller.abort();
  }

  readonly #onAbort = () => this.#controller.abort(this.#caller?.reason);

  /** One timer for the whole call: it looks when the last byte came, and is not set anew with each. */
  #watch(ms: number): void {
    this.#timer = setTimeout(() => {
      const rest = this.#waiting ? this.#idle - (performance.now() - this.#since) : this.#idle;
      if (rest > 0) return this.#watch(Math.ceil(rest));
      const message = `The server sent nothing for ${this.#idle} ms (timeout.idle).`;
      this.#controller.abort(new EndpointError("idle-timeout", message));
    }, ms);
  }
}
