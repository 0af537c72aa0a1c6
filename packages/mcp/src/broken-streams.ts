import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { createParser } from "eventsource-parser";

/** Marks our own errors: a server may use the SDK's codes. */
const BROKEN = `broken-stream-${crypto.randomUUID()}`;

/** Whether the stream broke off before the answer. */
export const isBrokenStream = (error: unknown): boolean => error instanceof McpError && error.data === BROKEN;

/**
 * A `fetch` for the SDK's transport over HTTP. If the stream of an answer ends without one, the SDK lets the request
 * wait for its timeout. Here the request fails at once, unless the stream has ids by which it can be resumed.
 */
export function failingOnBrokenStreams(fetched: typeof fetch = fetch): typeof fetch {
  return async (url, init) => {
    const response = await fetched(url, init);
    const id = requestId(init?.body);
    const isStream = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
    if (id === undefined || !isStream || !response.ok || response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(ReadableStream.from(ended(response.body, id)), { status, statusText, headers });
  };
}

/** The stream, with an error as the answer if it breaks off for good. */
async function* ended(body: ReadableStream<Uint8Array>, id: string | number): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let isOpen = true;
  const parser = createParser({
    onEvent(event) {
      if (event.id || isAnswer(event.data, id)) isOpen = false;
    },
  });
  let why: unknown;
  try {
    for await (const chunk of body) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      yield chunk;
    }
  } catch (error) {
    if (!isOpen) throw error;
    why = error;
  }
  if (!isOpen) return;
  const message = why instanceof Error ? why.message : "it ended without an answer";
  const error = { code: ErrorCode.ConnectionClosed, message, data: BROKEN };
  yield new TextEncoder().encode(`\n\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, error })}\n\n`);
}

function isAnswer(data: string, id: string | number): boolean {
  try {
    const message: unknown = JSON.parse(data);
    if (typeof message !== "object" || message === null || !("id" in message)) return false;
    return message.id === id && ("result" in message || "error" in message);
  } catch {
    return false;
  }
}

/** The id of the posted request; undefined if it is not a request. */
function requestId(body: unknown): string | number | undefined {
  if (typeof body !== "string") return undefined;
  try {
    const { id, method } = JSON.parse(body) as { id?: string | number; method?: unknown };
    return method === undefined ? undefined : id;
  } catch {
    return undefined;
  }
}
