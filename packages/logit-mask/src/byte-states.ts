import type { GrammarExpression, GrammarTree } from "@toolingua/core/grammar";
import { LogitMaskError } from "./errors.js";
import { utf8Ranges } from "./utf8-ranges.js";

/** A state of a rule, between two bytes, and what leads from it. */
export class ByteState {
  /** States reached by reading a byte from `first` to `last`. */
  readonly bytes: { readonly first: number; readonly last: number; readonly to: ByteState }[] = [];
  /** States reached by reading what another rule admits. */
  readonly calls: { readonly rule: Rule; readonly to: ByteState }[] = [];
  /** States reached by reading nothing. */
  readonly skips: ByteState[] = [];
  /** Whether the rule can end here. */
  ends = false;
  /** Whether the rule does nothing after this state but end. In a circle of skips the answer is no, which is always safe. */
  isLast = false;

  constructor(readonly id: number) {}
}

/** The name of the rules that repeated groups become. */
export const GROUP = "a group";

export interface Rule {
  readonly name: string;
  readonly start: ByteState;
}

/**
 * The maximum number of states of a grammar. Repetitions are written out, once for each level: a repeated group becomes a rule.
 */
const MAX_STATES = 250_000;

/**
 * Translates a grammar to states, one automaton for each rule. Returns the rule `root`.
 *
 * Errors: {@link LogitMaskError} `grammar` for what no text in UTF-8 matches, and repetitions
 * with counts so large that there would be more than 250,000 states.
 */
export function byteStates(tree: GrammarTree): Rule {
  const writer = new StateWriter(tree.keys());
  for (const [name, body] of tree) writer.write(name, body);
  markLast(writer.states);
  return writer.rules.get("root")!;
}

/** Writes the states of rules. */
class StateWriter {
  readonly states: ByteState[] = [];
  readonly rules: ReadonlyMap<string, Rule>;
  /** The name of the rule that is being written. */
  private writing = "root";

  constructor(names: Iterable<string>) {
    this.rules = new Map(Array.from(names, (name) => [name, { name, start: this.state() }]));
  }

  write(name: string, body: GrammarExpression): void {
    this.writing = name;
    this.finish(this.rules.get(name)!, body);
  }

  private finish(rule: Rule, body: GrammarExpression): Rule {
    this.add(body, rule.start).ends = true;
    return rule;
  }

  private state(): ByteState {
    if (this.states.length >= MAX_STATES)
      throw new LogitMaskError(
        "grammar",
        `The grammar repeats too much: it has more than ${MAX_STATES.toLocaleString("en-US")} states.`,
      );
    const added = new ByteState(this.states.length);
    this.states.push(added);
    return added;
  }

  private endless(what: string): LogitMaskError {
    return new LogitMaskError("grammar", `The rule ${this.writing} ${what}: no text in UTF-8 matches it.`);
  }

  /** Adds what an expression admits after `from`, and returns the last state. */
  private add(expression: GrammarExpression, from: ByteState): ByteState {
    switch (expression.kind) {
      case "text":
        if (/\p{Surrogate}/u.test(expression.text)) throw this.endless(`has ${JSON.stringify(expression.text)}`);
        return [...expression.text].reduce((at, char) => {
          const to = this.state();
          this.addRange(at, to, code(char), code(char));
          return to;
        }, from);
      case "class": {
        const to = this.state();
        const before = from.bytes.length;
        for (const [first, last] of admitted(expression)) this.addRange(from, to, first, last);
        if (from.bytes.length === before) throw this.endless("has a class that admits no character");
        return to;
      }
      case "rule":
        return this.addCall(from, this.rules.get(expression.name)!);
      case "sequence":
        return expression.parts.reduce((at, part) => this.add(part, at), from);
      case "choice": {
        const to = this.state();
        for (const option of expression.options) this.add(option, from).skips.push(to);
        return to;
      }
      case "repeat":
        return this.repeat(expression, from);
    }
  }

  private repeat({ part, min, max }: GrammarExpression & { kind: "repeat" }, from: ByteState): ByteState {
    const copies = max ?? min + 1;
    const isShort = part.kind === "rule" || part.kind === "class" || copies <= 1;
    const group = isShort ? undefined : this.finish({ name: GROUP, start: this.state() }, part);
    const once = (at: ByteState) => (group ? this.addCall(at, group) : this.add(part, at));
    let at = from;
    for (let i = 0; i < min; i++) at = once(at);
    const to = this.state();
    at.skips.push(to);
    for (let i = min; i < (max ?? 0); i++) {
      at = once(at);
      at.skips.push(to);
    }
    if (max === undefined) once(to).skips.push(to);
    return to;
  }

  private addCall(from: ByteState, rule: Rule): ByteState {
    const to = this.state();
    from.calls.push({ rule, to });
    return to;
  }

  /** A character from `first` to `last`: bytes that end alike share the states before their end. */
  private addRange(from: ByteState, to: ByteState, first: number, last: number): void {
    if (last < 0x80) {
      from.bytes.push({ first, last, to });
      return;
    }
    const before = new Map<string, ByteState>([["", to]]);
    for (const ranges of utf8Ranges(first, last)) {
      let next = to;
      let rest = "";
      for (const [low, high] of ranges.slice(1).reverse()) {
        rest += `${low}-${high},`;
        const at = before.get(rest) ?? this.state();
        if (!before.has(rest)) at.bytes.push({ first: low, last: high, to: next });
        before.set(rest, at);
        next = at;
      }
      for (const [low, high] of ranges.slice(0, 1)) from.bytes.push({ first: low, last: high, to: next });
    }
  }
}

/** Sets `isLast`, from the states where rules end backwards. */
function markLast(states: readonly ByteState[]): void {
  const before = new Map<ByteState, ByteState[]>(states.map((state) => [state, []]));
  for (const state of states) for (const to of state.skips) before.get(to)?.push(state);
  /** For each state, how many of its skips lead to states that are not known to be last. */
  const open = new Map(states.map((state) => [state, state.skips.length]));
  const last = states.filter(
    ({ ends, skips, bytes, calls }) => ends && skips.length + bytes.length + calls.length === 0,
  );
  // The list grows during the loop.
  for (const state of last) {
    state.isLast = true;
    for (const from of before.get(state) ?? []) {
      const left = (open.get(from) ?? 0) - 1;
      open.set(from, left);
      if (left === 0 && from.bytes.length + from.calls.length === 0) last.push(from);
    }
  }
}

const code = (char: string) => char.codePointAt(0) ?? 0;

/** The code points that a class admits, as ranges that do not overlap. */
function admitted({ not, ranges }: GrammarExpression & { kind: "class" }): [first: number, last: number][] {
  const joined: [number, number][] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = joined.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  if (!not) return joined;
  const bounds = [-1, ...joined.flat(), 0x110000];
  const gaps: [number, number][] = [];
  for (let i = 0; i < bounds.length; i += 2) gaps.push([(bounds[i] ?? 0) + 1, (bounds[i + 1] ?? 0) - 1]);
  return gaps.filter(([first, last]) => first <= last);
}
