/**
 * Numbers JSON values: equal values have the same number, whatever the order of their keys. Each value is visited once,
 * so that comparing many values takes time linear in their size.
 *
 * @example
 * const identities = new Identities();
 * identities.of({ a: 1, b: [2] }) === identities.of({ b: [2], a: 1 }); // true
 */
export class Identities {
  private readonly known = new Map<unknown, number>();
  private readonly containers = new Map<object, number>();

  of(value: unknown): number {
    if (typeof value !== "object" || value === null)
      return this.numberOf(typeof value === "string" ? `"${value}` : value);
    let identity = this.containers.get(value);
    if (identity === undefined) {
      identity = this.numberOf(Array.isArray(value) ? this.ofArray(value) : this.ofObject(value as object));
      this.containers.set(value, identity);
    }
    return identity;
  }

  private ofArray(values: readonly unknown[]): string {
    return `[${values.map((value) => this.of(value)).join()}`;
  }

  private ofObject(value: object): string {
    const parts = Object.entries(value).map(([key, part]) => `${this.of(key)}:${this.of(part)}`);
    return `{${parts.sort().join()}`;
  }

  private numberOf(key: unknown): number {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    this.known.set(key, this.known.size);
    return this.known.size - 1;
  }
}

/** The values of the first list that are also in the second one, in the order of the first. */
export function common(first: readonly unknown[], second: readonly unknown[]): unknown[] {
  const identities = new Identities();
  const others = new Set(second.map((value) => identities.of(value)));
  return first.filter((value) => others.has(identities.of(value)));
}

/** The values without repetitions. */
export function distinct(values: readonly unknown[]): unknown[] {
  const identities = new Identities();
  const seen = new Set<number>();
  return values.filter((value) => {
    const identity = identities.of(value);
    return !seen.has(identity) && seen.add(identity);
  });
}
