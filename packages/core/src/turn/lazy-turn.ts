import { Awaitable } from "../common/awaitable.js";
import { ToolinguaError } from "../errors.js";
import type { ReplyEvent } from "../types.js";
import { turnStopped } from "./errors.js";
import type { Turn } from "./turn.js";
import type { TurnResult } from "./turn-result.js";
import type { TurnSteps } from "./turn-steps.js";

type Outcome = { result: TurnResult } | { error: unknown };

/** A turn whose steps begin when it is first read, by the only reader of its events. */
export class LazyTurn extends Awaitable<TurnResult> implements Turn {
  readonly [Symbol.toStringTag] = "Turn";
  #steps: TurnSteps | undefined;
  #batches: Batches | undefined;
  #events: AsyncGenerator<ReplyEvent> | undefined;
  /** Whether the events go to `whole()` or, unread, to `result()`. */
  #isTaken = false;
  #outcome: Outcome | undefined;
  #result: ResultPromise | undefined;
  /** The steps that `result()` takes for the reader of the batches, in their order, and how many of them it has read. */
  #kept: Promise<ReplyEvent[] | undefined>[] | undefined;
  #read = 0;

  constructor(private readonly begin: () => TurnSteps) {
    super();
  }

  [Symbol.asyncIterator](): AsyncIterator<ReplyEvent> {
    this.#events ??= singly(this.batches());
    return this.#events;
  }

  batches(): AsyncIterable<ReplyEvent[]> {
    if (this.#isTaken) throw alreadyRead();
    this.#batches ??= new Batches(this);
    return this.#batches;
  }

  result(): Promise<TurnResult> {
    if (!this.#isTaken && !this.#batches) return this.whole(() => {});
    this.#result ??= new ResultPromise(this.#outcome);
    if (this.#batches && !this.#outcome && !this.#kept) void this.#readAhead();
    return this.#result.promise;
  }

  async whole(take: (events: ReplyEvent[]) => void): Promise<TurnResult> {
    if (this.#isTaken || this.#batches) throw alreadyRead();
    this.#isTaken = true;
    try {
      this.#steps = this.begin();
      const result = await this.#steps.whole(take);
      this.#settle({ result });
      return result;
    } catch (error) {
      this.#settle({ error });
      throw error;
    }
  }

  /** The events of the next batch; undefined at the end. */
  next(): Promise<ReplyEvent[] | undefined> {
    const kept = this.#kept?.[this.#read];
    if (!kept) return this.#step();
    this.#read += 1;
    if (this.#read === this.#kept?.length) this.#forget();
    return kept;
  }

  /** Ends the turn before its end. */
  async stop(): Promise<void> {
    this.#forget();
    if (this.#outcome) return;
    this.#settle({ error: turnStopped() });
    await this.#steps?.return();
  }

  /**
   * Takes the steps to the end, and keeps them for the reader. Each is kept before it is taken, and steps follow one
   * another, so the reader can go on at any time, and finds every batch once and in its place.
   */
  async #readAhead(): Promise<void> {
    const kept: Promise<ReplyEvent[] | undefined>[] = [];
    this.#kept = kept;
    try {
      for (;;) {
        const step = this.#step();
        kept.push(step);
        if (!(await step)) return;
      }
    } catch {
      // The result has the error, and so has the reader.
    }
  }

  #forget(): void {
    if (this.#kept) this.#kept.length = 0;
    this.#read = 0;
  }

  async #step(): Promise<ReplyEvent[] | undefined> {
    if (this.#outcome) return undefined;
    try {
      this.#steps ??= this.begin();
      const events = await this.#steps.next();
      if (!events && this.#steps.result) this.#settle({ result: this.#steps.result });
      return events;
    } catch (error) {
      this.#settle({ error });
      throw error;
    }
  }

  #settle(outcome: Outcome): void {
    if (this.#outcome) return;
    this.#outcome = outcome;
    this.#result?.settle(outcome);
  }
}

const alreadyRead = (): ToolinguaError =>
  new ToolinguaError(
    "turn-read",
    "A turn gives its events once, and they have a reader already: result(), whole(), batches() or a `for await`. Ask for " +
      "the events first, then for result(), which keeps those that are not read yet; or begin another turn.",
  );

/** The batches of a turn. An explicit iterator: a generator costs three more promises per batch. */
class Batches implements AsyncIterableIterator<ReplyEvent[]> {
  constructor(private readonly turn: LazyTurn) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ReplyEvent[]>> {
    const value = await this.turn.next();
    return value ? { done: false, value } : { done: true, value };
  }

  async return(): Promise<IteratorResult<ReplyEvent[]>> {
    await this.turn.stop();
    return { done: true, value: undefined };
  }
}

/** The promise of a turn's result. The reader gets the error of a failing turn, so an unused one rejects silently. */
class ResultPromise {
  readonly promise: Promise<TurnResult>;
  #resolve: (result: TurnResult) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(outcome: Outcome | undefined) {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.promise.catch(() => {});
    if (outcome) this.settle(outcome);
  }

  settle(outcome: Outcome): void {
    if ("result" in outcome) this.#resolve(outcome.result);
    else this.#reject(outcome.error);
  }
}

async function* singly(batches: AsyncIterable<ReplyEvent[]>): AsyncGenerator<ReplyEvent> {
  for await (const batch of batches) for (const event of batch) yield event;
}
