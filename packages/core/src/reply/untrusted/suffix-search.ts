import { suffixArray } from "./suffix-array.js";

/**
 * The suffixes from `low` to before `high`, in their order: all that begin with the first `length` characters of a
 * word.
 */
export interface SuffixRange {
  low: number;
  high: number;
  length: number;
}

/** Finds words in a text by its sorted suffixes. Building it is linear in the text. */
export class SuffixSearch {
  private readonly order: Int32Array;

  /** `text` ends with a character that no word contains. */
  constructor(private readonly text: Uint16Array) {
    this.order = suffixArray(text, 0xffff);
  }

  /**
   * The suffixes that begin with the first `end` characters of a word, among those that begin with fewer of them;
   * `undefined` where there is none. Source: Manber and Myers, "Suffix arrays: a new method for on-line string
   * searches" (1993), the search that keeps what both bounds have in common with the word.
   */
  narrow(
    word: Uint16Array,
    end: number,
    range: SuffixRange = { low: 0, high: this.order.length, length: 0 },
  ): SuffixRange | undefined {
    const low = this.first(word, end, range, false);
    const high = this.first(word, end, { ...range, low }, true);
    return low < high ? { low, high, length: end } : undefined;
  }

  /** The first suffix of the range that is greater than the word, or begins with it. */
  private first(word: Uint16Array, end: number, { low, high, length }: SuffixRange, isAfter: boolean): number {
    const { text, order } = this;
    let [from, to] = [low, high];
    // The lengths that the suffixes before `from` and at `to` share with the word: all between share at least the
    // smaller.
    let [before, after] = [length, length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const start = order[middle]!;
      let common = Math.min(before, after);
      while (common < end && text[start + common] === word[common]) common++;
      const comesFirst = common === end ? isAfter : text[start + common]! < word[common]!;
      if (comesFirst) {
        from = middle + 1;
        before = common;
      } else {
        to = middle;
        after = common;
      }
    }
    return from;
  }
}
