import type { Usage } from "@toolingua/core";

/** The average length of an English token, in UTF-16 units. */
const UNITS = 4;

/** The overhead of a message in a chat template, in tokens. */
const MESSAGE = 4;

/** Estimates the tokens of a prompt, for servers that report none. */
export const estimateInput = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + MESSAGE + Math.ceil(text.length / UNITS), 0);

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
  #units = 0;

  constructor(readonly input: number) {}

  /** Records the server's figures. The last ones count. */
  report(usage: Usage): void {
    this.#said = usage;
  }

  /** Counts a piece of the reply: one token, as most servers send, or an estimate by its length for longer pieces. */
  add(piece: string): void {
    if (piece === "") return;
    this.#pieces++;
    this.#units += piece.length;
  }

  get usage(): Usage {
    const outputTokens = Math.max(this.#pieces, Math.ceil(this.#units / UNITS));
    return this.#said ?? { inputTokens: this.input, outputTokens, estimated: true };
  }
}
