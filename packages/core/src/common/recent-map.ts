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
  readonly #kept = new Map<Key, { value: Value; size: number }>();
  readonly #most: number;
  readonly #sizeOf: (value: Value, key: Key) => number;
  #totalSize = 0;

  constructor(most: number, sizeOf: (value: Value, key: Key) => number = () => 1) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  /** How many entries there are. */
  get entries(): number {
    return this.#kept.size;
  }

  /** Their sizes together. */
  get totalSize(): number {
    return this.#totalSize;
  }

  get(key: Key): Value | undefined {
    const entry = this.#kept.get(key);
    if (!entry) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    return entry.value;
  }

  set(key: Key, value: Value): void {
    this.#delete(key);
    const size = this.#sizeOf(value, key);
    this.#kept.set(key, { value, size });
    this.#totalSize += size;
    for (const oldest of this.#kept.keys()) {
      if (this.#totalSize <= this.#most || oldest === key) break;
      this.#delete(oldest);
    }
  }

  clear(): void {
    this.#kept.clear();
    this.#totalSize = 0;
  }

  #delete(key: Key): void {
    this.#totalSize -= this.#kept.get(key)?.size ?? 0;
    this.#kept.delete(key);
  }
}
