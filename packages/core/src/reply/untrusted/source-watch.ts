import { CopySearch } from "./copy-search.js";
import type { CopyWatch } from "./copy-watch.js";
import { GRAM, nextHash } from "./gram-table.js";
import { LIST_END, LIST_SEPARATOR, Normalizer, OBJECT } from "./normalizer.js";
import type { TextIndex } from "./text-index.js";

/** The room for the first characters: V8 allocates 64 bytes and less on its own heap, which is much faster. */
const FIRST = 32;
const NO_ROOM = new Uint16Array(0);

/** The characters around a call in a list. */
const isSeparator = (code: number) => code === LIST_SEPARATOR || code === LIST_END;

/**
 * The marks of lists, headings, emphasis and quoted lines, which models put before a label, and leave out: `- **Action: add`.
 */
const LIST_MARKS = [..."*-#•>+"].map((mark) => mark.charCodeAt(0));

/**
 * Compares the source of a call, as it comes in, with untrusted text. Linear in the source and in the text: see
 * {@link CopySearch}.
 */
export class SourceWatch implements CopyWatch {
  /** Has no room before the first character that is in the text: most calls begin with another. */
  private source = NO_ROOM;
  private length = 0;
  /** The length of the source without separators at its end. */
  private end = 0;
  /** The hash of the last {@link GRAM} characters. */
  private hash = 0;
  /** Whether the text does not contain the source. */
  private gone = true;
  private unmarked = false;
  /** Whether a separator precedes the source. */
  private isSeparated = false;
  /** The length of what precedes the first object: the marker that further calls in the same block share. */
  private markerEnd = -1;
  /** Whether separators are skipped, up to the next call. */
  private skips = false;
  /** Compares the next call of the block without those before it. */
  private alone: SourceWatch | undefined;
  private search: CopySearch | undefined;
  private readonly normalizer = new Normalizer((code) => this.add(code));

  constructor(private readonly untrusted: TextIndex) {}

  /**
   * Begins the source of a call. An `unmarked` JSON object begins with its brace, because it is the same call inside
   * and outside a list. A Python call begins with the bracket of its list, or the comma before it, because prose names
   * functions without these in the same notation.
   */
  begin(unmarked: boolean): void {
    this.isSeparated = this.skips = this.gone = false;
    this.length = this.end = this.hash = 0;
    this.markerEnd = -1;
    this.alone?.stop();
    this.unmarked = unmarked;
    this.search?.begin();
    this.normalizer.begin();
  }

  /**
   * Continues after the end of a call: another may follow in the same list or block, whose marker is then part of both.
   * It may be copied with the calls before it, or alone from a block of its own.
   */
  goOn(): void {
    if (this.unmarked) return this.begin(true);
    const source = this.source.subarray(0, this.length);
    // The first Python call follows the bracket of its list.
    const end = this.markerEnd > 0 ? this.markerEnd : source.lastIndexOf(LIST_SEPARATOR) + 1;
    if (end === 0) return;
    this.alone ??= new SourceWatch(this.untrusted);
    this.alone.beginAfter(source.subarray(0, end));
  }

  /** Begins with a marker that was read before; the next call comes after it. */
  private beginAfter(marker: Uint16Array): void {
    this.begin(false);
    for (const code of marker) if (!this.add(code)) return;
    this.skips = true;
  }

  private stop(): void {
    this.gone = true;
  }

  read(piece: string): void {
    if (!this.gone) this.normalizer.read(piece);
    this.alone?.read(piece);
  }

  /** Whether the source so far may be the beginning of a copy. */
  get mayBeCopy(): boolean {
    return !this.gone || this.alone?.mayBeCopy === true;
  }

  /** Whether the untrusted text contains the source so far. */
  isCopy(): boolean {
    return this.isFound() || this.alone?.isFound() === true;
  }

  private isFound(): boolean {
    if (!this.gone) this.normalizer.end();
    if (this.gone || this.end === 0) return false;
    this.search ??= new CopySearch(this.untrusted);
    this.gone = !this.search.finds(this.source, this.end);
    return !this.gone;
  }

  /** Adds a character; false: the source is gone. */
  private add(code: number): boolean {
    const separates = isSeparator(code);
    if (this.skips && separates) return true;
    this.skips = false;
    if (this.unmarked && this.length === 0) {
      if (separates) {
        this.isSeparated ||= code === LIST_SEPARATOR;
        return true;
      }
      if (this.isSeparated && code !== OBJECT) this.put(LIST_SEPARATOR);
    }
    if (this.length === 0 && !this.unmarked && LIST_MARKS.includes(code)) return true;
    if (this.length === 0 && !separates && !this.untrusted.mayContain(code)) {
      this.gone = true;
      return false;
    }
    if (this.markerEnd < 0 && code === OBJECT) this.markerEnd = this.length;
    this.put(code);
    if (separates) return true;
    this.end = this.length;
    this.gone = this.length >= GRAM && !this.untrusted.mayContainHash(this.hash);
    return !this.gone;
  }

  private put(code: number): void {
    if (this.length === this.source.length) {
      const source = new Uint16Array(Math.max(FIRST, this.length * 2));
      source.set(this.source);
      this.source = source;
    }
    this.hash = nextHash(this.hash, code, this.length < GRAM ? 0 : this.source[this.length - GRAM]!);
    this.source[this.length++] = code;
  }
}
