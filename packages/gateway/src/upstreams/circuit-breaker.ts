/** Whether a server is asked: `closed`: yes; `open`: not for now; `half-open`: one request finds out. */
export type CircuitState = "closed" | "open" | "half-open";

/** A request as the circuit breaker knows it. */
export interface CircuitRequest {
  /** Whether it is the one that finds out. */
  isProbe: boolean;
  /** How often the circuit had opened before it. */
  opening: number;
}

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
  /** How often it opened. */
  #openings = 0;

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

  /** A request is sent. */
  begin(now = performance.now()): CircuitRequest {
    const isProbe = this.state(now) === "half-open";
    this.#isProbing ||= isProbe;
    return { isProbe, opening: this.#openings };
  }

  /** The server began to answer: others may ask it too, but a next failure is one too many again. */
  answered({ opening }: CircuitRequest): void {
    if (this.#openUntil === undefined || opening !== this.#openings) return;
    this.#openUntil = undefined;
    this.#isProbing = false;
    this.#failures = this.options.failures - 1;
  }

  /** What was sent before the circuit opened says nothing of the server as it is now. */
  succeeded({ opening }: CircuitRequest): void {
    if (opening !== this.#openings) return;
    this.#failures = 0;
    this.#openUntil = undefined;
    this.#isProbing = false;
  }

  failed(now = performance.now()): void {
    this.#failures += 1;
    this.#isProbing = false;
    if (this.#failures < this.options.failures) return;
    this.#openUntil = now + this.options.openTime;
    this.#openings += 1;
  }

  /** A request ended without a word about the server: its client left. */
  undecided({ isProbe, opening }: CircuitRequest): void {
    if (isProbe && opening === this.#openings) this.#isProbing = false;
  }
}
