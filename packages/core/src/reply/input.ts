/** In a text shorter than this, looking again costs less than remembering what was found. */
const SHORT = 256;

/**
 * The part of the reply that is not yet read. Readers look at `text` from `pos` on and move `pos` forward; what is read
 * is forgotten with the next chunk, so a reader that waits for more must leave only a bounded rest.
 */
export class Input {
  text = "";
  pos = 0;
  /** Nothing more will come. */
  final = false;
  /** How much came before `text` and is forgotten. */
  private passed = 0;
  /** Where each marker occurs next, looked for from an index on. */
  private readonly found = new Map<string, { from: number; index: number }>();

  push(chunk: string): void {
    this.passed += this.pos;
    this.text = this.pos < this.text.length ? this.text.slice(this.pos) + chunk : chunk;
    this.pos = 0;
    this.forget();
  }

  /** Where an index of `text` is in the whole reply. */
  place(index: number): number {
    return this.passed + index;
  }

  /** Everything that is there was read: puts its last part back. */
  unread(last: string): void {
    this.passed += this.pos - last.length;
    this.text = last;
    this.pos = 0;
    this.forget();
  }

  /** To clear an empty map costs as much as to make one. */
  private forget(): void {
    if (this.found.size > 0) this.found.clear();
  }

  /**
   * Where a marker stands next, at or after `from`, or -1. What was found is remembered, so that asking again and again
   * for something far away, or absent, stays linear in the text.
   */
  find(marker: string, from: number): number {
    const isShort = this.text.length < SHORT;
    const known = isShort ? undefined : this.found.get(marker);
    if (known && from >= known.from && (known.index === -1 || known.index >= from)) return known.index;
    // The only search of the text here: of two alike V8 makes one ahead of the branches.
    const index = known && from < known.from ? this.findBefore(known, marker, from) : this.text.indexOf(marker, from);
    if (!isShort) this.found.set(marker, { from, index });
    return index;
  }

  /** A search that begins before the last one needs to go no further than that. */
  private findBefore(known: { from: number; index: number }, marker: string, from: number): number {
    const index = this.text.slice(from, known.from + marker.length - 1).indexOf(marker);
    return index < 0 ? known.index : from + index;
  }

  /** The first of some markers at or after `from`; `end`: where it ends, or -1, and then `at` is where one may begin. */
  findAny(markers: readonly string[], from: number): { marker: string; at: number; end: number } {
    let found = { marker: "", at: this.text.length, end: -1 };
    for (const marker of markers) {
      const at = this.find(marker, from);
      if (at >= 0 && at < found.at) found = { marker, at, end: at + marker.length };
    }
    if (found.end >= 0 || this.final) return found;
    return {
      ...found,
      at: this.text.length - Math.max(0, ...markers.map((marker) => partial(this.text, from, marker))),
    };
  }

  /** Moves over white space; true when something else follows within what is there. */
  skipSpace(): boolean {
    this.pos = spaceEnd(this.text, this.pos);
    return this.pos < this.text.length;
  }
}

/** The index of the first character at or after `from` that is not white space. */
export function spaceEnd(text: string, from: number): number {
  let i = from;
  while (i < text.length && isSpace(text.charCodeAt(i))) i++;
  return i;
}

/** Space, tab, line feed, carriage return, and the no-break and zero-width ones that models write. */
export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;
}

/** White space that a line may begin with: a byte order mark, too, which some servers send first. */
export const isIndent = (code: number): boolean =>
  code <= 32 ? code !== 10 && isSpace(code) : code >= 0x80 && /\s/.test(String.fromCharCode(code));

/** How far a reader may look ahead of what it has handed on, beside the longest marker. */
export const LOOKAHEAD = 64;

/** `more`: the input is used up as far as it can be; `done`: the thing is complete; `fail`: it cannot be read. */
export type Status = "more" | "done" | "fail";

/** Whether a text is at an index: yes, no, or undefined when more input is needed. */
export function standsAt(text: string, index: number, wanted: string): boolean | undefined {
  const rest = text.length - index;
  // Mostly the first character tells.
  if (rest > 0 && wanted !== "" && text.charCodeAt(index) !== wanted.charCodeAt(0)) return false;
  if (text.startsWith(wanted, index)) return true;
  return rest < wanted.length && wanted.startsWith(text.slice(index)) ? undefined : false;
}

/** Whether one of these markers is at an index; undefined: more input is needed. */
export function standsFirst(markers: readonly string[], text: string, index: number): boolean | undefined {
  let waits: boolean | undefined = false;
  for (const marker of markers) {
    const stands = standsAt(text, index, marker);
    if (stands) return true;
    if (stands === undefined) waits = undefined;
  }
  return waits;
}

/** How many characters at the end may be the beginning of a marker. */
export function partial(text: string, from: number, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length - from); length > 0; length--) {
    if (marker.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}
