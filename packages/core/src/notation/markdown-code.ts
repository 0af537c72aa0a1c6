/**
 * A line that begins or ends a block of code in Markdown: the run of its characters, and the text after that, such as a
 * language. Unlike in CommonMark it may be indented by more than three spaces, as in a list.
 */
export const FENCE_LINE = /^[ \t]*(`{3,}(?=[^`\n]*$)|~{3,})([^\n]*)$/gm;

/**
 * Where code begins and ends in Markdown that is read once: fences and inline code. As in CommonMark, a fence ends with at
 * least as many of its characters as it begins with, and inline code with exactly as many: shorter ones, and those of the
 * other character, are a part of the code. Unlike there, a fence need not be alone on its line.
 *
 * @example
 * const code = new MarkdownCode();
 * code.pass("````", "x");
 * code.pass("```", "\n");
 * code.isFenced; // true
 */
export class MarkdownCode {
  /** The run that opened the fence around the position; empty outside of one. */
  #fence = "";
  /** The backticks that opened the inline code around the position; empty outside of it. */
  #inline = "";

  get isFenced(): boolean {
    return this.#fence !== "";
  }

  get isInline(): boolean {
    return this.#inline !== "";
  }

  /** Whether the position is in code. */
  get isOpen(): boolean {
    return this.isFenced || this.isInline;
  }

  /** Passes a run of backticks or tildes; `next`: the character after it. Returns whether inline code begins or ends. */
  pass(run: string, next: string): boolean {
    if (run.length >= 3 && !this.isInline) {
      if (!this.isFenced) this.#fence = run;
      else if (run.startsWith(this.#fence)) this.#fence = "";
      return false;
    }
    // Fewer than three tildes strike text out.
    if (this.isFenced || run.startsWith("~")) return false;
    if (this.isInline && this.#inline !== run) return false;
    // Inline code does not begin with a space: a single backtick before one is literal.
    this.#inline = !this.isInline && (run.length > 1 || !/^\s/.test(next)) ? run : "";
    return true;
  }

  /** Inline code ends with its line. */
  endLine(): void {
    this.#inline = "";
  }
}
