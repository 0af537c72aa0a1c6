import type { HttpResponse, Transport } from "./transport.js";

/** A transport over the runtime's own fetch, or a given one. */
export const fetchTransport =
  (fetch: typeof globalThis.fetch): Transport =>
  async ({ url, headers, body, signal }): Promise<HttpResponse> => {
    // A redirect would send headers with keys to another server.
    const response = await fetch(url, { method: "POST", headers: { ...headers }, body, signal, redirect: "error" });
    return {
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      body: bytesOf(response.body, signal),
    };
  };

/**
 * The bytes of a body until the signal is aborted. The signal is checked here as well: once the response has begun,
 * Node.js 20 loses the signal of a fetch at the next garbage collection.
 */
async function* bytesOf(stream: ReadableStream<Uint8Array> | null, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (stream === null) return;
  const reader = stream.getReader();
  const cancel = () => reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  let done = false;
  try {
    while (true) {
      const step = await reader.read();
      done = step.done;
      signal.throwIfAborted();
      if (step.done) return;
      yield step.value;
    }
  } catch (error) {
    done = true;
    throw error;
  } finally {
    signal.removeEventListener("abort", cancel);
    if (!done) await reader.cancel().catch(() => {});
  }
}
