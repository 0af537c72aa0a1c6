// Two characters that Unicode assigns to nobody, around a word that nobody who writes a text can know, and the part's number.
// The word is the same as long as the process lives: a conversation is recognised by its texts, marks and all.
const [OPEN, CLOSE] = ["\uE0F0", "\uE0F1"];
const SECRET = Math.random().toString(36).slice(2);
const MARK = new RegExp(`${OPEN}${SECRET}:(\\d+)${CLOSE}`, "g");

/**
 * Carries what is not text through a prompt, which is text: each part (an image, a file) leaves a mark where it was, and the
 * rendered messages are split at their marks again. For adapters; a text that nobody marked is returned as it is.
 *
 * @example
 * const marks = new PartMarks<Image>();
 * const content = `Look: ${marks.mark(image)} What is it?`;
 * marks.split(content); // ["Look: ", image, " What is it?"]
 */
export class PartMarks<T extends object> {
  readonly #parts: T[] = [];

  /** The mark of a part, to be put into a text. */
  mark(part: T): string {
    return `${OPEN}${SECRET}:${this.#parts.push(part) - 1}${CLOSE}`;
  }

  /** The text between the marks, and their parts, in order. Empty texts are left out. */
  split(text: string): (string | T)[] {
    if (this.#parts.length === 0 || !text.includes(OPEN)) return text === "" ? [] : [text];
    return text.split(MARK).flatMap((piece, i): (string | T)[] => {
      if (i % 2 === 0) return piece === "" ? [] : [piece];
      const part = this.#parts[Number(piece)];
      return part ? [part] : [];
    });
  }
}

/**
 * A text without marks, for a request that the parts are not sent with.
 *
 * @example withoutMarks(`Look: ${marks.mark(image)}`); // "Look: "
 */
export const withoutMarks = (text: string): string => text.replace(MARK, "");
