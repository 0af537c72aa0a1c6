import type { Usage } from "@toolingua/core";
import { estimateTokens } from "@toolingua/core/adapters";

/**
 * The usage of a call so far: the server's own figures if it has reported any, else an estimate.
 *
 * @example
 * const meter = new TokenMeter(12);
 * meter.add("It is sunny.");
 * meter.usage; // { inputTokens: 12, outputTokens: 3, estimated: true }
 */
export class TokenMeter {
  #said: Usage | undefined;
  #pieces = 0;
  #characters = 0;

  constructor(readonly input: number) {}

  /** Records the server's figures. The last ones count. */
  report(usage: Usage): void {
    this.#said = usage;
  }

  /** Counts a piece of the reply: one token, as most servers send, or an estimate by its length for longer pieces. */
  add(piece: string): void {
    if (piece === "") return;
    this.#pieces++;
    this.#characters += piece.length;
  }

  get usage(): Usage {
    const outputTokens = Math.max(this.#pieces, estimateTokens(this.#characters));
    return this.#said ?? { inputTokens: this.input, outputTokens, estimated: true };
  }
}
