import type { ByteState, Rule } from "./byte-states.js";
import type { Continuation, Continuations } from "./continuations.js";
import { LogitMaskError } from "./errors.js";

/** A rule that begins in this closure: what follows it is known when all of its callers are. */
interface Opening {
  readonly rule: Rule;
  readonly callers: { readonly to: ByteState; readonly outer: Continuation | Opening }[];
  /** Callers that end with the rule: what follows them follows the rule, so that a rule calling itself last takes no room. */
  readonly lastOf: (Continuation | Opening)[];
  /** Whether the rule admits the empty text. */
  ended: boolean;
  resolved: Continuation | "in progress" | undefined;
}

/** All places that follow some places without a byte being read. Used once. */
export class Closure {
  private readonly openings = new Map<Rule, Opening>();
  private readonly seen = new Map<Continuation | Opening, Set<ByteState>>();
  private readonly ended = new Set<Continuation | Opening>();
  private readonly found: { state: ByteState; outer: Continuation | Opening }[] = [];
  private readonly todo: { state: ByteState; outer: Continuation | Opening }[] = [];
  private canEnd = false;

  constructor(private readonly continuations: Continuations) {}

  of(kernel: ReadonlyMap<ByteState, Continuation>): { places: Map<ByteState, Continuation>; canEnd: boolean } {
    for (const [state, outer] of kernel) this.todo.push({ state, outer });
    for (let one = this.todo.pop(); one; one = this.todo.pop()) this.visit(one.state, one.outer);
    const places = new Map<ByteState, Continuation>();
    for (const { state, outer } of this.found) this.continuations.addTo(places, state, this.resolve(outer));
    return { places, canEnd: this.canEnd };
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

  /** The rule that this follows has ended here. */
  private end(outer: Continuation | Opening): void {
    if (this.ended.has(outer)) return;
    this.ended.add(outer);
    if ("rule" in outer) {
      outer.ended = true;
      for (const { to, outer: next } of outer.callers) this.todo.push({ state: to, outer: next });
      for (const next of outer.lastOf) this.end(next);
    } else {
      this.canEnd ||= outer.endsReply;
      for (const [state, next] of outer.returns) this.todo.push({ state, outer: next });
    }
  }

  private resolve(outer: Continuation | Opening): Continuation {
    if (!("rule" in outer)) return outer;
    if (outer.resolved === "in progress")
      throw new LogitMaskError("grammar", `The rule ${outer.rule.name} of the grammar begins with itself.`);
    if (outer.resolved) return outer.resolved;
    outer.resolved = "in progress";
    const returns = new Map<ByteState, Continuation>();
    let endsReply = false;
    for (const { to, outer: next } of outer.callers) this.continuations.addTo(returns, to, this.resolve(next));
    for (const next of outer.lastOf) {
      const same = this.resolve(next);
      endsReply ||= same.endsReply;
      for (const [to, after] of same.returns) this.continuations.addTo(returns, to, after);
    }
    outer.resolved = this.continuations.of(endsReply, returns);
    return outer.resolved;
  }
}
