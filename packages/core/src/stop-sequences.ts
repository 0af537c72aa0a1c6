import { checkArgument } from "./check-argument.js";
import { partial } from "./common/partial.js";

/**
 * Cuts a stream of text before the first stop sequence. Text that may be the beginning of one is buffered until it is
 * known not to be, so no part of a stop sequence is ever emitted. The sequence that ends the text does not depend on
 * the chunks: it is the one that is complete first (of two, the longer). For models and servers that accept few stop
 * sequences, or none.
 *
 * Errors: `OptionsError` (`bad-option`).
 *
 * @example
 * const stops = new StopSequences(["</call>"]);
 * stops.push("<call>1</ca"); // { text: "<call>1", stopped: false }
 * stops.push("ll> and more"); // { text: "", stopped: true }
 */
export class StopSequences {
  readonly #stops: readonly string[];
  #buffered = "";

  constructor(stops: readonly string[] = []) {
    checkArgument("stops", "list", stops);
    this.#stops = stops.filter(isUsable);
  }

  /** Returns the text that can be emitted, and whether a stop sequence was reached; then push no more text. */
  push(text: string): { text: string; stopped: boolean } {
    const seen = this.#buffered + text;
    let cut: { at: number; end: number } | undefined;
    for (const stop of this.#stops) {
      const at = seen.indexOf(stop);
      if (at < 0) continue;
      const end = at + stop.length;
      if (cut === undefined || end < cut.end || (end === cut.end && at < cut.at)) cut = { at, end };
    }
    if (cut !== undefined) {
      this.#buffered = "";
      return { text: seen.slice(0, cut.at), stopped: true };
    }
    const keep = this.#partial(seen);
    this.#buffered = seen.slice(seen.length - keep);
    return { text: seen.slice(0, seen.length - keep), stopped: false };
  }

  /** Returns the buffered text, which is not a stop sequence. */
  end(): string {
    const buffered = this.#buffered;
    this.#buffered = "";
    return buffered;
  }

  /** The length of the longest suffix of the text that begins a stop sequence. */
  #partial(text: string): number {
    let longest = 0;
    for (const stop of this.#stops) longest = Math.max(longest, partial(text, 0, stop));
    return longest;
  }
}

/** An empty sequence would end every text before it begins; half a surrogate pair would split a character. */
function isUsable(stop: string): boolean {
  const isPlain = !isSurrogate(stop.charCodeAt(0)) && !isSurrogate(stop.charCodeAt(stop.length - 1));
  return stop !== "" && (isPlain || !/^\p{Surrogate}|\p{Surrogate}$/u.test(stop));
}

const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff;
