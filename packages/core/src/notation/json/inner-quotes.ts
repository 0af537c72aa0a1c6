/** An escape, or a quotation mark. */
const MARK = /\\([\s\S])|["'`]/g;
/** Text after which a quotation mark opens: not a word, which an apostrophe follows, but the prefix of a Python string. */
const OPENS_AFTER = /(?:^|[^\p{L}\p{N}])[rbfu]?$/iu;

/**
 * Finds the quotation marks that are open within a string, as in a command or program: `'`, `` ` `` and, in a string between
 * `"`, those of its own that are escaped.
 *
 * @example
 * const inner = new InnerQuotes();
 * inner.begin('"');
 * inner.push("print('don");
 * inner.open; // "'"
 */
export class InnerQuotes {
  /** The mark that is open; empty: none is. */
  open = "";
  private own = '"';
  /** The last characters. */
  private tail = "";

  /** Begins a string that this quotation mark ends. */
  begin(own: string): void {
    this.own = own;
    this.open = this.tail = "";
  }

  /** Adds a part of the string, as written, with whole escapes. */
  push(part: string): void {
    MARK.lastIndex = 0;
    for (let found = MARK.exec(part); found !== null; found = MARK.exec(part)) {
      const [written, escaped] = found;
      const mark = escaped ?? written;
      if (escaped !== undefined && escaped !== this.own) continue;
      if (this.open === mark) this.open = "";
      else if (this.open === "" && (mark !== "'" || OPENS_AFTER.test(this.before(part, found.index)))) this.open = mark;
    }
    this.tail = this.before(part, part.length);
  }

  private before(part: string, at: number): string {
    return (at < 2 ? this.tail : "") + part.slice(Math.max(0, at - 2), at);
  }
}
