/**
 * Seeded random numbers (mulberry32). A fuzzing run uses millions of them, and each of its replies has its own seed, so
 * that one reply can be reproduced without those before it.
 */
export class Random {
  private state: number;

  constructor(...seeds: number[]) {
    this.state = 0;
    for (const seed of seeds) this.state = Math.imul(this.state ^ seed, 0x9e3779b1) ^ (this.state >>> 15);
  }

  /** From 0 to below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below `limit`. */
  int(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)]!;
  }

  /** Two indexes of a text, in order, mostly close together. */
  range(length: number): [from: number, to: number] {
    const from = this.int(length + 1);
    const most = this.chance(0.7) ? 16 : length;
    return [from, Math.min(length, from + this.int(most + 1))];
  }
}
