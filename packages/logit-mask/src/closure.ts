import type { ByteState, Rule } from "./byte-states.js";
import type { Continuation, Continuations } from "./continuations.js";

/** A rule that begins in this closure: what follows it is known when all of its callers are. */
interface Opening {
  readonly rule: Rule;
  readonly callers: { readonly to: ByteState; readonly outer: Continuation | Opening }[];
  /** Callers that end with the rule: what follows them follows the rule, so that a rule calling itself last takes no room. */
  readonly lastOf: (Continuation | Opening)[];
  /** Whether the rule admits the empty text. */
  ended: boolean;
  resolved: Continuation | undefined;
}

/**
 * All states that follow some states without a byte being read. Used once. No rule begins with itself: see
 * `checkLeftRecursion`.
 */
export class Closure {
  private readonly openings = new Map<Rule, Opening>();
  private readonly seen = new Map<Continuation | Opening, Set<ByteState>>();
  private readonly ended = new Set<Continuation | Opening>();
  private readonly found: { state: ByteState; outer: Continuation | Opening }[] = [];
  private readonly todo: { state: ByteState; outer: Continuation | Opening }[] = [];
  private canEnd = false;

  constructor(private readonly continuations: Continuations) {}

  of(kernel: ReadonlyMap<ByteState, Continuation>): { states: Map<ByteState, Continuation>; canEnd: boolean } {
    for (const [state, outer] of kernel) this.todo.push({ state, outer });
    for (let one = this.todo.pop(); one; one = this.todo.pop()) this.visit(one.state, one.outer);
    const states = new Map<ByteState, Continuation>();
    for (const { state, outer } of this.found) this.continuations.addTo(states, state, this.resolve(outer));
    return { states, canEnd: this.canEnd };
  }

  private visit(state: ByteState, outer: Continuation | Opening): void {
    const seen = this.seen.get(outer);
    if (seen?.has(state)) return;
    if (seen) seen.add(state);
    else this.seen.set(outer, new Set([state]));
    if (state.bytes.length > 0) this.found.push({ state, outer });
    for (const to of state.skips) this.todo.push({ state: to, outer });
    for (const { rule, to } of state.calls) this.call(rule, to, outer);
    if (state.ends) this.end(outer);
  }

  private call(rule: Rule, to: ByteState, outer: Continuation | Opening): void {
    let opening = this.openings.get(rule);
    if (!opening) {
      opening = { rule, callers: [], lastOf: [], ended: false, resolved: undefined };
      this.openings.set(rule, opening);
      this.todo.push({ state: rule.start, outer: opening });
    }
    if (to.isLast) opening.lastOf.push(outer);
    else opening.callers.push({ to, outer });
    if (opening.ended) this.todo.push({ state: to, outer });
  }

  /** The rule that this follows has ended here, and so have those that end with it. */
  private end(outer: Continuation | Opening): void {
    const ending = [outer];
    for (let one = ending.pop(); one; one = ending.pop()) {
      if (this.ended.has(one)) continue;
      this.ended.add(one);
      if ("rule" in one) {
        one.ended = true;
        for (const { to, outer: next } of one.callers) this.todo.push({ state: to, outer: next });
        for (const next of one.lastOf) ending.push(next);
      } else {
        this.canEnd ||= one.endsReply;
        for (const [state, next] of one.returns) this.todo.push({ state, outer: next });
      }
    }
  }

  /** What follows a rule. What follows its callers is needed first; a stack of calls could overflow. */
  private resolve(outer: Continuation | Opening): Continuation {
    if (!("rule" in outer)) return outer;
    const waiting = [outer];
    for (let one = waiting.at(-1); one; one = waiting.at(-1)) {
      const before = waiting.length;
      if (!one.resolved) {
        for (const { outer: next } of one.callers) if ("rule" in next && !next.resolved) waiting.push(next);
        for (const next of one.lastOf) if ("rule" in next && !next.resolved) waiting.push(next);
        if (waiting.length > before) continue;
        one.resolved = this.joined(one);
      }
      waiting.pop();
    }
    return followed(outer);
  }

  /** What follows a rule, where it is known what follows its callers. */
  private joined({ callers, lastOf }: Opening): Continuation {
    const returns = new Map<ByteState, Continuation>();
    let endsReply = false;
    for (const { to, outer } of callers) this.continuations.addTo(returns, to, followed(outer));
    for (const outer of lastOf) {
      const same = followed(outer);
      endsReply ||= same.endsReply;
      for (const [to, after] of same.returns) this.continuations.addTo(returns, to, after);
    }
    return this.continuations.of(endsReply, returns);
  }
}

function followed(outer: Continuation | Opening): Continuation {
  const found = "rule" in outer ? outer.resolved : outer;
  if (!found) throw new Error("It is not known yet what follows a rule.");
  return found;
}
