/** An escape, or a quotation mark. */
const MARK = /\\([\s\S])|["'`]/g;
/** Text after which a quotation mark opens, and not an apostrophe: no word. */
const OPENS_AFTER = /(?:^|[^\p{L}\p{N}])$/u;
/** Text after which a quotation mark begins a value of a program. */
const CODE = /[([{=,:+<>]\s*$/;
/** How many characters before a quotation mark are known. */
const KEPT = 16;

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
  /** Whether it begins a value of a program: in prose it may be an apostrophe (`the '90s`). */
  isCode = false;
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
      else if (this.open === "") {
        const before = this.before(part, found.index);
        if (mark === "'" && !OPENS_AFTER.test(before)) continue;
        this.open = mark;
        this.isCode = CODE.test(before);
      }
    }
    this.tail = this.before(part, part.length);
  }

  private before(part: string, at: number): string {
    return ((at < KEPT ? this.tail : "") + part.slice(Math.max(0, at - KEPT), at)).slice(-KEPT);
  }
}
