/** The number of consecutive characters that are looked up at once. */
export const GRAM = 12;

const BASE = 0x01000193;
/** The weight of the character that leaves the window of {@link GRAM} characters. */
const LEAVING = Array.from({ length: GRAM }).reduce<number>((power) => Math.imul(power, BASE), 1);

/** The rolling hash of the last {@link GRAM} characters, after one more. `leaving` is 0 for the first ones. */
export const nextHash = (hash: number, entering: number, leaving: number): number =>
  (Math.imul(hash, BASE) + entering - Math.imul(leaving, LEAVING)) | 0;

/** Every {@link GRAM} consecutive characters of a text, as a Bloom filter of one hash. */
export class GramTable {
  private readonly bits: Uint32Array;
  private readonly shift: number;

  constructor(text: Uint16Array) {
    // Eight bits per character: at most one in eight other grams is a false positive.
    this.shift = 32 - Math.min(31, Math.max(10, Math.ceil(Math.log2(text.length * 8))));
    this.bits = new Uint32Array(2 ** (32 - this.shift) / 32);
    let hash = 0;
    for (let i = 0; i < text.length; i++) {
      hash = nextHash(hash, text[i]!, i < GRAM ? 0 : text[i - GRAM]!);
      const bit = this.bitOf(hash);
      this.bits[bit >>> 5]! |= 1 << (bit & 31);
    }
  }

  /** Whether these characters may be in the text; false: they are not. */
  mayContainHash(hash: number): boolean {
    const bit = this.bitOf(hash);
    return ((this.bits[bit >>> 5]! >>> (bit & 31)) & 1) === 1;
  }

  private bitOf(hash: number): number {
    return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> this.shift;
  }
}
