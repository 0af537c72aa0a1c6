import type { LlamaModel, Token } from "node-llama-cpp";

const REPLACEMENT = "\uFFFD";
const MAX_CHARACTER_BYTES = 4; // bytes of UTF-8, so at most this many tokens

/**
 * Decodes tokens to text as they arrive. A character that spans several tokens is emitted when it is complete, so
 * neither a character nor a surrogate pair is ever split. Control and user-defined tokens are emitted as their text.
 */
export class TokenText {
  readonly #model: Pick<LlamaModel, "detokenize">;
  #before: Token[];
  #pending: Token[] = [];

  /** `before`: the preceding tokens, which decide whether the text starts with a space. */
  constructor(model: Pick<LlamaModel, "detokenize">, before: readonly Token[]) {
    this.#model = model;
    this.#before = before.slice(-MAX_CHARACTER_BYTES);
  }

  /** Takes the next token and returns the text that is complete: often all of it, sometimes "". */
  push(token: Token): string {
    this.#pending.push(token);
    const text = this.#read(this.#pending);
    // An incomplete character decodes to U+FFFD. After four tokens the bytes are invalid, not incomplete.
    if (text.endsWith(REPLACEMENT) && this.#pending.length < MAX_CHARACTER_BYTES) return "";
    return this.#take(text);
  }

  /** Returns the buffered text. */
  end(): string {
    return this.#pending.length === 0 ? "" : this.#take(this.#read(this.#pending));
  }

  #read(tokens: Token[]): string {
    return this.#model.detokenize(tokens, true, this.#before);
  }

  #take(text: string): string {
    this.#before = [...this.#before, ...this.#pending].slice(-MAX_CHARACTER_BYTES);
    this.#pending = [];
    return text;
  }
}
