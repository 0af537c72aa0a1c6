import { createParser } from "eventsource-parser";
import { parsed } from "../../json.js";

/** A request as it is sent. */
export interface Sent {
  method: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  /** As it goes out; no request has one that is not text. */
  body?: string;
}

/** An event of a stream. */
export interface StreamEvent {
  /** When it came, in ms after the request. */
  at: number;
  /** Its `event:` line, where it has one. */
  event: string | undefined;
  data: string;
  /** `data` as JSON; `undefined` where it is none. */
  json: unknown;
}

/**
 * How an answer ended: whole, by the doctor's own abort, by the server in its middle, after too long, larger than is read, or
 * without any connection.
 */
export type Ending = "complete" | "aborted" | "cut" | "timeout" | "too-large" | "unreachable";

/** A request and all that came back, as it came. */
export interface Exchange {
  sent: Sent;
  /** 0: no answer at all. */
  status: number;
  /** By lower-case names. */
  headers: Record<string, string>;
  text: string;
  /** Of a stream. */
  events: StreamEvent[];
  /** Lines of a stream that are comments. */
  comments: string[];
  /** Lines of a stream that are no server-sent events. */
  stray: string[];
  /** How long it took, in ms. */
  ms: number;
  ending: Ending;
  /** Why there is no whole answer. */
  problem?: string;
}

/** How much of an answer is read, in characters. */
const MOST = 10_000_000;

/** How a request is made. */
export interface SendOptions {
  /** In ms, for the whole answer. */
  timeout: number;
  /** The user's own abort. */
  signal: AbortSignal;
  /** Leaves the stream when this is true after an event. */
  leaveWhen?: (events: readonly StreamEvent[]) => boolean;
}

/**
 * Sends a request and writes down what comes back. What goes wrong is in `ending` and `problem`.
 *
 * Errors: the reason of `signal`.
 */
export async function send(sent: Sent, { timeout, signal, leaveWhen }: SendOptions): Promise<Exchange> {
  const begun = performance.now();
  const now = () => Math.round(performance.now() - begun);
  const stop = new AbortController();
  const seen: Exchange = {
    ...{ sent, status: 0, headers: {}, text: "", events: [], comments: [], stray: [] },
    ...{ ms: 0, ending: "unreachable" },
  };
  const leave = (ending: Ending) => {
    seen.ending = ending;
    stop.abort();
  };
  const timer = setTimeout(() => leave("timeout"), timeout);
  const onAbort = () => leave("aborted");
  signal.throwIfAborted();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const { method, url, headers, body } = sent;
    const response = await fetch(url, {
      ...{ method, headers, signal: stop.signal, redirect: "manual" },
      ...(body !== undefined && { body }),
    });
    seen.status = response.status;
    seen.headers = Object.fromEntries(response.headers);
    seen.ending = "cut";
    const reader = eventReader(seen, now);
    for await (const text of piecesOf(response.body, stop.signal)) {
      seen.text += text;
      reader.feed(text);
      if (leaveWhen?.(seen.events)) leave("aborted");
      else if (seen.text.length > MOST) leave("too-large");
      if (stop.signal.aborted) break;
    }
    if (!stop.signal.aborted) {
      // A last event without an empty line after it is read by most clients.
      reader.feed("\n\n");
      seen.ending = "complete";
    }
  } catch (error) {
    if (!stop.signal.aborted) seen.problem = reasonOf(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    stop.abort();
    seen.ms = now();
  }
  signal.throwIfAborted();
  if (seen.ending === "timeout") seen.problem = `no whole answer within ${timeout / 1000} s`;
  if (seen.ending === "too-large") seen.problem = `more than ${MOST} characters`;
  return seen;
}

function eventReader(seen: Exchange, now: () => number) {
  return createParser({
    onEvent: ({ event, data }) => seen.events.push({ at: now(), event, data, json: parsed(data) }),
    onComment: (comment) => seen.comments.push(comment),
    onError: (error) => {
      if (error.type === "unknown-field") seen.stray.push(error.line ?? error.message);
    },
  });
}

/** The text of a body, until the signal is aborted. That is watched here: Node.js 20 may forget the signal of a fetch. */
async function* piecesOf(body: ReadableStream<Uint8Array> | null, signal: AbortSignal): AsyncGenerator<string> {
  if (!body) return;
  const reader = body.getReader();
  const cancel = () => {
    reader.cancel().catch(() => {});
  };
  signal.addEventListener("abort", cancel, { once: true });
  const decoder = new TextDecoder();
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read())
      yield decoder.decode(step.value, { stream: true });
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

/** In the words of the system: fetch itself says only that it failed. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
