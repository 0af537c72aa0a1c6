import type { ByteState } from "./byte-states.js";

/**
 * What can follow the end of a rule: the states that continue after it, each with what follows the rule of that state in
 * turn. Equal ones are one object.
 */
export interface Continuation {
  readonly id: number;
  /** Whether the reply can end with the rule. */
  readonly endsReply: boolean;
  readonly returns: ReadonlyMap<ByteState, Continuation>;
}

/**
 * The continuations of a grammar, each once: a stack of a pushdown automaton whose equal parts are shared, so that a
 * grammar that can be read in many ways at once takes no more states than it has (a graph-structured stack, Tomita 1987).
 */
export class Continuations {
  private readonly known = new Map<string, Continuation>();
  private readonly joined = new Map<string, Continuation>();
  private count = 0;

  get size(): number {
    return this.known.size + this.joined.size;
  }

  clear(): void {
    this.known.clear();
    this.joined.clear();
  }

  of(endsReply: boolean, returns: ReadonlyMap<ByteState, Continuation>): Continuation {
    const key = `${endsReply ? "end " : ""}${keyOf(returns)}`;
    let found = this.known.get(key);
    if (!found) {
      // Numbers are not used again after `clear`: a reply in progress keeps continuations from before.
      found = { id: this.count++, endsReply, returns };
      this.known.set(key, found);
    }
    return found;
  }

  /** Whatever follows in one or the other. */
  either(a: Continuation, b: Continuation): Continuation {
    if (a === b) return a;
    const key = a.id < b.id ? `${a.id},${b.id}` : `${b.id},${a.id}`;
    let both = this.joined.get(key);
    if (!both) {
      const returns = new Map(a.returns);
      for (const [to, outer] of b.returns) this.addTo(returns, to, outer);
      both = this.of(a.endsReply || b.endsReply, returns);
      this.joined.set(key, both);
    }
    return both;
  }

  addTo(returns: Map<ByteState, Continuation>, to: ByteState, outer: Continuation): void {
    const known = returns.get(to);
    returns.set(to, known ? this.either(known, outer) : outer);
  }
}

/** A text that is equal for equal maps. */
export function keyOf(map: ReadonlyMap<ByteState, Continuation>): string {
  const keys: string[] = [];
  for (const [state, { id }] of map) keys.push(`${state.id}:${id}`);
  return keys.length > 1 ? keys.sort().join() : (keys[0] ?? "");
}
