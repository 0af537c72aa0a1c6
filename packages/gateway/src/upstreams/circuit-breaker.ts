/** `closed`: the server gets requests; `open`: it gets none for now; `half-open`: it gets one, the probe. */
export type CircuitState = "closed" | "open" | "half-open";

/** The circuit breaker's record of a request. */
export interface CircuitRequest {
  /** Whether it is the probe of a half-open circuit. */
  isProbe: boolean;
  /** How many times the circuit had opened before the request. */
  opening: number;
}

/**
 * Spares a failing server: after a number of failures in a row it gets no requests for a time, then a single one, whose
 * outcome decides. A failure in the middle of a stream counts like one at its start.
 *
 * `openTime` and all times are in ms.
 */
export class CircuitBreaker {
  #failures = 0;
  #openUntil: number | undefined;
  #isProbing = false;
  /** How many times the circuit has opened. */
  #openings = 0;

  constructor(private readonly options: { failures: number; openTime: number }) {}

  /** The number of failures since the last success. */
  get failures(): number {
    return this.#failures;
  }

  state(now = performance.now()): CircuitState {
    if (this.#openUntil === undefined) return "closed";
    return now < this.#openUntil || this.#isProbing ? "open" : "half-open";
  }

  /** The time until the next request is let through. */
  waitMs(now = performance.now()): number {
    return Math.max(0, (this.#openUntil ?? now) - now);
  }

  /** Called when a request is sent. */
  begin(now = performance.now()): CircuitRequest {
    const isProbe = this.state(now) === "half-open";
    this.#isProbing ||= isProbe;
    return { isProbe, opening: this.#openings };
  }

  /** The server began to answer: other requests may follow, but one more failure opens the circuit again. */
  answered({ opening }: CircuitRequest): void {
    if (this.#openUntil === undefined || opening !== this.#openings) return;
    this.#openUntil = undefined;
    this.#isProbing = false;
    this.#failures = this.options.failures - 1;
  }

  /** Ignores requests sent before the circuit opened: they do not show the server's present state. */
  succeeded({ opening }: CircuitRequest): void {
    if (opening !== this.#openings) return;
    this.#failures = 0;
    this.#openUntil = undefined;
    this.#isProbing = false;
  }

  /** Ignores requests sent before the circuit opened, as {@link succeeded} does. */
  failed({ opening }: CircuitRequest, now = performance.now()): void {
    if (opening !== this.#openings) return;
    this.#failures += 1;
    this.#isProbing = false;
    if (this.#failures < this.options.failures) return;
    this.#openUntil = now + this.options.openTime;
    this.#openings += 1;
  }

  /** The request ended without showing the server's state, because its client disconnected. */
  undecided({ isProbe, opening }: CircuitRequest): void {
    if (isProbe && opening === this.#openings) this.#isProbing = false;
  }
}
