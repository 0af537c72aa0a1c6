/** Tracks whether text that arrives in pieces ends inside a tag: after `<a` and before the next `>`. */
export class TagTracker {
  inTag = false;
  /** Whether the text ends with `<`, so that the next character decides whether a tag begins. */
  private mayBegin = false;

  push(piece: string): void {
    if (piece === "") return;
    if (this.mayBegin) this.inTag = BEGINS.test(piece.charAt(0));
    const open = piece.lastIndexOf("<");
    if (piece.lastIndexOf(">") > open) this.inTag = false;
    else if (open >= 0) this.inTag = BEGINS.test(piece.charAt(open + 1));
    this.mayBegin = open === piece.length - 1;
  }
}

const BEGINS = /[\p{L}/!]/u;
