import { ToolinguaError } from "../errors.js";
import type { FinishReason, ParsedReply, ReplyEvent, TextMessage, Usage } from "../types.js";
import type { RepeatedCall } from "./repeated-calls.js";
import type { SelectionSummary } from "./selection/shown-tools.js";

/** One turn of the assistant, read to its end. */
export interface TurnResult extends ParsedReply {
  /** What the model wrote, in its last attempt. */
  raw: string;
  /** Tokens of all attempts together, where the model counts them. */
  usage?: Usage;
  finish?: FinishReason;
  /** Set where the last attempt ended at a call that came once too often (`maxRepeatedCalls`); it is not in `toolCalls`. */
  repeatedCall?: RepeatedCall;
  /** How often the model was asked: 1, and 1 more for each repair. */
  attempts: number;
  /** Which tools were shown, when they were selected. */
  selection?: SelectionSummary;
  /** The messages of the last attempt. */
  request: TextMessage[];
}

/**
 * One turn of the assistant. The model is asked when it is first read or its result is asked for, and once only: read
 * it with one `for await`, ask for `result()`, or both.
 */
export interface Turn extends AsyncIterable<ReplyEvent> {
  /**
   * The same events in batches: those that come at once. For adapters; a single step of an asynchronous iterator costs more
   * than reading an event does. A turn is read in one way only.
   */
  batches(): AsyncIterable<ReplyEvent[]>;
  /** The whole turn; reads it to the end if nobody does. Rejects with what the turn throws. */
  result(): Promise<TurnResult>;
}

/** What is read of a generator. */
interface Moments {
  next(): Promise<IteratorResult<ReplyEvent[], TurnResult>>;
  return(value: unknown): Promise<unknown>;
}

/** A turn over a generator that yields batches of events and returns the result. */
export function createTurn(generate: () => Moments): Turn {
  let batches: Batches | undefined;
  let events: AsyncGenerator<ReplyEvent> | undefined;
  const read = () => {
    batches ??= new Batches(generate);
    return batches;
  };
  return {
    [Symbol.asyncIterator]() {
      events ??= singly(read());
      return events;
    },
    batches: read,
    async result() {
      if (!batches) for await (const _ of read());
      return read().outcome;
    },
  };
}

/** The batches of a turn, and its outcome. By hand: another asynchronous generator would cost each batch three promises more. */
class Batches implements AsyncIterableIterator<ReplyEvent[]> {
  readonly outcome: Promise<TurnResult>;
  #moments: Moments | undefined;
  #isOver = false;
  #resolve: (result: TurnResult) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(private readonly generate: () => Moments) {
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A turn that fails is reported to its reader; not everyone asks for the result too.
    this.outcome.catch(() => {});
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<ReplyEvent[]>> {
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    try {
      this.#moments ??= this.generate();
      return this.#moments.next().then(this.#onNext, this.#onError);
    } catch (error) {
      return Promise.reject(error).catch(this.#onError);
    }
  }

  async return(): Promise<IteratorResult<ReplyEvent[]>> {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#reject(new ToolinguaError("turn-stopped", "The turn has no result: its reader stopped before the end."));
      await this.#moments?.return(undefined);
    }
    return { done: true, value: undefined };
  }

  readonly #onNext = (next: IteratorResult<ReplyEvent[], TurnResult>): IteratorResult<ReplyEvent[]> => {
    if (!next.done) return next;
    this.#isOver = true;
    this.#resolve(next.value);
    return { done: true, value: undefined };
  };

  readonly #onError = (error: unknown): never => {
    this.#isOver = true;
    this.#reject(error);
    throw error;
  };
}

async function* singly(batches: AsyncIterable<ReplyEvent[]>): AsyncGenerator<ReplyEvent> {
  for await (const batch of batches) for (const event of batch) yield event;
}
