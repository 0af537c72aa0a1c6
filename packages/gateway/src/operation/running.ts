import { within } from "@toolingua/core/adapters";
import { Failure } from "../failure.js";

interface Answer {
  over: Promise<void>;
  stop: AbortController;
}

/** The abort reason of work for a finished answer. Shared, because creating an error for each answer costs more. */
const OVER = new Error("The answer is over.");

/** The answers in progress. */
export class RunningAnswers {
  readonly #answers = new Set<Answer>();

  /** Registers an answer. `signal` aborts if the client disconnects. `end` may be called more than once. */
  begin(client: AbortSignal): { signal: AbortSignal; end: () => void } {
    const stop = new AbortController();
    let done = () => {};
    const over = new Promise<void>((resolve) => {
      done = resolve;
    });
    const answer = { over, stop };
    this.#answers.add(answer);
    const onGone = () => stop.abort(client.reason);
    client.addEventListener("abort", onGone, { once: true });
    if (client.aborted) onGone();
    const end = () => {
      client.removeEventListener("abort", onGone);
      // Any work that continues for this answer is now useless.
      stop.abort(OVER);
      this.#answers.delete(answer);
      done();
    };
    return { signal: stop.signal, end };
  }

  /** Waits until the answers in progress have ended, at most `ms`. Resolves with whether they have. */
  async idle(ms = Number.POSITIVE_INFINITY): Promise<boolean> {
    const all = Promise.all([...this.#answers].map(({ over }) => over)).then(() => true);
    if (ms === Number.POSITIVE_INFINITY) return all;
    return (await within(ms, all)) ?? false;
  }

  /** Ends all answers with an error, because the gateway stops. */
  stop(): void {
    for (const { stop } of this.#answers) stop.abort(stopping());
  }
}

export const stopping = (): Failure =>
  new Failure("overloaded", "The gateway is shutting down.", { code: "shutting_down", retryAfterMs: 1000 });
