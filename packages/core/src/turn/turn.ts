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
  /**
   * Reads the turn to its end. `take` receives the same batches, each as soon as it arrives. For adapters; read a turn
   * either by this, by batches or by events. Rejects with the error of the turn.
   */
  whole(take: (events: ReplyEvent<Call>[]) => void): Promise<TurnResult<Call>>;
  /** The whole turn; reads it to the end if necessary. Rejects with the error of the turn. */
  result(): Promise<TurnResult<Call>>;
}

/** The steps of a turn, as {@link TurnRun} has them. */
interface Steps {
  readonly result: TurnResult | undefined;
  next(): Promise<ReplyEvent[] | undefined>;
  whole(take: (events: ReplyEvent[]) => void): Promise<TurnResult>;
  return(): Promise<void>;
}

/** A turn over steps that are begun when it is first read. */
export function createTurn(begin: () => Steps): Turn {
  let batches: Batches | undefined;
  let events: AsyncGenerator<ReplyEvent> | undefined;
  const read = () => {
    batches ??= new Batches(begin);
    return batches;
  };
  return {
    [Symbol.asyncIterator]() {
      events ??= singly(read());
      return events;
    },
    batches: read,
    whole: (take) => read().whole(take),
    result: () => (batches ? batches.outcome : read().whole(() => {})),
  };
}

/** The batches of a turn, and its outcome. An explicit iterator: a generator costs three more promises per batch. */
class Batches implements AsyncIterableIterator<ReplyEvent[]> {
  #steps: Steps | undefined;
  #isOver = false;
  #settled: { result: TurnResult } | { error: unknown } | undefined;
  #outcome: Deferred | undefined;

  constructor(private readonly begin: () => Steps) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The result or the error of the turn, once it is read. */
  get outcome(): Promise<TurnResult> {
    this.#outcome ??= new Deferred(this.#settled);
    return this.#outcome.promise;
  }

  async next(): Promise<IteratorResult<ReplyEvent[]>> {
    if (this.#isOver) return { done: true, value: undefined };
    try {
      this.#steps ??= this.begin();
      const value = await this.#steps.next();
      if (value) return { done: false, value };
      if (this.#steps.result) this.#settle({ result: this.#steps.result });
      return { done: true, value };
    } catch (error) {
      this.#settle({ error });
      throw error;
    }
  }

  async whole(take: (events: ReplyEvent[]) => void): Promise<TurnResult> {
    if (this.#isOver) return this.outcome;
    try {
      this.#steps ??= this.begin();
      const result = await this.#steps.whole(take);
      this.#settle({ result });
      return result;
    } catch (error) {
      this.#settle({ error });
      throw error;
    }
  }

  async return(): Promise<IteratorResult<ReplyEvent[]>> {
    if (!this.#isOver) {
      const error = new ToolinguaError("turn-stopped", "The turn has no result: its reader stopped before the end.");
      this.#settle({ error });
      await this.#steps?.return();
    }
    return { done: true, value: undefined };
  }

  #settle(how: { result: TurnResult } | { error: unknown }): void {
    this.#isOver = true;
    this.#settled ??= how;
    this.#outcome?.settle(how);
  }
}

/** The promise of a turn's result. The reader gets the error of a failing turn, so an unused one rejects silently. */
class Deferred {
  readonly promise: Promise<TurnResult>;
  #resolve: (result: TurnResult) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(settled: { result: TurnResult } | { error: unknown } | undefined) {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.promise.catch(() => {});
    if (settled) this.settle(settled);
  }

  settle(how: { result: TurnResult } | { error: unknown }): void {
    if ("result" in how) this.#resolve(how.result);
    else this.#reject(how.error);
  }
}

async function* singly(batches: AsyncIterable<ReplyEvent[]>): AsyncGenerator<ReplyEvent> {
  for await (const batch of batches) for (const event of batch) yield event;
}
