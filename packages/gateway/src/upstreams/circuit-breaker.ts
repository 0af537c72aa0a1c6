/** Whether a server is asked: `closed`: yes; `open`: not for now; `half-open`: one request finds out. */
export type CircuitState = "closed" | "open" | "half-open";

/**
 * Keeps requests from a server that fails: after so many failures in a row it is not asked for a time, then by one request,
 * whose outcome decides. A failure in the middle of a stream counts as one at its beginning does.
 *
 * `openTime` and all times are in ms.
 */
export class CircuitBreaker {
  #failures = 0;
  #openUntil: number | undefined;
  #isProbing = false;

  constructor(private readonly options: { failures: number; openTime: number }) {}

  /** How many failures there were since the last success. */
  get failures(): number {
    return this.#failures;
  }

  state(now = performance.now()): CircuitState {
    if (this.#openUntil === undefined) return "closed";
    return now < this.#openUntil || this.#isProbing ? "open" : "half-open";
  }

  /** How long until the next request is let through. */
  waitMs(now = performance.now()): number {
    return Math.max(0, (this.#openUntil ?? now) - now);
  }

  /** A request is sent. Whether it is the one that finds out. */
  begin(now = performance.now()): boolean {
    if (this.state(now) !== "half-open") return false;
    this.#isProbing = true;
    return true;
  }

  /** The server began to answer: others may ask it too, but a next failure is one too many again. */
  answered(): void {
    if (this.#openUntil === undefined) return;
    this.#openUntil = undefined;
    this.#isProbing = false;
    this.#failures = this.options.failures - 1;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openUntil = undefined;
    this.#isProbing = false;
  }

  failed(now = performance.now()): void {
    this.#failures += 1;
    this.#isProbing = false;
    if (this.#failures >= this.options.failures) this.#openUntil = now + this.options.openTime;
  }

  /** The request that was to find out ended without a word about the server: its client left. */
  undecided(): void {
    this.#isProbing = false;
  }
}
