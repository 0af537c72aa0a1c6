import { GramTable } from "./gram-table.js";
import { unmarkedTexts } from "./line-marks.js";
import { isItself, Normalizer } from "./normalizer.js";
import { SuffixSearch } from "./suffix-search.js";

/** Between texts that no copy spans; no normalised text contains it. */
const BETWEEN = 1;

/** The number of full searches of the text before its suffixes are sorted. */
const SEARCHES = 16;

/**
 * The texts of a conversation that the model did not write: user messages and tool results. Normalised once, at first
 * use: without white space and {@link Normalizer other characters} that a copy may lack.
 */
export class TextIndex {
  private normalized: Uint16Array | undefined;
  private table: GramTable | undefined;
  /** The number of characters that all searches so far have read. */
  steps = 0;
  private sorted: SuffixSearch | undefined;
  /** The characters that were asked for, and are in the texts or not. */
  private present = "";
  private absent = "";
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
    const character = String.fromCharCode(code);
    if (this.absent.includes(character)) return false;
    if (this.present.includes(character)) return true;
    const isThere = this.isEscaped || this.texts.some((text) => text.includes(character));
    if (isThere) this.present += character;
    else this.absent += character;
    return isThere;
  }

  /**
   * Whether it may contain characters as escapes, such as `\u003c` or `&lt;`; one may be split over two texts, and characters
   * that are dropped may be in it.
   */
  private get isEscaped(): boolean {
    this.hasEscapes ??= this.texts.some((text) => /\\(?:u|$|[^!-~])|&/.test(text));
    return this.hasEscapes;
  }

  /** Whether the characters with this hash may be in it; false: they are not. */
  mayContainHash(hash: number): boolean {
    this.table ??= new GramTable(this.text);
    return this.table.mayContainHash(hash);
  }

  /** Its sorted suffixes, after so many searches that sorting them is cheaper than searching on. */
  get suffixes(): SuffixSearch | undefined {
    if (this.steps > SEARCHES * this.text.length) this.sorted ??= new SuffixSearch(this.text);
    return this.sorted;
  }

  private normalize(): Uint16Array {
    const unmarked = unmarkedTexts(this.texts);
    const room = new Uint16Array([...this.texts, ...unmarked].reduce((sum, text) => sum + text.length + 1, 1));
    let length = 0;
    const normalizer = new Normalizer((code) => {
      room[length++] = code;
      return true;
    });
    // A call may be split over two texts, also within an escape.
    for (const text of this.texts) normalizer.read(text);
    normalizer.end();
    for (const text of unmarked) {
      room[length++] = BETWEEN;
      normalizer.begin();
      normalizer.read(text);
      normalizer.end();
    }
    room[length++] = 0;
    return room.subarray(0, length);
  }
}
