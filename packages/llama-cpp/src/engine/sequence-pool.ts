import type { LlamaContextSequence, Token } from "node-llama-cpp";
import type { LlamaCppError } from "../errors.js";

/** The length of the common prefix of two token lists. */
export function commonPrefix(a: readonly Token[], b: readonly Token[]): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (length < limit && a[length] === b[length]) length++;
  return length;
}

interface Waiter {
  prompt: readonly Token[];
  grant(sequence: LlamaContextSequence): void;
  refuse(reason: unknown): void;
}

/**
 * The sequences of one context, each with the cached tokens of a conversation. Calls are queued. Each gets the free
 * sequence with the longest cached prefix of its prompt.
 */
export class SequencePool {
  readonly #free: LlamaContextSequence[];
  readonly #waiting: Waiter[] = [];
  readonly #size: number;
  #closed: LlamaCppError | undefined;
  #drained: (() => void) | undefined;

  constructor(sequences: readonly LlamaContextSequence[]) {
    this.#free = [...sequences];
    this.#size = sequences.length;
  }

  /** Waits for a sequence. Rejects with the signal's reason if aborted, and with `disposed` if closed. */
  acquire(prompt: readonly Token[], signal?: AbortSignal): Promise<LlamaContextSequence> {
    if (this.#closed) return Promise.reject(this.#closed);
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        prompt,
        grant: (sequence) => {
          signal?.removeEventListener("abort", onAbort);
          resolve(sequence);
        },
        refuse: (reason) => {
          signal?.removeEventListener("abort", onAbort);
          reject(reason);
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(waiter);
      this.#serve();
    });
  }

  release(sequence: LlamaContextSequence): void {
    this.#free.push(sequence);
    this.#serve();
    if (this.#closed && this.#free.length === this.#size) this.#drained?.();
  }

  /** Rejects the waiting calls, and resolves when every sequence has been returned. */
  close(reason: LlamaCppError): Promise<void> {
    this.#closed = reason;
    for (const waiter of this.#waiting.splice(0)) waiter.refuse(reason);
    return new Promise((resolve) => {
      this.#drained = resolve;
      if (this.#free.length === this.#size) resolve();
    });
  }

  #serve(): void {
    while (this.#free.length > 0 && this.#waiting.length > 0) {
      const { prompt, grant } = this.#waiting.shift()!;
      const shared = this.#free.map((sequence) => commonPrefix(sequence.contextTokens, prompt));
      grant(this.#free.splice(shared.indexOf(Math.max(...shared)), 1)[0]!);
    }
  }
}
