import { checkArgument } from "./check-argument.js";

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
  readonly #stops: readonly Search[];
  #buffered = "";

  constructor(stops: readonly string[] = []) {
    checkArgument("stops", "list", stops);
    for (const [i, stop] of stops.entries()) checkArgument(`stops[${i}]`, "string", stop);
    this.#stops = stops.filter(isUsable).map((stop) => new Search(stop));
  }

  /** Returns the text that can be emitted, and whether a stop sequence was reached; then push no more text. */
  push(text: string): { text: string; stopped: boolean } {
    if (typeof text !== "string") checkArgument("text", "string", text);
    const buffered = this.#buffered;
    // Joined only if needed: the buffered text may be much longer than the pieces.
    const first = (length: number) =>
      length <= buffered.length ? buffered.slice(0, length) : buffered + text.slice(0, length - buffered.length);
    let end = text.length;
    let met = 0;
    for (const search of this.#stops) {
      const at = search.endIn(text);
      if (at < 0 || (met > 0 && at > end)) continue;
      met = at < end ? search.stop.length : Math.max(met, search.stop.length);
      end = at;
    }
    if (met > 0) {
      this.#buffered = "";
      return { text: first(buffered.length + end - met), stopped: true };
    }
    this.#buffered = this.#stops.reduce((longest, { begun }) => (begun.length > longest.length ? begun : longest), "");
    return { text: first(buffered.length + text.length - this.#buffered.length), stopped: false };
  }

  /** Returns the buffered text, which is not a stop sequence. */
  end(): string {
    const buffered = this.#buffered;
    this.#buffered = "";
    return buffered;
  }
}

/** The search for one stop sequence, which takes linear time (Knuth, Morris and Pratt). */
class Search {
  /** How much of the sequence the text ends with. */
  #at = 0;
  /** By this number: the longest shorter beginning of the sequence that the text ends with too. Filled as far as needed. */
  readonly #shorter = [0, 0];

  constructor(readonly stop: string) {}

  /** The beginning of the sequence that the text ends with. */
  get begun(): string {
    return this.stop.slice(0, this.#at);
  }

  /** Takes the next text. Returns where in it the sequence ends first; -1: nowhere. */
  endIn(text: string): number {
    const { stop } = this;
    for (let i = 0; i < text.length; i++) {
      if (this.#at === 0) {
        i = text.indexOf(stop.charAt(0), i);
        if (i < 0) return -1;
        this.#at = 1;
      } else {
        const code = text.charCodeAt(i);
        if (stop.charCodeAt(this.#at) !== code) this.#at = this.#shorten(this.#at, code);
        if (stop.charCodeAt(this.#at) === code) this.#at++;
      }
      if (this.#at === stop.length) return i + 1;
    }
    return -1;
  }

  /** The longest beginning of the sequence, shorter than its first `at` characters, that a character may follow; else 0. */
  #shorten(at: number, code: number): number {
    const { stop } = this;
    const shorter = this.#shorter;
    for (let i = shorter.length; i <= at; i++) {
      const last = stop.charCodeAt(i - 1);
      let length = shorter[i - 1]!;
      while (length > 0 && stop.charCodeAt(length) !== last) length = shorter[length]!;
      shorter.push(stop.charCodeAt(length) === last ? length + 1 : 0);
    }
    let length = shorter[at]!;
    while (length > 0 && stop.charCodeAt(length) !== code) length = shorter[length]!;
    return length;
  }
}

/** An empty sequence would end every text before it begins; half a surrogate pair would split a character. */
function isUsable(stop: string): boolean {
  const isPlain = !isSurrogate(stop.charCodeAt(0)) && !isSurrogate(stop.charCodeAt(stop.length - 1));
  return stop !== "" && (isPlain || !/^\p{Surrogate}|\p{Surrogate}$/u.test(stop));
}

const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff;
