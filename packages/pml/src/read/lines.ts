import type { PmlPosition } from "../errors.js";

/**
 * The beginnings of the lines of a text that arrives in pieces. `\n`, `\r\n` and `\r` end a line, as in XML. Lines that
 * are no longer needed are forgotten, so that a text of any length takes little memory.
 */
export class Lines {
  /** The beginnings of the remembered lines. */
  private starts: number[] = [0];
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
    const index = this.indexAt(before);
    this.starts = this.starts.slice(index);
    this.forgotten += index;
  }

  /** The line and column of an offset. */
  at(offset: number): PmlPosition {
    const index = this.indexAt(offset);
    return { line: this.forgotten + index + 1, column: offset - (this.starts[index] ?? 0) + 1, offset };
  }

  private indexAt(offset: number): number {
    let [low, high] = [0, this.starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
}
