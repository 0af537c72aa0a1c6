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

/** A turn over a generator that yields batches of events and returns the result. */
export function createTurn(generate: () => AsyncGenerator<ReplyEvent[], TurnResult>): Turn {
  let batches: AsyncGenerator<ReplyEvent[]> | undefined;
  let events: AsyncGenerator<ReplyEvent> | undefined;
  let resolve: (result: TurnResult) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const outcome = new Promise<TurnResult>((...settle) => {
    [resolve, reject] = settle;
  });
  // A turn that fails is reported to its reader; not everyone asks for the result too.
  outcome.catch(() => {});

  async function* watched(): AsyncGenerator<ReplyEvent[]> {
    let moments: ReturnType<typeof generate> | undefined;
    let settled = false;
    try {
      moments = generate();
      while (true) {
        const next = await moments.next();
        if (next.done) {
          settled = true;
          return resolve(next.value);
        }
        yield next.value;
      }
    } catch (error) {
      settled = true;
      reject(error);
      throw error;
    } finally {
      if (!settled) {
        reject(new ToolinguaError("turn-stopped", "The turn has no result: its reader stopped before the end."));
        await moments?.return(undefined as never);
      }
    }
  }
  const read = () => {
    batches ??= watched();
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
      return outcome;
    },
  };
}

async function* singly(batches: AsyncGenerator<ReplyEvent[]>): AsyncGenerator<ReplyEvent> {
  for await (const batch of batches) for (const event of batch) yield event;
}
