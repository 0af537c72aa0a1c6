import type { ConversationEvent, ConversationResult } from "./types.js";

/**
 * A run of a conversation. It starts once, when it is first read, awaited or its result is requested. Read it with one
 * `for await`, await it or call `result()`, or do both. A reader that stops early aborts the run. Events are not buffered before
 * there is a reader: start to read in the same tick in which you request the result, or the reader misses the first
 * events.
 */
export interface ConversationRun extends AsyncIterable<ConversationEvent>, PromiseLike<ConversationResult> {
  /** The result of the run, as `await` gives it. Rejects with the errors of `run`. */
  result(): Promise<ConversationResult>;
}

type Start = (emit: (event: ConversationEvent) => void, signal: AbortSignal) => Promise<ConversationResult>;

/** Creates a run from a function that emits its events. */
export const createRun = (start: Start, signal: AbortSignal | undefined): ConversationRun => new Run(start, signal);

const END = { done: true, value: undefined } as const;

/** Queues the events until they are read. An asynchronous generator would cost more per event than reading does. */
class Run implements ConversationRun, AsyncIterator<ConversationEvent> {
  #queue: ConversationEvent[] = [];
  #read = 0;
  #isRead = false;
  #outcome: Promise<ConversationResult> | undefined;
  #over = false;
  /** Readers that wait for the next event, in the order in which they came. */
  #waiting: ((result: IteratorResult<ConversationEvent> | Promise<IteratorResult<ConversationEvent>>) => void)[] = [];
  readonly #stop = new AbortController();

  constructor(
    private readonly start: Start,
    private readonly signal: AbortSignal | undefined,
  ) {}

  result(): Promise<ConversationResult> {
    this.#outcome ??= this.#started();
    return this.#outcome;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await conversation.run()` would otherwise do nothing.
  readonly then: PromiseLike<ConversationResult>["then"] = (...handlers) => this.result().then(...handlers);

  [Symbol.asyncIterator](): AsyncIterator<ConversationEvent> {
    return this;
  }

  next(): Promise<IteratorResult<ConversationEvent>> {
    this.#isRead = true;
    this.#outcome ??= this.#started();
    const value = this.#queue[this.#read];
    if (value) {
      this.#read += 1;
      if (this.#read === this.#queue.length) {
        this.#queue = [];
        this.#read = 0;
      }
      return Promise.resolve({ done: false, value });
    }
    if (this.#over) return this.#ended();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** The reader stops early. */
  async return(): Promise<IteratorResult<ConversationEvent>> {
    this.#queue = [];
    this.#isRead = false;
    if (!this.#over) this.#stop.abort(new Error("The reader of the run stopped."));
    await this.#outcome?.catch(() => {});
    return END;
  }

  /** The end of the events, or the error with which the run ended. */
  #ended(): Promise<IteratorResult<ConversationEvent>> {
    return this.#outcome ? this.#outcome.then(() => END) : Promise.resolve(END);
  }

  #started(): Promise<ConversationResult> {
    const { signal } = this;
    // The run has its own controller, because a reader may stop it as well.
    const onAbort = () => this.#stop.abort(signal?.reason);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
    const emit = (event: ConversationEvent) => {
      if (!this.#isRead) return;
      const waiting = this.#waiting.shift();
      if (waiting) waiting({ done: false, value: event });
      else this.#queue.push(event);
    };
    const outcome = this.start(emit, this.#stop.signal).finally(() => {
      signal?.removeEventListener("abort", onAbort);
      this.#over = true;
      for (const waiting of this.#waiting) waiting(this.#ended());
    });
    // Readers get the error too, and not every caller requests the result.
    outcome.catch(() => {});
    return outcome;
  }
}
