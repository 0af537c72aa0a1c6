import { MAX_TIMER } from "@toolingua/core/adapters";
import { EndpointError } from "./errors.js";

/**
 * Every limit of a call: the caller's signal, the idle timeout, the total timeout. The first that is reached aborts
 * `signal`, with an `EndpointError` (`idle-timeout`, `timeout`) or the caller's own reason.
 *
 * The idle time runs only while the call waits for the server, not while the caller processes what arrived.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #idle: number;
  /** When the call must be complete, as a point in time. */
  readonly #end: number;
  #total: ReturnType<typeof setTimeout> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #caller: AbortSignal | undefined;
  #since = 0;
  #waiting = false;

  constructor({ idle, total }: { idle: number; total: number }, caller: AbortSignal | undefined) {
    caller?.throwIfAborted();
    this.#idle = idle;
    this.#end = performance.now() + total;
    if (total <= MAX_TIMER) {
      const error = () => new EndpointError("timeout", `The call was not complete after ${total} ms (timeout.total).`);
      this.#total = setTimeout(() => this.#controller.abort(error()), total);
    }
    this.#caller = caller;
    caller?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Aborted when the call must end. Its reason is the error to throw. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the call can still be complete after a wait of `ms` milliseconds. */
  allows(ms: number): boolean {
    return performance.now() + ms < this.#end;
  }

  /** A controller that is aborted with the call, and can be aborted earlier on its own. */
  follower(): AbortController {
    const controller = new AbortController();
    const { signal } = this;
    if (signal.aborted) controller.abort(signal.reason);
    else signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
    return controller;
  }

  /** Awaits work of the server. Rejects as soon as the call must end. */
  async wait<T>(work: Promise<T>): Promise<T> {
    this.#since = performance.now();
    this.#waiting = true;
    if (this.#timer === undefined && this.#idle <= MAX_TIMER) this.#watch(this.#idle);
    try {
      return await work;
    } catch (error) {
      this.signal.throwIfAborted();
      throw error;
    } finally {
      this.#waiting = false;
    }
  }

  /** Awaits work of the application, such as fetching a key. Rejects when the call must end, even if the work hangs. */
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

  /** Waits `ms` milliseconds. Rejects when the call must end. */
  async pause(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      await this.until(
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, Math.min(ms, MAX_TIMER));
        }),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the call and stops all timers. `cancel`: also aborts work in progress. */
  end(cancel: boolean): void {
    clearTimeout(this.#total);
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#onAbort);
    if (cancel) this.#controller.abort();
  }

  readonly #onAbort = () => this.#controller.abort(this.#caller?.reason);

  /** One timer for the whole call: it checks when the last byte arrived, instead of being reset at each byte. */
  #watch(ms: number): void {
    this.#timer = setTimeout(() => {
      const rest = this.#waiting ? this.#idle - (performance.now() - this.#since) : this.#idle;
      if (rest > 0) return this.#watch(Math.ceil(rest));
      const message = `The server sent nothing for ${this.#idle} ms (timeout.idle).`;
      this.#controller.abort(new EndpointError("idle-timeout", message));
    }, ms);
  }
}
