import type { TraceEvent } from "../turn/trace.js";
import type { ToolCall } from "../types.js";
import type { Outcome } from "./execution.js";

/** How a call is started early: at most `limit` at a time, until `signal` is aborted. */
export interface EarlyStart {
  limit: number;
  signal: AbortSignal | undefined;
  start(stop: AbortSignal): Promise<Outcome>;
}

/** Starts the next call of a reply early; `undefined` where it does not. */
export type EarlyStarter = (call: ToolCall) => EarlyStart | undefined;

/**
 * Calls that run while the model still writes. They are known by their ids; where the reply is repaired, all that was
 * begun is aborted and forgotten.
 *
 * Only the first calls of a reply start early: after one that cannot, none does. So the early calls are always the first
 * in the order of execution, and the rules of that order (`exclusive`, `concurrency`) apply to them too.
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

  /** What the turn reports. */
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

  /** What came of a call, if it was begun. */
  outcomeOf({ id }: ToolCall): Promise<Outcome> | undefined {
    return this.#begun.get(id);
  }

  /** Ends what runs; nobody wants it. */
  discard(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#begun.clear();
    this.#start = this.reply();
  }
}
