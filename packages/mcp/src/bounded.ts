import type { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

/** The largest message of a server, in bytes. */
const MAX_BYTES = 16_000_000;

const tooLong = () => new Error(`a message has more than ${MAX_BYTES} bytes`);

/** Ends the connection to a process that writes an endless message: the SDK would buffer all of it. */
export function boundMessages(transport: StdioClientTransport): void {
  // The SDK has no other access to its buffer of incomplete messages.
  const { _readBuffer: buffer } = transport as unknown as { _readBuffer?: { append(chunk: Buffer): void } };
  if (buffer === undefined) return;
  const append = buffer.append.bind(buffer);
  let bytes = 0;
  let isOver = false;
  buffer.append = (chunk) => {
    if (isOver) return;
    const line = chunk.lastIndexOf(10);
    bytes = line < 0 ? bytes + chunk.length : chunk.length - line - 1;
    isOver = bytes > MAX_BYTES;
    if (!isOver) return append(chunk);
    transport.onerror?.(tooLong());
    void transport.close();
  };
}

/** The ends of an event in a stream: a blank line (https://html.spec.whatwg.org/#parsing-an-event-stream). */
const ENDS = ["\n\n", "\n\r\n", "\r\r"];

/** The limit for answers over HTTP: for each event of an event stream, whose lines are joined, or for the whole body. */
export const boundAnswers =
  (fetched: typeof fetch = fetch): typeof fetch =>
  async (url, init) => {
    const response = await fetched(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
    let bytes = 0;
    let before = Buffer.alloc(0);
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const text = isStream ? Buffer.concat([before, chunk]) : before;
        const end = Math.max(...ENDS.map((one) => text.lastIndexOf(one)));
        bytes = end < 0 ? bytes + chunk.length : text.length - end;
        // A blank line may be split between two chunks.
        before = text.subarray(-2);
        if (bytes > MAX_BYTES) controller.error(tooLong());
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bounded), { status, statusText, headers });
  };
