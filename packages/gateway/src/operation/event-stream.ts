import { setImmediate } from "node:timers/promises";
import { within } from "./within.js";

// A comment, which every reader of server-sent events passes over.
const KEEP_ALIVE = ": keep-alive\n\n";

/** How much is written at once, in characters: a source that never waits must not be read to its end. */
const AT_ONCE = 16_384;

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  // Proxies such as nginx would collect it.
  "x-accel-buffering": "no",
};

interface Moment {
  text: string;
  done: boolean;
}

/** What is streamed. */
export interface EventSource {
  events: AsyncGenerator<string, void>;
  /** The last events, where the source fails in the middle; `undefined` where nobody is there to read them. */
  fail(error: unknown): string | undefined;
}

/**
 * A response that streams these events as they are asked for: a reader that is slow holds up the source, and not memory.
 * In silence comments are sent. A reader that takes nothing for `unread` ms is given up. `onEnd` is called once, when all was
 * sent or the reader is gone.
 *
 * The response comes with the first event, so that a source that fails before is an error of the request; or after `keepAlive`
 * ms, for the sake of clients that give up on silence. What is over by then is no stream, which would cost more.
 *
 * Errors: what the source throws before the response came.
 */
export async function eventStream(
  { events, fail }: EventSource,
  { keepAlive, unread, onEnd }: { keepAlive: number; unread: number; onEnd: (isComplete: boolean) => void },
): Promise<Response> {
  let next: Promise<IteratorResult<string, void>> | undefined;

  /** What comes next, or a comment. What comes at once is one text: each write costs more than the events in it. */
  async function moment(): Promise<Moment> {
    next ??= events.next();
    let result = await within(next, keepAlive);
    if (result === undefined) return { text: KEEP_ALIVE, done: false };
    const turn = setImmediate(undefined);
    let text = "";
    while (result && !result.done) {
      text += result.value;
      next = events.next();
      // A failure waits for the next moment, since there is something to send before it; there may be none, if nobody reads on.
      const settled = next.catch(() => undefined);
      result = text.length < AT_ONCE ? await Promise.race([settled, turn]) : undefined;
    }
    return { text, done: result !== undefined };
  }

  /** Runs while a reader has something that it did not take. */
  let unreadTimer: NodeJS.Timeout | undefined;
  function end(isComplete: boolean): void {
    clearTimeout(unreadTimer);
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
    // The source is waited for, and not the reader.
    if (isPulling) return;
    end(false);
    controller.error(new Error("The client does not read its stream."));
    leave();
  }

  /** A source that is stuck in next() never answers; nobody waits for it. */
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
