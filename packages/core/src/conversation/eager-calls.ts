import type { TraceEvent } from "../turn/trace.js";
import type { ToolCall } from "../types.js";
import type { Outcome } from "./execution.js";

/** How a call starts early: at most `limit` calls run at a time, until `signal` is aborted. */
export interface EarlyStart {
  limit: number;
  signal: AbortSignal | undefined;
  start(stop: AbortSignal): Promise<Outcome>;
}

/** Decides how the next call of a reply starts early; `undefined` if it does not. */
export type EarlyStarter = (call: ToolCall) => EarlyStart | undefined;

/**
 * Calls that run while the model still writes, by their ids. If the reply is asked for again, all of them are aborted and
 * discarded.
 *
 * Only the first calls of a reply start early: after one that cannot, none does. Early calls are therefore always the
 * first in the order of execution, and the rules of that order (`exclusive`, `concurrency`) apply to them too.
 */
export class EagerCalls {
  readonly #begun = new Map<string, Promise<Outcome>>();
  #running = 0;
  #stop = new AbortController();
  #start: EarlyStarter | undefined;

  /** `reply` is called at the beginning of each reply. */
  constructor(private readonly reply: () => EarlyStarter) {
    this.#start = reply();
  }

  /** Receives the trace events of the turn. */
  on(event: TraceEvent): void {
    if (event.type === "event" && event.event.type === "call-end") this.#begin(event.event.call);
  }

  #begin(call: ToolCall): void {
    const early = this.#start?.(call);
    if (!early || this.#running >= early.limit || early.signal?.aborted) {
      this.#start = undefined;
      return;
    }
    const stop = this.#stop;
    const onAbort = () => stop.abort(early.signal?.reason);
    early.signal?.addEventListener("abort", onAbort, { once: true });
    this.#running += 1;
    const ended = early.start(stop.signal).finally(() => {
      this.#running -= 1;
      early.signal?.removeEventListener("abort", onAbort);
    });
    this.#begun.set(call.id, ended);
  }

  /** The outcome of a call that started early; `undefined` if it did not. */
  outcomeOf({ id }: ToolCall): Promise<Outcome> | undefined {
    return this.#begun.get(id);
  }

  /** Aborts the running calls, whose results are not needed. */
  discard(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#begun.clear();
    this.#start = this.reply();
  }
}
