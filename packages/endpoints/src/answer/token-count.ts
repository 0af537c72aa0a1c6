import type { Usage } from "@toolingua/core";

/** About what a token of English holds, in UTF-16 units. */
const UNITS = 4;

/** What marks a message in a chat template, in tokens. */
const MESSAGE = 4;

/** What is sent, guessed: for servers that do not say. */
export const estimateInput = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + MESSAGE + Math.ceil(text.length / UNITS), 0);

/**
 * What a call cost so far: the server's own figures where it has said some, else an estimate.
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

  /** The server's word; the last one counts. */
  say(usage: Usage): void {
    this.#said = usage;
  }

  /** A piece of the reply. Most servers send each token as a piece; those that send more at once by what it holds. */
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
