import type { TextIndex } from "./text-index.js";

/** How often the text is passed over; a short one as often as one of {@link SHORT} characters could be. */
const PASSES = 64;
const SHORT = 2 ** 18;

/**
 * Searches untrusted text for sources, one after the other; each may grow during its search: by Knuth, Morris and Pratt, from
 * the position of the last match. Each passes over the text at most once. After {@link PASSES} passes, or more over a short
 * text, all sources count as found: each stretch of them is in the text, because only such sources are searched for.
 */
export class CopySearch {
  /** For each prefix of the source: the length of its longest proper prefix that is also its suffix. */
  private readonly border: number[] = [];
  /** The search covers the text once, from where the last source was found, and wraps around at its end. */
  private from = 0;
  private at = 0;
  private matched = 0;

  constructor(private readonly untrusted: TextIndex) {}

  /** Begins the search for another source. */
  begin(): void {
    this.from = this.at %= this.untrusted.text.length;
    this.matched = this.border.length = 0;
  }

  /** Whether the first `end` characters of the source are in the text. `end` never decreases during a search. */
  finds(source: Uint16Array, end: number): boolean {
    const { untrusted, border } = this;
    const { text } = untrusted;
    const size = text.length;
    if (untrusted.steps > PASSES * Math.max(size, SHORT)) return true;
    for (let i = border.length, k = border[i - 1] ?? 0; i < end; i++) {
      while (k > 0 && source[k] !== source[i]) k = border[k - 1]!;
      if (i > 0 && source[k] === source[i]) k++;
      border.push(k);
    }
    let { at, matched } = this;
    while (matched < end && at - matched < this.from + size) {
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
}
