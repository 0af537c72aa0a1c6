/**
 * A bounded cache: a map that forgets the entries that were not used for the longest time when all sizes together are above
 * `most`. Without `sizeOf` each entry counts as one. The latest entry is always kept.
 *
 * Errors: none of its own.
 *
 * @example
 * const grammars = new RecentMap<string, Grammar>(64);
 * grammars.set(text, grammar);
 * grammars.get(text); // the grammar, which is now the latest entry
 */
export class RecentMap<Key, Value extends object> {
  readonly #entries = new Map<Key, { value: Value; size: number }>();
  readonly #most: number;
  readonly #sizeOf: (value: Value, key: Key) => number;
  #size = 0;

  constructor(most: number, sizeOf: (value: Value, key: Key) => number = () => 1) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  /** How many entries there are. */
  get count(): number {
    return this.#entries.size;
  }

  /** Their sizes together. */
  get size(): number {
    return this.#size;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: Key, value: Value): void {
    this.#delete(key);
    const size = this.#sizeOf(value, key);
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#most || oldest === key) break;
      this.#delete(oldest);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }

  #delete(key: Key): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
