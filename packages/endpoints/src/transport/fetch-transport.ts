import type { HttpResponse, Transport } from "./transport.js";

/** The runtime's own fetch, or one that is given. */
export const fetchTransport =
  (fetch: typeof globalThis.fetch): Transport =>
  async ({ url, headers, body, signal }): Promise<HttpResponse> => {
    // A redirection would carry headers with keys to another server.
    const response = await fetch(url, { method: "POST", headers: { ...headers }, body, signal, redirect: "error" });
    return {
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      body: bytesOf(response.body),
    };
  };

async function* bytesOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (stream === null) return;
  const reader = stream.getReader();
  let done = false;
  try {
    while (true) {
      const step = await reader.read();
      done = step.done;
      if (step.done) return;
      yield step.value;
    }
  } catch (error) {
    done = true;
    throw error;
  } finally {
    if (!done) await reader.cancel().catch(() => {});
  }
}
