import { ToolinguaError } from "../errors.js";
import type { FinishReason, ParsedReply, ReplyEvent, TextMessage, ToolCall, Usage } from "../types.js";
import type { RepeatedCall } from "./repeated-calls.js";
import type { SelectionSummary } from "./selection/shown-tools.js";

/** One turn of the assistant, read to its end. */
export interface TurnResult<Call = ToolCall> extends ParsedReply<Call> {
  /** The raw text of the last attempt. */
  raw: string;
  /** The tokens of all attempts together, if the model reports them. */
  usage?: Usage;
  finish?: FinishReason;
  /**
   * Set if a call that was repeated too often (`maxRepeatedCalls`) ended the last attempt; it is not in `toolCalls`.
   */
  repeatedCall?: RepeatedCall;
  /** The number of attempts: 1, plus 1 for each retry. */
  attempts: number;
  /** The shown tools, if tools were selected. */
  selection?: SelectionSummary;
  /** The messages of the last attempt. */
  request: TextMessage[];
}

/**
 * One turn of the assistant. The model is asked once, when the turn is first read or `result()` is called: use one
 * `for await`, `result()`, or both.
 */
export interface Turn<Call = ToolCall> extends AsyncIterable<ReplyEvent<Call>> {
  /**
   * The same events in batches of those that arrive together. For adapters, because one step of an asynchronous
   * iterator costs more than an event. Read a turn either by batches or by events.
   */
  batches(): AsyncIterable<ReplyEvent<Call>[]>;
  /** The whole turn; reads it to the end if necessary. Rejects with the error of the turn. */
  result(): Promise<TurnResult<Call>>;
}

/** The methods of a generator that are used here. */
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

/** The batches of a turn, and its outcome. An explicit iterator: a generator costs three more promises per batch. */
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
    // The reader gets the error of a failing turn, so an unused result must not reject unhandled.
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
