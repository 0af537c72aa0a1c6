import { Failure } from "../failure.js";
import { within } from "./within.js";

interface Answer {
  over: Promise<void>;
  stop: AbortController;
}

/** Why work is stopped for an answer that is over. One for all: an error of its own for each would cost more. */
const OVER = new Error("The answer is over.");

/** The answers that are being given. */
export class RunningAnswers {
  readonly #answers = new Set<Answer>();

  /** An answer begins; it ends early where the client is gone. `end` may be called more than once. */
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
      // Whatever is still at work for it is of no use.
      stop.abort(OVER);
      this.#answers.delete(answer);
      done();
    };
    return { signal: stop.signal, end };
  }

  /** Waits for all that run now, at most so many milliseconds. Whether they ended. */
  async idle(ms = Number.POSITIVE_INFINITY): Promise<boolean> {
    const all = Promise.all([...this.#answers].map(({ over }) => over)).then(() => true);
    if (ms === Number.POSITIVE_INFINITY) return all;
    return (await within(all, ms)) ?? false;
  }

  /** Ends all of them with an error: the gateway stops. */
  stop(): void {
    for (const { stop } of this.#answers) stop.abort(stopping());
  }
}

export const stopping = (): Failure =>
  new Failure("overloaded", "The gateway is shutting down.", { code: "shutting_down", retryAfter: 1 });
