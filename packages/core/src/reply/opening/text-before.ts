import { type Input, LOOKAHEAD } from "../../notation/input.js";
import { MAX_BEFORE, type TextOutput } from "../output/text-output.js";

const NO_SPACE = /\S/g;

/** Answers questions about the text before an index of the input, which was not emitted yet or was emitted before. */
export class TextBefore {
  /** The white space at the input's position. */
  private blank = { text: "", from: 0, end: 0 };

  constructor(
    private readonly input: Input,
    private readonly output: TextOutput,
  ) {}

  /** The end of the text, since the last markup. */
  end(at: number, length = LOOKAHEAD): string {
    const { input, output } = this;
    return output.before(input.text.slice(Math.max(input.pos, at - length), at), length);
  }

  /** As much of it as is kept. */
  longEnd(at: number): string {
    return this.end(at, MAX_BEFORE);
  }

  /** Whether a line begins at the index. `skipped`: the consumed text after the output. */
  beginsLine(at: number, skipped = ""): boolean {
    const { input, output } = this;
    return output.beginsLine(skipped + input.text.slice(Math.max(input.pos, at - LOOKAHEAD), at));
  }

  /** Whether the answer has begun. */
  hasProse(at: number): boolean {
    return this.output.prose || !this.isBlank(at);
  }

  /** Whether only white space was not emitted yet. */
  isBlank(at: number): boolean {
    const { text, pos } = this.input;
    // The end is kept, because it may be far away from many markers.
    if (this.blank.text !== text || this.blank.from !== pos) {
      NO_SPACE.lastIndex = pos;
      this.blank = { text, from: pos, end: NO_SPACE.exec(text)?.index ?? text.length };
    }
    return this.blank.end >= at;
  }
}
