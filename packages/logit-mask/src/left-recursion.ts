import { type ByteState, GROUP, type Rule } from "./byte-states.js";
import { LogitMaskError } from "./errors.js";

/**
 * Checks that no rule can begin with itself, also after rules that admit the empty text: what follows such a rule has
 * no end. Takes linear time. `rules`: all that a reply can get to.
 *
 * Errors: {@link LogitMaskError} `grammar`, which names the rule.
 */
export function checkLeftRecursion(rules: Iterable<Rule>): void {
  const beginnings = firstRules(rules);
  const checked = new Set<Rule>();
  for (const first of beginnings.keys()) {
    if (checked.has(first)) continue;
    // Each of these begins the one before it. A stack of calls could overflow.
    const path = [{ rule: first, left: [...(beginnings.get(first) ?? [])] }];
    const onPath = new Set([first]);
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const next = last.left.pop();
      if (next === undefined) {
        path.pop();
        onPath.delete(last.rule);
        checked.add(last.rule);
      } else if (onPath.has(next)) {
        throw beginsWithItself([...onPath].slice([...onPath].indexOf(next)));
      } else if (!checked.has(next)) {
        path.push({ rule: next, left: [...(beginnings.get(next) ?? [])] });
        onPath.add(next);
      }
    }
  }
}

function beginsWithItself(circle: readonly Rule[]): LogitMaskError {
  const name = circle.map((rule) => rule.name).find((one) => one !== GROUP);
  return new LogitMaskError("grammar", `The rule ${name} of the grammar begins with itself.`);
}

/** For each rule, those that can come at its beginning, before any byte. */
function firstRules(rules: Iterable<Rule>): Map<Rule, Set<Rule>> {
  const beginnings = new Map<Rule, Set<Rule>>();
  const canBeEmpty = new Set<Rule>();
  /** States after a rule, which are at the beginning of theirs if that rule can be empty. */
  const callers = new Map<Rule, { rule: Rule; state: ByteState }[]>();
  const todo: { rule: Rule; state: ByteState }[] = [];
  for (const rule of rules) {
    beginnings.set(rule, new Set());
    callers.set(rule, []);
    todo.push({ rule, state: rule.start });
  }
  const seen = new Set<ByteState>();
  for (let one = todo.pop(); one; one = todo.pop()) {
    const { rule, state } = one;
    if (seen.has(state)) continue;
    seen.add(state);
    for (const to of state.skips) todo.push({ rule, state: to });
    for (const { rule: called, to } of state.calls) {
      beginnings.get(rule)?.add(called);
      if (canBeEmpty.has(called)) todo.push({ rule, state: to });
      else callers.get(called)?.push({ rule, state: to });
    }
    if (state.ends && !canBeEmpty.has(rule)) {
      canBeEmpty.add(rule);
      for (const caller of callers.get(rule) ?? []) todo.push(caller);
    }
  }
  return beginnings;
}
