import { StopSequences } from "@toolingua/core";
import type { LlamaModel, Token } from "node-llama-cpp";
import { TokenText } from "./token-text.js";

/** Decodes the tokens of a reply to text: whole characters only, ended before the first stop sequence. */
export class ReplyText {
  text = "";
  readonly #decoder: TokenText;
  readonly #stops: StopSequences;
  readonly #onText: ((text: string) => void) | undefined;
  #stopped = false;

  constructor(
    model: Pick<LlamaModel, "detokenize">,
    prompt: readonly Token[],
    stop: readonly string[] | undefined,
    onText: ((text: string) => void) | undefined,
  ) {
    this.#decoder = new TokenText(model, prompt);
    this.#stops = new StopSequences(stop);
    this.#onText = onText;
  }

  /** Takes the next token. Returns true if a stop sequence is complete: the text ends before it. */
  push(token: Token): boolean {
    return this.#read(this.#decoder.push(token));
  }

  /** Releases the buffered text. Returns true if it completes a stop sequence. */
  end(): boolean {
    if (this.#stopped || this.#read(this.#decoder.end())) return this.#stopped;
    this.#give(this.#stops.end());
    return false;
  }

  #read(text: string): boolean {
    const cut = this.#stops.push(text);
    this.#stopped = cut.stopped;
    this.#give(cut.text);
    return cut.stopped;
  }

  #give(text: string): void {
    if (text === "") return;
    this.text += text;
    this.#onText?.(text);
  }
}
