import type { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

/** Bytes of one message of a server: more is kept of none. */
export const MOST_BYTES = 16_000_000;

const tooLong = () => new Error(`a message has more than ${MOST_BYTES} bytes`);

/** Ends the connection to a process that writes a message without an end: the SDK would keep all of it. */
export function boundMessages(transport: StdioClientTransport): void {
  // The SDK has no other place where what has come and is no message yet can be seen.
  const { _readBuffer: buffer } = transport as unknown as { _readBuffer?: { append(chunk: Buffer): void } };
  if (buffer === undefined) return;
  const append = buffer.append.bind(buffer);
  let bytes = 0;
  let isOver = false;
  buffer.append = (chunk) => {
    if (isOver) return;
    const line = chunk.lastIndexOf(10);
    bytes = line < 0 ? bytes + chunk.length : chunk.length - line - 1;
    isOver = bytes > MOST_BYTES;
    if (!isOver) return append(chunk);
    transport.onerror?.(tooLong());
    void transport.close();
  };
}

/** The same for answers over HTTP: of a stream of events each line is bounded, of anything else the whole. */
export const boundAnswers =
  (fetched: typeof fetch = fetch): typeof fetch =>
  async (url, init) => {
    const response = await fetched(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
    let bytes = 0;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const line = isStream ? chunk.lastIndexOf(10) : -1;
        bytes = line < 0 ? bytes + chunk.length : chunk.length - line - 1;
        if (bytes > MOST_BYTES) controller.error(tooLong());
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bounded), { status, statusText, headers });
  };
