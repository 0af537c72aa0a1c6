import type { PmlPosition } from "../errors.js";

/**
 * The beginnings of the lines of a text that arrives in pieces. `\n`, `\r\n` and `\r` end a line, as in XML. Lines that
 * are no longer needed are forgotten, so that a text of any length takes little memory.
 */
export class Lines {
  private starts: number[] = [0];
  /** The index of the first line that is still known. */
  private first = 0;
  /** The number of lines that are no longer in `starts`. */
  private forgotten = 0;
  private length = 0;
  private endedWithReturn = false;

  add(text: string): void {
    if (text === "") return;
    // "\r" at the end of a piece, "\n" at the beginning of the next: one line end.
    if (this.endedWithReturn && text.startsWith("\n")) this.starts.pop();
    for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) this.starts.push(this.length + index + end.length);
    this.length += text.length;
    this.endedWithReturn = text.endsWith("\r");
  }

  /** Forgets the lines that end before an offset; later queries must not be before it. */
  forget(before: number): void {
    this.first = this.indexAt(before);
    // Only where most of the list is dropped: each line is then copied about once, whatever the size of the pieces.
    if (this.first * 2 < this.starts.length) return;
    this.starts = this.starts.slice(this.first);
    this.forgotten += this.first;
    this.first = 0;
  }

  /** The line and column of an offset. */
  at(offset: number): PmlPosition {
    const index = this.indexAt(offset);
    return { line: this.forgotten + index + 1, column: offset - (this.starts[index] ?? 0) + 1, offset };
  }

  private indexAt(offset: number): number {
    let [low, high] = [this.first, this.starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
}
