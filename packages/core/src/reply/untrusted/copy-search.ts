import type { SuffixRange } from "./suffix-search.js";
import type { TextIndex } from "./text-index.js";

/**
 * Searches untrusted text for sources, one after the other; each may grow during its search. The first searches use
 * Knuth, Morris and Pratt, from the position of the last match: each passes over the text at most once. After the
 * {@link TextIndex.suffixes suffixes} of the text are sorted, each search is binary.
 */
export class CopySearch {
  private range: SuffixRange | undefined;
  /** For each prefix of the source: the length of its longest proper prefix that is also its suffix. */
  private border = new Int32Array(64);
  private borders = 0;
  /** The search covers the text once, from where the last source was found, and wraps around at its end. */
  private from = 0;
  private at = 0;
  private matched = 0;

  constructor(private readonly untrusted: TextIndex) {}

  /** Begins the search for another source. */
  begin(): void {
    this.from = this.at % this.untrusted.text.length;
    this.at = this.from;
    this.matched = this.borders = 0;
    this.range = undefined;
  }

  /** Whether the first `end` characters of the source are in the text. `end` never decreases during a search. */
  finds(source: Uint16Array, end: number): boolean {
    const { suffixes } = this.untrusted;
    if (!suffixes) return this.scan(source, end);
    this.range = suffixes.narrow(source, end, this.range);
    return this.range !== undefined;
  }

  private scan(source: Uint16Array, end: number): boolean {
    const { untrusted, from } = this;
    const { text } = untrusted;
    this.extendBorders(source, end);
    const { border } = this;
    const size = text.length;
    let { at, matched } = this;
    while (matched < end && at - matched < from + size) {
      if (text[at % size] === source[matched]) {
        at++;
        matched++;
      } else if (matched > 0) matched = border[matched - 1]!;
      else at++;
    }
    untrusted.steps += at - this.at;
    this.at = at;
    this.matched = matched;
    return matched === end;
  }

  private extendBorders(source: Uint16Array, end: number): void {
    if (end > this.border.length) {
      const border = new Int32Array(source.length);
      border.set(this.border);
      this.border = border;
    }
    const { border } = this;
    for (let i = this.borders; i < end; i++) {
      let k = i === 0 ? 0 : border[i - 1]!;
      while (k > 0 && source[k] !== source[i]) k = border[k - 1]!;
      border[i] = i > 0 && source[k] === source[i] ? k + 1 : 0;
    }
    this.borders = Math.max(this.borders, end);
  }
}
