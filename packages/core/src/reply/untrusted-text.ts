import { ToolinguaError } from "../errors.js";
import { suffixArray } from "./suffix-array.js";

/** How many characters in a row are looked up at once. */
const GRAM = 12;
const BASE = 0x01000193;
/** What a character weighs that leaves the window of {@link GRAM} characters. */
const LEAVING = Array.from({ length: GRAM }).reduce<number>((power) => Math.imul(power, BASE), 1);

/** So often the text is searched from end to end before its suffixes are sorted. */
const SEARCHES = 16;

const hashed = (hash: number, entering: number, leaving: number) =>
  (Math.imul(hash, BASE) + entering - Math.imul(leaving, LEAVING)) | 0;

/** A place of its own in a table of 2^(32 - shift) bits. */
const slot = (hash: number, shift: number) => Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> shift;

/**
 * The texts of a conversation that somebody else than the model wrote: what users say, what tools give back. Normalised
 * once, when it is first asked for: without white space and {@link Normalizer what else} a copy may lack.
 */
export class UntrustedText {
  private made: { text: Uint16Array; grams: Uint32Array; shift: number } | undefined;

  private constructor(private readonly texts: readonly string[]) {}

  /**
   * The texts of a list; `undefined` where there are none.
   *
   * Errors: `ToolinguaError` (`bad-option`) for anything but a list of strings.
   */
  static of(texts: readonly string[] | undefined): UntrustedText | undefined {
    if (texts === undefined) return undefined;
    if (!Array.isArray(texts) || !texts.every((text) => typeof text === "string")) {
      throw new ToolinguaError(
        "bad-option",
        "`untrusted` is a list of strings: the untrusted texts of the conversation.",
      );
    }
    return texts.length > 0 ? new UntrustedText(texts) : undefined;
  }

  /** The characters of all texts. Each ends with 0, which no normalised text holds. */
  get text(): Uint16Array {
    return this.index().text;
  }

  /** Whether this hash of {@link GRAM} characters may be one of the text's; false: it is not. */
  mayHold(hash: number): boolean {
    const { grams, shift } = this.index();
    const bit = slot(hash, shift);
    return ((grams[bit >>> 5]! >>> (bit & 31)) & 1) === 1;
  }

  /** How many steps of searches along the text were made. */
  steps = 0;
  private sorted: Int32Array | undefined;

  /** The order of its suffixes, for when the text was searched so often that making it costs less than going on so. */
  get order(): Int32Array | undefined {
    if (this.steps > SEARCHES * this.text.length) this.sorted ??= suffixArray(this.text, 0xffff);
    return this.sorted;
  }

  private index() {
    this.made ??= this.make();
    return this.made;
  }

  private make() {
    const room = new Uint16Array(this.texts.reduce((sum, text) => sum + text.length + 1, 0));
    let length = 0;
    const normalizer = new Normalizer((code) => {
      room[length++] = code;
    });
    for (const text of this.texts) {
      normalizer.begin();
      normalizer.read(text);
      room[length++] = 0;
    }
    const text = room.subarray(0, length);
    // Eight bits a character: one in eight of other texts is taken for one of these.
    const shift = 32 - Math.min(31, Math.max(10, Math.ceil(Math.log2(length * 8))));
    const grams = new Uint32Array(2 ** (32 - shift) / 32);
    let hash = 0;
    for (let i = 0; i < length; i++) {
      hash = hashed(hash, text[i]!, i < GRAM ? 0 : text[i - GRAM]!);
      const bit = slot(hash, shift);
      grams[bit >>> 5]! |= 1 << (bit & 31);
    }
    return { text, grams, shift };
  }
}

/**
 * Gives the characters of a text that a copy has to have, piece by piece. White space is left out, and what escapes add:
 * U+2060 and other characters without width, and backslashes with the `n`, `r` or `t` after them, since what stands in a
 * JSON string is copied with or without its escapes.
 */
class Normalizer {
  private escaped = false;

  constructor(private readonly tell: (code: number) => void) {}

  begin(): void {
    this.escaped = false;
  }

  read(piece: string): void {
    for (let i = 0; i < piece.length; i++) {
      const code = piece.charCodeAt(i);
      if (code === 0x5c) this.escaped = true;
      else if (!isLayout(code)) {
        const isSpace = this.escaped && (code === 0x6e || code === 0x72 || code === 0x74);
        this.escaped = false;
        if (!isSpace) this.tell(code);
      }
    }
  }
}

/** White space, control characters, and characters that have no width. */
function isLayout(code: number): boolean {
  if (code < 0x80) return code <= 0x20 || code === 0x7f;
  if (code < 0x1680) return code <= 0xa0 || code === 0xad;
  if (code < 0x2000) return code === 0x1680;
  if (code <= 0x206f) return code <= 0x200f || (code >= 0x2028 && code <= 0x202f) || code >= 0x205f;
  return code === 0x3000 || code === 0xfeff;
}

/** What a list of calls begins with, and a call that is an object. */
const LIST = 0x5b;
const OBJECT = 0x7b;

/** What stands around a call in a list: `[`, `]`, `,` and `;`. */
const isSeparator = (code: number) => code === LIST || code === 0x5d || code === 0x2c || code === 0x3b;

/**
 * Compares the source of a call, as it comes in, with untrusted text. Work is linear in the source and, for the first
 * sources whose every {@link GRAM} characters stand in the text, in the text; after {@link SEARCHES} of them its suffixes
 * are sorted once, and each character of a source costs one binary search.
 */
export class SourceWatch {
  private source = new Uint16Array(64);
  /** For each beginning of the source: how long the longest beginning is that it also ends with (Knuth, Morris, Pratt). */
  private border = new Int32Array(64);
  private length = 0;
  /** Without separators at its end. */
  private end = 0;
  private hash = 0;
  /** The source stands nowhere. */
  private gone = true;
  private unmarked = false;
  /** The separator that came last before the source. */
  private lead = 0;
  /** The search goes once around the text, from where the last copy ended. */
  private from = 0;
  private at = 0;
  /** Where the next one begins. */
  private next = 0;
  /** The range of sorted suffixes that begin with so many characters of the source. */
  private low = 0;
  private high = 0;
  private narrowed = 0;
  private matched = 0;
  private readonly normalizer = new Normalizer((code) => this.add(code));

  constructor(private readonly untrusted: UntrustedText) {}

  /**
   * The source of a call begins. An `unmarked` one that is a JSON object begins with its brace: it is the same call inside
   * and outside a list. One in Python's notation begins with the bracket of its list: without, this is how prose names
   * functions.
   */
  begin(unmarked: boolean): void {
    this.length = this.end = this.hash = this.matched = this.narrowed = this.lead = 0;
    this.at = this.from = this.next;
    this.gone = false;
    this.unmarked = unmarked;
    this.normalizer.begin();
  }

  /** A call has ended, and another may follow in the same list: with a source of its own, or one that goes on. */
  goOn(): void {
    if (this.unmarked && this.source[0] === OBJECT) this.begin(true);
  }

  read(piece: string): void {
    if (!this.gone) this.normalizer.read(piece);
  }

  /** What has come may still be the beginning of a copy. */
  get mayBeCopy(): boolean {
    return !this.gone;
  }

  /** What has come stands in the untrusted text. */
  isCopy(): boolean {
    if (this.gone || this.end === 0) return false;
    const { order } = this.untrusted;
    this.gone = order ? !this.lookUp(order) : !this.search();
    return !this.gone;
  }

  /** Goes along the text to where the source stands next. */
  private search(): boolean {
    const { source, border, end, untrusted } = this;
    const { text } = untrusted;
    const size = text.length;
    let { at, matched } = this;
    while (matched < end && at - matched < this.from + size) {
      if (text[at % size] === source[matched]) {
        at++;
        matched++;
      } else if (matched > 0) matched = border[matched - 1]!;
      else at++;
    }
    untrusted.steps += at - this.at;
    this.at = at;
    this.matched = matched;
    this.next = at % size;
    return matched === end;
  }

  /** Narrows the range of the suffixes that begin with the source, character by character. */
  private lookUp(order: Int32Array): boolean {
    const { source, end } = this;
    const { text } = this.untrusted;
    let { low, high, narrowed } = this;
    if (narrowed === 0) [low, high] = [0, order.length];
    /** The first suffix of the range whose next character is this one or a larger. */
    const first = (code: number) => {
      let [from, to] = [low, high];
      while (from < to) {
        const middle = (from + to) >>> 1;
        if ((text[order[middle]! + narrowed] ?? -1) < code) from = middle + 1;
        else to = middle;
      }
      return from;
    };
    for (; narrowed < end && low < high; narrowed++) {
      const code = source[narrowed]!;
      [low, high] = [first(code), first(code + 1)];
    }
    Object.assign(this, { low, high, narrowed });
    return low < high;
  }

  private add(code: number): void {
    if (this.gone) return;
    const parts = isSeparator(code);
    if (this.unmarked && this.length === 0) {
      if (parts) {
        this.lead = code;
        return;
      }
      if (this.lead === LIST && code !== OBJECT) this.put(LIST);
    }
    this.put(code);
    if (parts) return;
    this.end = this.length;
    this.gone = this.length >= GRAM && !this.untrusted.mayHold(this.hash);
  }

  private put(code: number): void {
    if (this.length === this.source.length) this.grow();
    const { source, border, length } = this;
    source[length] = code;
    let k = length === 0 ? 0 : border[length - 1]!;
    while (k > 0 && source[k] !== code) k = border[k - 1]!;
    border[length] = length > 0 && source[k] === code ? k + 1 : 0;
    this.length++;
    this.hash = hashed(this.hash, code, length < GRAM ? 0 : source[length - GRAM]!);
  }

  private grow(): void {
    const [source, border] = [new Uint16Array(this.length * 2), new Int32Array(this.length * 2)];
    source.set(this.source);
    border.set(this.border);
    [this.source, this.border] = [source, border];
  }
}
