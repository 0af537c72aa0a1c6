import { ToolinguaError } from "../errors.js";
import type { ConversationEvent, ConversationResult } from "./types.js";

/**
 * A run of a conversation. It starts once, when it is first read or its result is requested: read the events with one `for
 * await`, and get the result with `await` or `result()`. A reader that stops early aborts the run. Events are not buffered
 * before there is a reader: start to read in the same tick in which you request the result, or the reader misses the first
 * events. Reading a run that is over is an error (`turn-read`). An `async` function that returns a run delivers its result, as
 * with every object that can be awaited; to deliver the run, return `{ run }`.
 */
export interface ConversationRun extends AsyncIterable<ConversationEvent>, PromiseLike<ConversationResult> {
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
class Run implements ConversationRun, AsyncIterator<ConversationEvent> {
  #queue: ConversationEvent[] = [];
  #read = 0;
  #isRead = false;
  /** Whether there was a reader, who may have stopped. */
  #wasRead = false;
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
  then<A = ConversationResult, B = never>(
    done?: ((result: ConversationResult) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.result().then(done, failed);
  }

  [Symbol.asyncIterator](): AsyncIterator<ConversationEvent> {
    return this;
  }

  next(): Promise<IteratorResult<ConversationEvent>> {
    if (this.#over && !this.#wasRead) return Promise.reject(alreadyOver());
    this.#isRead = true;
    this.#wasRead = true;
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
