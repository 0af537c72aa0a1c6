/**
 * Generated text as a stream, with its final result. It can be read once. Generation runs ahead of the reader, so a
 * slow reader, or one that calls the engine again while reading, does not block it. Leaving the loop early stops
 * generation.
 *
 * @example
 * const stream = engine.stream({ prompt: "Once upon a time" });
 * for await (const piece of stream) process.stdout.write(piece);
 * (await stream.result).usage; // { inputTokens: 5, outputTokens: 1024 }
 */
export class GenerationStream<Result> implements AsyncIterable<string> {
  /** The result. Rejects with the error that the loop throws, and with an AbortError if the loop was left early. */
  readonly result: Promise<Result>;
  readonly #stop = new AbortController();
  readonly #pieces: string[] = [];
  #wake: () => void = () => {};
  #over = false;

  /** `start` generates: it passes on every piece of text, and stops when the signal is aborted. */
  constructor(start: (onText: (text: string) => void, signal: AbortSignal) => Promise<Result>) {
    this.result = start((text) => {
      this.#pieces.push(text);
      this.#wake();
    }, this.#stop.signal);
    const end = () => {
      this.#over = true;
      this.#wake();
    };
    this.result.then(end, end); // the reader sees an error in the loop or in `result`
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    try {
      for (;;) {
        while (this.#pieces.length > 0) yield this.#pieces.shift()!;
        if (this.#over) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      await this.result;
    } finally {
      this.#stop.abort(new DOMException("The stream was left before its end.", "AbortError"));
    }
  }
}
