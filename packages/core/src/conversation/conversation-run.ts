import type { ConversationEvent, ConversationResult } from "./types.js";

/**
 * A run of a conversation. It starts when it is first read or its result is asked for, once only: read it with one
 * `for await`, ask for `result()`, or both. A reader that stops early ends it, as an abort does.
 */
export interface ConversationRun extends AsyncIterable<ConversationEvent> {
  /** How the run ends. Rejects with the errors of `run`. */
  result(): Promise<ConversationResult>;
}

type Start = (emit: (event: ConversationEvent) => void, signal: AbortSignal | undefined) => Promise<ConversationResult>;

/** A run over a function that reports its events. */
export function createRun(start: Start, signal: AbortSignal | undefined): ConversationRun {
  const queue: ConversationEvent[] = [];
  let wake = () => {};
  let outcome: Promise<ConversationResult> | undefined;
  let over = false;
  let isRead = false;
  const stop = new AbortController();
  const started = () => {
    if (outcome) return outcome;
    const listened = isRead ? linked(stop, signal) : signal;
    outcome = start((event) => {
      if (!isRead) return;
      queue.push(event);
      wake();
    }, listened).finally(() => {
      over = true;
      wake();
    });
    // The reader hears of it; not everyone asks for the result too.
    outcome.catch(() => {});
    return outcome;
  };
  async function* events(): AsyncGenerator<ConversationEvent> {
    isRead = true;
    const ending = started();
    let ended = false;
    try {
      for (;;) {
        while (queue.length > 0) yield queue.shift()!;
        if (over) break;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      ended = true;
      await ending;
    } finally {
      if (!ended) {
        stop.abort(new Error("The reader of the run stopped."));
        await ending.catch(() => {});
      }
    }
  }
  let reading: AsyncGenerator<ConversationEvent> | undefined;
  return {
    [Symbol.asyncIterator]() {
      reading ??= events();
      return reading;
    },
    result: () => started(),
  };
}

function linked(stop: AbortController, signal: AbortSignal | undefined): AbortSignal {
  if (signal?.aborted) stop.abort(signal.reason);
  else signal?.addEventListener("abort", () => stop.abort(signal.reason), { once: true });
  return stop.signal;
}
