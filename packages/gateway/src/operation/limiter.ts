import type { KeyConfig, Limits } from "../config/schema.js";
import { Failure } from "../failure.js";

/** The remaining requests of a key holder. Times are in ms. */
export interface Allowance {
  limit: number;
  remaining: number;
  /** The time until the allowance is full again. */
  resetMs: number;
}

/** A token bucket of requests, refilled evenly over a minute. */
export class TokenBucket {
  #tokens: number;
  #at: number;

  constructor(
    readonly perMinute: number,
    now: number,
  ) {
    this.#tokens = perMinute;
    this.#at = now;
  }

  /** Takes one token. `waitMs`: the time until the next token, if there was none. */
  take(now: number): { waitMs: number; allowance: Allowance } {
    const perMs = this.perMinute / 60_000;
    this.#tokens = Math.min(this.perMinute, this.#tokens + (now - this.#at) * perMs);
    this.#at = now;
    const isThere = this.#tokens >= 1;
    const waitMs = isThere ? 0 : (1 - this.#tokens) / perMs;
    if (isThere) this.#tokens -= 1;
    const allowance = {
      limit: this.perMinute,
      remaining: Math.floor(this.#tokens),
      resetMs: (this.perMinute - this.#tokens) / perMs,
    };
    return { waitMs, allowance };
  }
}

interface State {
  bucket?: TokenBucket;
  running: number;
}

/** Limits the rate and the concurrency of each key holder; without keys, all clients share one limit. */
export class Limiter {
  readonly #states = new Map<string, State>();

  /**
   * Admits a request. Call `end` once when the request is over.
   *
   * Errors: {@link Failure} `rate-limit`.
   */
  begin(
    { name = "", rate, concurrency }: Partial<Pick<KeyConfig, "name" | "rate" | "concurrency">>,
    limits: Pick<Limits, "rate" | "concurrency">,
    now = performance.now(),
  ): { allowance: Allowance | undefined; end: () => void } {
    const state = this.#states.get(name) ?? { running: 0 };
    this.#states.set(name, state);
    const most = concurrency ?? limits.concurrency ?? Number.POSITIVE_INFINITY;
    if (state.running >= most) {
      throw new Failure("rate-limit", `At most ${most} ${most === 1 ? "request" : "requests"} may run at once.`, {
        code: "concurrency_limit_exceeded",
        retryAfterMs: 1000,
      });
    }
    const allowance = take(state, rate ?? limits.rate, now);
    state.running += 1;
    return {
      allowance,
      end: () => {
        state.running -= 1;
      },
    };
  }
}

function take(state: State, rate: number | undefined, now: number): Allowance | undefined {
  if (rate === undefined) return undefined;
  // A reload may have changed the rate.
  if (state.bucket?.perMinute !== rate) state.bucket = new TokenBucket(rate, now);
  const { waitMs, allowance } = state.bucket.take(now);
  if (waitMs === 0) return allowance;
  throw new Failure(
    "rate-limit",
    `At most ${rate} requests a minute are answered. Try again in ${(waitMs / 1000).toFixed(1)}s.`,
    {
      code: "rate_limit_exceeded",
      retryAfterMs: waitMs,
    },
  );
}

/** An allowance as the headers that OpenAI's and Anthropic's clients read. */
export const allowanceHeaders = ({ limit, remaining, resetMs }: Allowance, now: Date): Record<string, string> => ({
  "x-ratelimit-limit-requests": String(limit),
  "x-ratelimit-remaining-requests": String(remaining),
  "x-ratelimit-reset-requests": `${(resetMs / 1000).toFixed(3)}s`,
  "anthropic-ratelimit-requests-limit": String(limit),
  "anthropic-ratelimit-requests-remaining": String(remaining),
  "anthropic-ratelimit-requests-reset": new Date(now.getTime() + resetMs).toISOString(),
});
