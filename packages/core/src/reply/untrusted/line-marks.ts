const BREAK = /[\r\n]|\\n/g;
/** A mark without letters and digits, or a character without width. In JSON and HTML, some of them are escapes. */
const MARK = "[^\\S\\r\\n]|[\\xad\\u200b-\\u200f\\u2060-\\u206f>|→│+/#*;%!-]|\\\\{1,8}(?:t|u(?:003e|2192|2502))|&gt;";
/** The number of a line or a part of its time, the name of the file before it, and the line of a fence. */
const WORD = `\`{3,9}\\w{0,20}|\\[\\d{1,7}\\]|l?\\d{1,7}(?:[:.)\\]TZ-]|(?=${MARK}))|[\\w./-]{1,200}:(?=\\d)`;
const ANY = new RegExp(`${MARK}|${WORD}`, "iy");
/** What may become a mark with the text after it. */
const BEGUN = /(?:`{1,9}\w{0,20}|\[\d{0,7}|[\w./-]{0,200}:?)(?:\\{1,8}(?:u[\da-f]{0,3})?|&g?t?)?$/iy;

/**
 * Removes from a text, piece by piece, what stands before its lines, because a model copies a call without that: numbers,
 * times, the names of files, and the marks of comments, quoted mails, differences and lists. Where the marks end does not
 * depend on how many there are: those that a program adds before those of a line itself change nothing.
 */
export class LineMarks {
  private isBefore = false;
  private waiting = "";

  begin(isBefore = false): void {
    this.isBefore = isBefore;
    this.waiting = "";
  }

  /** What is left of the next piece, and of the end of the one before. `isLast`: no more belongs to its end. */
  read(piece: string, isLast = false): string {
    const text = this.waiting + piece;
    let [at, kept] = [0, ""];
    for (;;) {
      if (this.isBefore) {
        const begun = !isLast && matchEnd(BEGUN, text, at);
        const end = begun ? 0 : matchEnd(ANY, text, at);
        if (begun || at === text.length) break;
        if (end) at = end;
        else this.isBefore = false;
      } else {
        const next = matchEnd(BREAK, text, at);
        const end = next || text.length - (!isLast && text.endsWith("\\") ? 1 : 0);
        kept += text.slice(at, end);
        at = end;
        if (!next) break;
        this.isBefore = true;
      }
    }
    this.waiting = text.slice(at);
    return kept;
  }
}

/** Where the next match ends; 0 for none. */
function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

/**
 * A text without what stands before its lines; undefined where nothing does.
 *
 * @example withoutLineMarks("1: <now>\n2: </now>"); // "<now>\n</now>"
 */
export function withoutLineMarks(text: string): string | undefined {
  const marks = new LineMarks();
  marks.begin(true);
  const without = marks.read(text, true);
  return without === text ? undefined : without;
}
