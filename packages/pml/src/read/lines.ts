import type { PmlPosition } from "../errors.js";

/** The starts of the lines of a text that arrives in pieces. `\n`, `\r\n` and `\r` end a line, as in XML. */
export class Lines {
  private readonly starts: number[] = [0];
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

  /** The line and column of an offset. */
  at(offset: number): PmlPosition {
    let [low, high] = [0, this.starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.starts[low] ?? 0) + 1, offset };
  }
}
