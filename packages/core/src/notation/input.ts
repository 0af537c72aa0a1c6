import { TextBuffer } from "./text-buffer.js";

/** How many values around a place may have been examined as a whole and then read in parts, see `mayReadWhole`. */
const MAX_NOT_WHOLE = 4;

/** In a shorter text, searching again costs less than caching the result. */
const SHORT = 512;

const none: readonly { from: number; to: number }[] = [];

/**
 * The unread part of the reply. Readers look at `text` from `pos` on and move `pos` forward; consumed text is dropped
 * with the next chunk, so a reader that waits for more must leave only a bounded rest.
 */
export class Input {
  text = "";
  pos = 0;
  /** Whether the reply has ended. */
  final = false;
  /** The number of dropped characters before `text`. */
  private passed = 0;
  /** The text that was dropped since the mark, and the index where the rest of it begins. */
  private marked: { kept: TextBuffer; from: number } | undefined;
  /** The next index of each marker, and the index where its search began. */
  private found: Map<string, { from: number; index: number }> | undefined;
  /** Values around the last one asked for that were examined as a whole and then read in parts; as places of the reply. */
  private notWhole: readonly { from: number; to: number }[] = none;

  push(chunk: string): void {
    if (this.marked) {
      this.marked.kept.push(this.text.slice(this.marked.from, this.pos));
      this.marked.from = 0;
    }
    this.passed += this.pos;
    this.text = this.pos < this.text.length ? this.text.slice(this.pos) + chunk : chunk;
    this.pos = 0;
    this.forget();
  }

  /** The place in the whole reply of an index of `text`. */
  place(index: number): number {
    return this.passed + index;
  }

  /** Marks the current position: the text from here on is kept until `rewind` or `unmark`. */
  mark(): void {
    this.marked = { kept: new TextBuffer(), from: this.pos };
  }

  /** The consumed text since the mark. */
  get sinceMark(): string {
    const { kept, from } = this.marked ?? { kept: "", from: this.pos };
    return kept.toString() + this.text.slice(from, this.pos);
  }

  /** Returns to the mark, and removes it. */
  rewind(): void {
    const { kept, from } = this.marked ?? { kept: new TextBuffer(), from: this.pos };
    this.marked = undefined;
    this.pos = from;
    if (kept.isEmpty) return;
    const dropped = kept.toString();
    this.passed += from - dropped.length;
    this.text = dropped + this.text.slice(from);
    this.pos = 0;
    this.forget();
  }

  /** Removes the mark, and drops the consumed text. */
  unmark(): void {
    this.marked = undefined;
    this.push("");
  }

  /** Clears the cache. Clearing an empty map costs as much as creating one, hence the check. */
  private forget(): void {
    if (this.found && this.found.size > 0) this.found.clear();
  }

  /**
   * The next index of a marker at or after `from`, or -1. The result is cached, so that repeated searches for a distant
   * or absent marker stay linear in the text.
   */
  find(marker: string, from: number): number {
    const isShort = this.text.length < SHORT;
    const known = isShort ? undefined : this.found?.get(marker);
    if (known && from >= known.from && (known.index === -1 || known.index >= from)) return known.index;
    // Keep a single `indexOf`: V8 hoists two equal searches above the branches.
    const index = known && from < known.from ? this.findBefore(known, marker, from) : this.text.indexOf(marker, from);
    if (isShort) return index;
    this.found ??= new Map();
    this.found.set(marker, { from, index });
    return index;
  }

  /** Searches before the last search began: the search can end there. */
  private findBefore(known: { from: number; index: number }, marker: string, from: number): number {
    const index = this.text.slice(from, known.from + marker.length - 1).indexOf(marker);
    return index < 0 ? known.index : from + index;
  }

  /**
   * Whether the value at an index may be read as a whole. Not inside several values where that failed: so each character
   * is examined a fixed number of times, however deeply values are nested. Other values are read in parts.
   */
  mayReadWhole(index: number): boolean {
    if (this.notWhole.length === 0) return true;
    const place = this.place(index);
    this.notWhole = this.notWhole.filter(({ from, to }) => from < place && place < to);
    return this.notWhole.length < MAX_NOT_WHOLE;
  }

  /** Notes that the value at `from` was examined up to `to` and is read in parts. */
  notReadWhole(from: number, to: number): void {
    this.notWhole = [...this.notWhole, { from: this.place(from), to: this.place(to) }];
  }

  /** Skips white space; true if other text follows in the available text. */
  skipSpace(): boolean {
    this.pos = spaceEnd(this.text, this.pos);
    return this.pos < this.text.length;
  }
}

/** The index of the first character at or after `from` that is not white space, or `to`. */
export function spaceEnd(text: string, from: number, to = text.length): number {
  let i = from;
  while (i < to && isSpace(text.charCodeAt(i))) i++;
  return i;
}

/** The index of the first character at or after `from` that is no ASCII letter, digit or underscore. */
export function asciiWordEnd(text: string, from: number): number {
  let i = from;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f; /* _ */
    if (!isLetter && !(code >= 0x30 && code <= 0x39)) break;
  }
  return i;
}

/** The same for a word that does not begin with a digit. */
export function asciiNameEnd(text: string, from: number): number {
  const code = text.charCodeAt(from);
  return code >= 0x30 && code <= 0x39 ? from : asciiWordEnd(text, from);
}

const ZERO_WIDTH = 0x200b;

/** White space: that of regular expressions and of `trim()`, and the zero-width space, which models write as well. */
export function isSpace(code: number): boolean {
  if (code < 0x1680) return code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
  if (code > 0x205e) return code === 0x205f || code === 0x3000 || code === 0xfeff;
  return (
    (code >= 0x2000 && code <= ZERO_WIDTH) || code === 0x1680 || code === 0x2028 || code === 0x2029 || code === 0x202f
  );
}

/** White space at the beginning of a line, with the byte order mark that some servers send first. */
export const isIndent = (code: number): boolean => code !== 10 && code !== ZERO_WIDTH && isSpace(code);

/** How far a reader may look ahead beyond the emitted text, besides the longest marker. */
export const LOOKAHEAD = 64;

/** `more`: all usable input is consumed; `done`: the item is complete; `fail`: it cannot be read. */
export type Status = "more" | "done" | "fail";

/**
 * Whether a text is at an index. Comparing reads character by character, which takes twice as long as a search that
 * succeeds at once; in a short text, one that does not is short too.
 */
export function isAt(text: string, index: number, wanted: string): boolean {
  const last = wanted.length - 1;
  if (last < 0 || text.charCodeAt(index + last) !== wanted.charCodeAt(last)) return last < 0;
  return text.length < SHORT ? text.indexOf(wanted, index) === index : text.startsWith(wanted, index);
}

/** Whether a text is at an index; undefined: more input is needed. */
export function matchesAt(text: string, index: number, wanted: string): boolean | undefined {
  const rest = text.length - index;
  // In most cases the first two characters decide.
  if (rest > 0 && wanted !== "" && text.charCodeAt(index) !== wanted.charCodeAt(0)) return false;
  if (rest > 1 && wanted.length > 1 && text.charCodeAt(index + 1) !== wanted.charCodeAt(1)) return false;
  if (isAt(text, index, wanted)) return true;
  return rest < wanted.length && wanted.startsWith(text.slice(index)) ? undefined : false;
}

/** Whether one of these markers is at an index; undefined: more input is needed. */
export function matchesAny(text: string, index: number, markers: readonly string[]): boolean | undefined {
  let waits: boolean | undefined = false;
  for (const marker of markers) {
    const isHere = matchesAt(text, index, marker);
    if (isHere) return true;
    if (isHere === undefined) waits = undefined;
  }
  return waits;
}
