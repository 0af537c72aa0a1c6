/** An escape, or a quotation mark. */
const MARK = /\\([\s\S])|["'`]/g;
/** Text after which a quotation mark opens, and not an apostrophe: no word. */
const OPENS_AFTER = /(?:^|[^\p{L}\p{N}])$/u;
/** Text after which a quotation mark begins a value of a program. */
const CODE = /[([{=,:+<>]\s*$/;
/** How many characters before a quotation mark are known. */
const KEPT = 16;
/** The length at which pushed text is searched: its marks are rarely asked for, and pieces are short. */
const MAX_PUSHED = 512;

/** A quotation mark that is open, if any. */
interface OpenQuote {
  /** Empty: none is open. */
  mark: string;
  /** Whether it begins a value of a program: in prose it may be an apostrophe (`the '90s`). */
  isCode: boolean;
}

const NONE: OpenQuote = { mark: "", isCode: false };

/**
 * Finds the quotation marks that are open within a string, as in a command or program: `'`, `` ` `` and, in a string between
 * `"`, those of its own that are escaped.
 *
 * @example
 * const inner = new InnerQuotes();
 * inner.begin('"');
 * inner.push("print('don");
 * inner.open; // { mark: "'", isCode: true }
 */
export class InnerQuotes {
  private found: OpenQuote = NONE;
  private own = '"';
  /** What was pushed after the text that was searched. */
  private pushed = "";
  /** The last characters of the text that was searched. */
  private tail = "";

  /** Begins a string that this quotation mark ends. */
  begin(own: string): void {
    this.own = own;
    this.found = NONE;
    this.pushed = this.tail = "";
  }

  /** Adds a part of the string, as written, with whole escapes. */
  push(part: string): void {
    this.pushed += part;
    if (this.pushed.length > MAX_PUSHED) this.search();
  }

  /** The mark that is open at the end of the string so far. */
  get open(): OpenQuote {
    this.search();
    return this.found;
  }

  private search(): void {
    const part = this.pushed;
    MARK.lastIndex = 0;
    for (let found = MARK.exec(part); found !== null; found = MARK.exec(part)) {
      const [written, escaped] = found;
      const mark = escaped ?? written;
      if (escaped !== undefined && escaped !== this.own) continue;
      if (this.found.mark === mark) this.found = NONE;
      else if (this.found === NONE) {
        const before = this.before(part, found.index);
        if (mark === "'" && !OPENS_AFTER.test(before)) continue;
        this.found = { mark, isCode: CODE.test(before) };
      }
    }
    this.tail = this.before(part, part.length);
    this.pushed = "";
  }

  private before(part: string, at: number): string {
    return ((at < KEPT ? this.tail : "") + part.slice(Math.max(0, at - KEPT), at)).slice(-KEPT);
  }
}
