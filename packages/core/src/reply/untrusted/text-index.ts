import { GramTable } from "./gram-table.js";
import { isItself, Normalizer } from "./normalizer.js";
import { otherReadings } from "./other-readings.js";

/** Between texts that no copy spans; no normalised text contains it. */
const BETWEEN = 1;

/**
 * What may be a character in another form, such as `\u003c`, `&lt;` or `%3C`. A backslash or an entity may be split over two
 * texts, and characters that are dropped may be in it.
 */
const ESCAPES = /\\(?:[ux]|$|[^!-~])|[&\uff01-\uff5e]|%[\da-f]{2}|=(?:3d|\r?\n)/i;

/**
 * The texts of a conversation that the model did not write: user messages and tool results. Normalised once, at first
 * use: without white space and {@link Normalizer other characters} that a copy may lack.
 */
export class TextIndex {
  private normalized: Uint16Array | undefined;
  private table: GramTable | undefined;
  /** The number of characters that all searches so far have read. */
  steps = 0;
  /** Whether a character that was asked for may be in the texts. */
  private readonly characters = new Map<number, boolean>();
  private hasEscapes: boolean | undefined;

  constructor(private readonly texts: readonly string[]) {}

  /**
   * The characters of all texts in the order of the prompt, so that a copy may span several, and then of those whose lines have
   * marks before them, without these. They end with 0, which no normalised text contains.
   */
  get text(): Uint16Array {
    this.normalized ??= this.normalize();
    return this.normalized;
  }

  /** Whether it may contain this character; false: it does not. Most texts have none of those that begin a call. */
  mayContain(code: number): boolean {
    if (!isItself(code)) return true;
    const known = this.characters.get(code);
    if (known !== undefined) return known;
    const char = String.fromCharCode(code);
    this.hasEscapes ??= this.texts.some((text) => ESCAPES.test(text));
    const isThere = this.hasEscapes || this.texts.some((text) => text.includes(char));
    this.characters.set(code, isThere);
    return isThere;
  }

  /** Whether the characters with this hash may be in it; false: they are not. */
  mayContainHash(hash: number): boolean {
    this.table ??= new GramTable(this.text);
    return this.table.mayContainHash(hash);
  }

  private normalize(): Uint16Array {
    const others = otherReadings(this.texts);
    const room = new Uint16Array(
      [...this.texts, ...others].reduce((sum, text) => sum + text.normalize("NFKD").length + 1, 1),
    );
    let length = 0;
    const normalizer = new Normalizer((code) => {
      room[length++] = code;
      return true;
    });
    // A call may be split over two texts, also within an escape.
    for (const text of this.texts) normalizer.read(text);
    normalizer.end();
    for (const text of others) {
      room[length++] = BETWEEN;
      normalizer.begin();
      normalizer.read(text);
      normalizer.end();
    }
    room[length++] = 0;
    return room.subarray(0, length);
  }
}
