import type { LlamaModel, Token } from "node-llama-cpp";

const REPLACEMENT = "\uFFFD";
const LONGEST_CHARACTER = 4; // bytes of UTF-8, so at most this many tokens

/**
 * Turns tokens into text as they come. A character that is spread over several tokens comes out when it is whole, so
 * neither a character nor a surrogate pair is ever split. Control and user-defined tokens come out as their text.
 */
export class TokenText {
  readonly #model: Pick<LlamaModel, "detokenize">;
  #before: Token[];
  #pending: Token[] = [];

  /** `before`: the tokens already there, which decide about a space at the start. */
  constructor(model: Pick<LlamaModel, "detokenize">, before: readonly Token[]) {
    this.#model = model;
    this.#before = before.slice(-LONGEST_CHARACTER);
  }

  /** The text that is certain now; often all of it, sometimes "". */
  push(token: Token): string {
    this.#pending.push(token);
    const text = this.#read(this.#pending);
    // An incomplete character reads as U+FFFD. After four tokens it is no character, but broken bytes.
    if (text.endsWith(REPLACEMENT) && this.#pending.length < LONGEST_CHARACTER) return "";
    return this.#take(text);
  }

  /** What was held back. */
  end(): string {
    return this.#pending.length === 0 ? "" : this.#take(this.#read(this.#pending));
  }

  #read(tokens: Token[]): string {
    return this.#model.detokenize(tokens, true, this.#before);
  }

  #take(text: string): string {
    this.#before = [...this.#before, ...this.#pending].slice(-LONGEST_CHARACTER);
    this.#pending = [];
    return text;
  }
}
