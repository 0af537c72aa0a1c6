// Two private-use characters around a word that authors of texts cannot know, and the part's number. The word stays the
// same for the life of the process, because a conversation is recognised by its texts, including their marks.
const [OPEN, CLOSE] = ["\uE0F0", "\uE0F1"];
const SECRET = Math.random().toString(36).slice(2);
const MARK = new RegExp(`${OPEN}${SECRET}:(\\d+)${CLOSE}`, "g");

/**
 * Carries parts that are not text (images, files) through a text prompt: each part leaves a mark at its position, and
 * the rendered messages are split at the marks again. For adapters; text without marks stays unchanged.
 *
 * @example
 * const marks = new PartMarks<Image>();
 * const content = `Look: ${marks.mark(image)} What is it?`;
 * marks.split(content); // ["Look: ", image, " What is it?"]
 */
export class PartMarks<T extends object> {
  readonly #parts: T[] = [];

  /** Whether nothing was marked. */
  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** Creates the mark of a part, to insert into a text. */
  mark(part: T): string {
    return `${OPEN}${SECRET}:${this.#parts.push(part) - 1}${CLOSE}`;
  }

  /** The texts between the marks, and the marked parts, in order. Empty texts are left out. */
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
 * Removes the marks from a text, for a request that is sent without the parts.
 *
 * @example withoutMarks(`Look: ${marks.mark(image)}`); // "Look: "
 */
export const withoutMarks = (text: string): string => text.replace(MARK, "");
