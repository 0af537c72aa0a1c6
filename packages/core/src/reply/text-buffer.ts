const BLOCK = 8192;

/**
 * A string built of many pieces. Joining small pieces with `+=` alone keeps sixteen times the text in memory (each step
 * is a node of a tree), so the tree is flattened block by block.
 */
export class TextBuffer {
  private blocks: string[] = [];
  private tail = "";

  push(piece: string): void {
    this.tail += piece;
    if (this.tail.length >= BLOCK) {
      this.blocks.push(flat(this.tail));
      this.tail = "";
    }
  }

  get isEmpty(): boolean {
    return this.tail === "" && this.blocks.length === 0;
  }

  toString(): string {
    return this.blocks.length === 0 ? this.tail : this.blocks.join("") + this.tail;
  }
}

/** Reading one character makes the engine store the string in one piece. */
function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}
