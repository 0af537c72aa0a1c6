import type { ConversationEvent, ConversationResult } from "./types.js";

/**
 * A run of a conversation. It starts when it is first read or its result is asked for, once only: read it with one
 * `for await`, ask for `result()`, or both. A reader that stops early ends it, as an abort does. No event is kept before there
 * is a reader: begin to read in the same step in which you ask for the result, or the reader misses what was before.
 */
export interface ConversationRun extends AsyncIterable<ConversationEvent> {
  /** How the run ends. Rejects with the errors of `run`. */
  result(): Promise<ConversationResult>;
}

type Start = (emit: (event: ConversationEvent) => void, signal: AbortSignal) => Promise<ConversationResult>;

/** A run over a function that reports its events. */
export const createRun = (start: Start, signal: AbortSignal | undefined): ConversationRun => new Run(start, signal);

const END = { done: true, value: undefined } as const;

/** The events wait in a queue until they are read; an asynchronous generator would cost each of them more than reading does. */
class Run implements ConversationRun, AsyncIterator<ConversationEvent> {
  #queue: ConversationEvent[] = [];
  #read = 0;
  #isRead = false;
  #outcome: Promise<ConversationResult> | undefined;
  #over = false;
  /** Readers that wait for the next event, the first one first. */
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

  /** The reader wants no more. */
  async return(): Promise<IteratorResult<ConversationEvent>> {
    this.#queue = [];
    this.#isRead = false;
    if (!this.#over) this.#stop.abort(new Error("The reader of the run stopped."));
    await this.#outcome?.catch(() => {});
    return END;
  }

  /** The end, or the error that the run ended with. */
  #ended(): Promise<IteratorResult<ConversationEvent>> {
    return this.#outcome ? this.#outcome.then(() => END) : Promise.resolve(END);
  }

  #started(): Promise<ConversationResult> {
    const { signal } = this;
    // The reader that stops early may come later.
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
    // The reader hears of it; not everyone asks for the result too.
    outcome.catch(() => {});
    return outcome;
  }
}
