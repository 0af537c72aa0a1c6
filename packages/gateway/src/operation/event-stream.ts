import { setImmediate } from "node:timers/promises";
import { within } from "@toolingua/core/adapters";

// A comment: readers of server-sent events ignore it.
const KEEP_ALIVE = ": keep-alive\n\n";

/** The most characters of one write: a source that never waits must not be read to its end at once. */
const AT_ONCE = 16_384;

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  // Otherwise proxies such as nginx would buffer the stream.
  "x-accel-buffering": "no",
};

interface Moment {
  text: string;
  done: boolean;
}

/** The source of a stream. */
export interface EventSource {
  events: AsyncGenerator<string, void>;
  /** The last events if the source fails in the middle; `undefined` if nobody reads them. */
  fail(error: unknown): string | undefined;
}

/**
 * A response that streams these events on demand: a slow reader slows down the source and costs no memory. Comments are
 * sent in silence. A reader that reads nothing for `unread` ms is dropped. `onEnd` is called once, when everything was
 * sent or the reader is gone.
 *
 * The response is returned with the first event, so that an earlier failure of the source becomes an HTTP error; or
 * after `keepAlive` ms, because some clients give up on silence. An answer that is complete by then is sent without a
 * stream, which costs less.
 *
 * Errors: those of the source before the response is returned.
 */
export async function eventStream(
  { events, fail }: EventSource,
  { keepAlive, unread, onEnd }: { keepAlive: number; unread: number; onEnd: (isComplete: boolean) => void },
): Promise<Response> {
  let next: Promise<IteratorResult<string, void>> | undefined;

  /**
   * The next events, or a comment. Events that are ready together are one text, since a write costs more than its
   * events.
   */
  async function moment(): Promise<Moment> {
    next ??= events.next();
    let result = await within(keepAlive, next);
    if (result === undefined) return { text: KEEP_ALIVE, done: false };
    const turn = setImmediate(undefined);
    let text = "";
    while (result && !result.done) {
      text += result.value;
      next = events.next();
      // A failure waits for the next moment: this one has events to send. Without a reader there is no next moment.
      const settled = next.catch(() => undefined);
      result = text.length < AT_ONCE ? await Promise.race([settled, turn]) : undefined;
    }
    return { text, done: result !== undefined };
  }

  /** Runs while the reader has not taken what it was sent. */
  let unreadTimer: NodeJS.Timeout | undefined;
  let isEnded = false;
  /** The first end counts: a source may fail after its reader left. */
  function end(isComplete: boolean): void {
    clearTimeout(unreadTimer);
    if (isEnded) return;
    isEnded = true;
    onEnd(isComplete);
  }

  const encoder = new TextEncoder();
  function give(controller: ReadableStreamDefaultController<Uint8Array>, { text, done }: Moment): void {
    if (text !== "") controller.enqueue(encoder.encode(text));
    if (!done) {
      if (unreadTimer) unreadTimer.refresh();
      else unreadTimer = setTimeout(giveUp, unread, controller);
      return;
    }
    end(true);
    controller.close();
  }

  let isPulling = false;
  function giveUp(controller: ReadableStreamDefaultController<Uint8Array>): void {
    // The reader is waiting for the source, not the other way round.
    if (isPulling) return;
    end(false);
    controller.error(new Error("The client does not read its stream."));
    leave();
  }

  /** Stops the source without waiting: a source stuck in next() never returns. */
  function leave(): void {
    events.return(undefined).catch(() => {});
  }

  const first = await moment();
  if (first.done) {
    onEnd(true);
    return new Response(first.text, { headers });
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => give(controller, first),
      async pull(controller) {
        isPulling = true;
        try {
          give(controller, await moment());
        } catch (error) {
          const text = fail(error);
          if (text !== undefined) return give(controller, { text, done: true });
          end(false);
          controller.error(error);
        } finally {
          isPulling = false;
        }
      },
      cancel() {
        end(false);
        leave();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers });
}
