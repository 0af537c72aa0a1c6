import { Awaitable } from "../common/awaitable.js";
import { ToolinguaError } from "../errors.js";
import type { ConversationEvent, ConversationResult } from "./types.js";

/**
 * A run of a conversation. It starts once, when it is first read or its result is requested: `conversation.run(…)` alone does
 * nothing. Read the events with one `for await`, and get the result with `await` or `result()`. A reader that stops early
 * aborts the run. Events are not buffered before there is a reader: start to read in the same tick in which you request the
 * result, or the reader misses the first events. Reading a run that is over is an error (`turn-read`). An `async` function that
 * returns a run delivers its result, as with every object that can be awaited; to deliver the run, return `{ run }`.
 */
export interface ConversationRun extends AsyncIterable<ConversationEvent>, Promise<ConversationResult> {
  /** The result of the run, as `await` gives it. Rejects with the errors of `run`. */
  result(): Promise<ConversationResult>;
}

type Start = (emit: (event: ConversationEvent) => void, signal: AbortSignal) => Promise<ConversationResult>;

/** Creates a run from a function that emits its events. */
export const createRun = (start: Start, signal: AbortSignal | undefined): ConversationRun => new Run(start, signal);

const alreadyOver = () =>
  new ToolinguaError("turn-read", "The run is over, and its events were not kept: read them before the result.");

const END = { done: true, value: undefined } as const;

/** Queues the events until they are read. An asynchronous generator would cost more per event than reading does. */
class Run extends Awaitable<ConversationResult> implements ConversationRun, AsyncIterator<ConversationEvent> {
  readonly [Symbol.toStringTag] = "ConversationRun";
  #run: { is: "idle" } | { is: "running" | "over"; outcome: Promise<ConversationResult> } = { is: "idle" };
  #reader: "none" | "reading" | "gone" = "none";
  #queue: ConversationEvent[] = [];
  /** How many events of the queue were read. */
  #read = 0;
  /** Readers that wait for the next event, in the order in which they came. */
  #waiting: ((result: IteratorResult<ConversationEvent> | Promise<IteratorResult<ConversationEvent>>) => void)[] = [];
  readonly #stop = new AbortController();

  constructor(
    private readonly start: Start,
    private readonly signal: AbortSignal | undefined,
  ) {
    super();
  }

  result(): Promise<ConversationResult> {
    return this.#started().outcome;
  }

  [Symbol.asyncIterator](): AsyncIterator<ConversationEvent> {
    return this;
  }

  next(): Promise<IteratorResult<ConversationEvent>> {
    if (this.#run.is === "over" && this.#reader === "none") return Promise.reject(alreadyOver());
    this.#reader = "reading";
    const run = this.#started();
    const value = this.#queue[this.#read];
    if (value) {
      this.#read += 1;
      if (this.#read === this.#queue.length) this.#empty();
      return Promise.resolve({ done: false, value });
    }
    if (run.is === "over") return run.outcome.then(() => END);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** The reader stops early. */
  async return(): Promise<IteratorResult<ConversationEvent>> {
    this.#empty();
    if (this.#reader === "reading") this.#reader = "gone";
    if (this.#run.is !== "over") this.#stop.abort(new Error("The reader of the run stopped."));
    if (this.#run.is !== "idle") await this.#run.outcome.catch(() => {});
    return END;
  }

  #empty(): void {
    this.#queue = [];
    this.#read = 0;
  }

  #emit(event: ConversationEvent): void {
    if (this.#reader !== "reading") return;
    const waiting = this.#waiting.shift();
    if (waiting) waiting({ done: false, value: event });
    else this.#queue.push(event);
  }

  /** The run, which starts once. */
  #started() {
    if (this.#run.is !== "idle") return this.#run;
    const { signal } = this;
    // The run has its own controller, because a reader may stop it as well.
    const onAbort = () => this.#stop.abort(signal?.reason);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
    const outcome = this.start((event) => this.#emit(event), this.#stop.signal).finally(() => {
      signal?.removeEventListener("abort", onAbort);
      this.#run = { is: "over", outcome };
      for (const waiting of this.#waiting) waiting(outcome.then(() => END));
    });
    // Readers get the error too, and not every caller requests the result.
    outcome.catch(() => {});
    this.#run = { is: "running", outcome };
    return this.#run;
  }
}
