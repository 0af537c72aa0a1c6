import { shallowJson, whyUnreachable } from "@toolingua/core/adapters";
import { createParser } from "eventsource-parser";

/** A request to send. */
export interface Sent {
  method: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  /** The text to send, if the request has a body. */
  body?: string;
}

/** An event of a stream. */
export interface StreamEvent {
  /** The time of arrival, in ms after the request. */
  at: number;
  /** The value of its `event:` line, if it has one. */
  event: string | undefined;
  data: string;
  /** `data` parsed as JSON; `undefined` if it is not JSON. */
  json: unknown;
}

/**
 * How an answer ended: completely, by the doctor's own abort, cut off by the server, after the timeout, above the size
 * limit, or without a connection.
 */
export type Ending = "complete" | "aborted" | "cut" | "timeout" | "too-large" | "unreachable";

/** A request and the complete response. */
export interface Exchange {
  sent: Sent;
  /** 0: no response. */
  status: number;
  /** By lower-case names. */
  headers: Record<string, string>;
  text: string;
  /** The events of a stream. */
  events: StreamEvent[];
  /** Lines of a stream that are not server-sent events. */
  invalidLines: string[];
  /** The duration, in ms. */
  ms: number;
  ending: Ending;
  /** Why the answer is incomplete. */
  problem?: string;
}

/** The most characters of an answer that are read. */
const MOST = 10_000_000;

/** Options of a request. */
export interface SendOptions {
  /** The time limit of the whole answer, in ms. */
  timeout: number;
  /** Aborted by the user. */
  signal: AbortSignal;
  /** Disconnects when this returns true after an event. */
  leaveWhen?: (events: readonly StreamEvent[]) => boolean;
}

/**
 * Sends a request and records the response. Failures are reported in `ending` and `problem`.
 *
 * Errors: the reason of `signal`.
 */
export async function send(sent: Sent, { timeout, signal, leaveWhen }: SendOptions): Promise<Exchange> {
  const begun = performance.now();
  const now = () => Math.round(performance.now() - begun);
  const stop = new AbortController();
  const seen: Exchange = {
    ...{ sent, status: 0, headers: {}, text: "", events: [], invalidLines: [] },
    ...{ ms: 0, ending: "unreachable" },
  };
  const leave = (ending: Ending) => {
    seen.ending = ending;
    stop.abort();
  };
  signal.throwIfAborted();
  const timer = setTimeout(() => leave("timeout"), timeout);
  const onAbort = () => leave("aborted");
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
      // Most clients read a last event that lacks the empty line after it.
      reader.feed("\n\n");
      seen.ending = "complete";
    }
  } catch (error) {
    if (!stop.signal.aborted) seen.problem = whyUnreachable(error).words;
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
    onEvent: ({ event, data }) => seen.events.push({ at: now(), event, data, json: shallowJson(data) }),
    onError: (error) => {
      if (error.type === "unknown-field") seen.invalidLines.push(error.line ?? error.message);
    },
  });
}

/**
 * The text of a body, until the signal is aborted. The signal is checked here, because Node.js 20 may lose the signal
 * of a fetch.
 */
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
