import { choice, classOf, type Rules, repeat, sequence } from "../rules.js";
import { type Forbidden, NAME_SIGNS } from "./forbidden.js";
import { ForbiddenAutomaton, isNameSign, START, type State } from "./forbidden-automaton.js";

export interface TextWithout {
  forbidden: readonly Forbidden[];
  /** Signs that never stand as they are. */
  notRaw?: string;
  controls?: boolean;
  /** An expression for other ways to write a sign; what is forbidden does not go on over one. */
  escapes?: string;
  /** What follows the text. */
  end?: string;
  /** What came before the text. */
  after?: string;
}

/** Readers of grammars take so many brackets in each other; llguidance no more than about thirty. */
const MOST_DEEP = 12;

/** Classes that are longer are worth a rule. */
const LONG = 17;

/**
 * A rule for any text in which nothing forbidden stands, followed by `end`: the states of the automaton that watches for
 * it. The text is runs of plain characters, with what may begin something forbidden between them. Most states lead back to the
 * plain characters, or go on as the beginning does; these say no more than how they differ, so that texts in which the same
 * word is forbidden share the rules for it. The others say all that may follow them.
 */
export function textWithout(rules: Rules, hint: string, options: TextWithout): string {
  return rules.once(JSON.stringify([hint, options]), hint, (start) =>
    new TextWriter(rules, hint, options).build(start),
  );
}

class TextWriter {
  /** The rules for all that may follow in a state. */
  private readonly names = new Map<State, string>();
  /** The rules for detours. */
  private readonly detourNames = new Map<State, string>();
  private readonly looks = new Map<State, Look>();
  private readonly uses = new Map<State, number>();
  /** States that do not lead back. */
  private readonly lasting = new Set<State>();
  /** Detours that are being written, with their names once they lead to themselves. */
  private readonly pending = new Map<State, string | undefined>();
  private readonly automaton: ForbiddenAutomaton;
  private readonly escapes: string;
  /** The steps from the beginning. */
  private readonly start: readonly Step[];
  private tailName: string | undefined;
  private runName: string | undefined;
  /** How many brackets are open. */
  private depth = 0;

  constructor(
    private readonly rules: Rules,
    private readonly hint: string,
    private readonly options: TextWithout,
  ) {
    this.automaton = new ForbiddenAutomaton(options);
    this.escapes = options.escapes ? rules.add("escape", options.escapes) : "";
    this.start = this.steps(START, new Map());
  }

  /** The body of the start rule, which has that name. */
  build(name: string): string {
    let start = START;
    for (const char of this.options.after ?? "") start = this.automaton.next(start, char) ?? start;
    const states = new Set([start, START]);
    for (const state of states) {
      for (const target of this.look(state).targets) {
        states.add(target);
        this.uses.set(target, (this.uses.get(target) ?? 0) + 1);
      }
    }
    this.findLasting(states);
    this.names.set(start, name);
    return start === START ? this.text() : this.full(start);
  }

  /** Those that go on as the beginning does in some ways only, and those that lead to such ones. */
  private findLasting(states: ReadonlySet<State>): void {
    // Most lead to later ones.
    const backwards = [...states].reverse().filter((state) => state !== START);
    for (let known = -1; known < this.lasting.size; ) {
      known = this.lasting.size;
      for (const state of backwards) {
        const { leadsBack, own } = this.look(state);
        if (!leadsBack || [...own].some((target) => this.lasting.has(target))) this.lasting.add(state);
      }
    }
  }

  /** Where a state leads. */
  private look(state: State): Look {
    let look = this.looks.get(state);
    if (!look) {
      look = this.lookFrom(state);
      this.looks.set(state, look);
    }
    return look;
  }

  private lookFrom(state: State): Look {
    const ends = !this.automaton.endsForbidden(state);
    const ways = [...this.automaton.entries].map(([char, target]) => [this.automaton.next(state, char), target]);
    const isLikeStart = ends && ways.every(([next, target]) => next === target);
    const isApart = !ends && ways.every(([next]) => next === undefined);
    const own = new Set<State>();
    const targets = new Set<State>();
    for (const char of new Set([...this.automaton.movesFrom(state).keys(), ...this.automaton.entries.keys()])) {
      const target = this.automaton.next(state, char);
      if (target === undefined) continue;
      targets.add(target);
      if (!isLikeStart || !this.automaton.entries.has(char)) own.add(target);
    }
    return { isLikeStart, leadsBack: isLikeStart || isApart, targets, own };
  }

  /** Plain signs, and all that may come behind them. */
  private text(): string {
    const entries = this.start.filter(({ isRest }) => !isRest);
    if (entries.some(({ target }) => this.lasting.has(target))) return sequence(this.run(), this.tail());
    const detours = entries.map((step) => sequence(step.signs, this.detour(step.target, entries.length > 1)));
    if (this.escapes) detours.push(sequence(this.escapes, this.run()));
    const between = detours.length === 0 ? "" : repeat(choice(detours), 0, undefined);
    return sequence(this.run(), between, this.options.end ?? "");
  }

  /** The same as a rule. */
  private whole(): string {
    let name = this.names.get(START);
    if (name === undefined) {
      name = this.rules.reserve(this.hint);
      this.names.set(START, name);
      this.rules.define(name, this.text() || '""');
    }
    return name;
  }

  /** What may come behind plain characters, as a rule of its own. */
  private tail(): string {
    if (this.tailName === undefined) {
      this.tailName = this.rules.reserve("t");
      const entries = this.start.filter(({ isRest }) => !isRest);
      this.rules.define(this.tailName, [...entries.map((step) => this.onward(step)), ...this.others()].join(" | "));
    }
    return this.tailName;
  }

  /** Any number of plain characters. */
  private run(): string {
    if (this.runName === undefined) {
      const rest = this.start.find(({ isRest }) => isRest);
      this.runName = rest ? this.rules.add("r", repeat(rest.signs, 0, undefined)) : "";
    }
    return this.runName;
  }

  /** A step with all that may follow it. */
  private onward({ signs, target }: Step): string {
    if (target === START) return sequence(signs, this.whole());
    return this.lasting.has(target) || this.names.has(target)
      ? sequence(signs, this.lastingRule(target))
      : sequence(signs, this.detour(target, true), this.tail());
  }

  private lastingRule(state: State): string {
    const known = this.names.get(state);
    if (known !== undefined) return known;
    if (this.uses.get(state) === 1 && this.depth < MOST_DEEP) {
      this.depth++;
      const written = this.full(state);
      this.depth--;
      return `(${written})`;
    }
    const name = this.rules.reserve("t");
    this.names.set(state, name);
    const { depth } = this;
    this.depth = 0;
    this.rules.define(name, this.full(state));
    this.depth = depth;
    return name;
  }

  /** All that may follow in a state. */
  private full(state: State): string {
    const { isLikeStart } = this.look(state);
    const options = this.ownSteps(state).map((step) => this.onward(step));
    if (isLikeStart) options.push(this.tail());
    else options.push(...this.others(!this.automaton.endsForbidden(state)));
    return options.join(" | ");
  }

  /** Signs that are spelt otherwise, and the end. */
  private others(ends = true): string[] {
    const { end = "" } = this.options;
    return [...(this.escapes ? [sequence(this.escapes, this.whole())] : []), ...(ends ? [end || '""'] : [])];
  }

  /** What may follow in a state before it goes on as behind plain characters. `isShared`: as a rule. */
  private detour(state: State, isShared: boolean, depth = 0): string {
    const known = this.detourNames.get(state);
    if (known !== undefined) return known;
    if (this.pending.has(state)) {
      const name = this.pending.get(state) ?? this.rules.reserve("t");
      this.pending.set(state, name);
      return name;
    }
    this.pending.set(state, undefined);
    const isRule = isShared || (this.uses.get(state) ?? 0) > 1 || depth === MOST_DEEP;
    const written = this.detours(state, isRule ? 0 : depth);
    const own = this.pending.get(state);
    this.pending.delete(state);
    if (own !== undefined) this.rules.define(own, written);
    const name = own ?? (isRule ? this.rules.add("t", written) : undefined);
    if (name !== undefined) this.detourNames.set(state, name);
    return name ?? written;
  }

  private detours(state: State, depth: number): string {
    const steps = this.ownSteps(state);
    const branches = steps.filter(({ target }) => target !== START && target !== state).length > 1;
    const options = steps.map(({ signs, target }) => {
      if (target !== START) return sequence(signs, this.detour(target, branches, depth + 1));
      const plain = sequence(signs, this.run());
      // The same wherever this sign is the one that would go on.
      return signs.length > LONG ? this.rules.add("no", plain) : plain;
    });
    if (!this.look(state).isLikeStart && this.escapes) options.push(sequence(this.escapes, this.run()));
    const all = choice(options);
    if (!this.look(state).isLikeStart) return all;
    return repeat(all, 0, 1);
  }

  /** The steps from a state but those that it shares with the beginning. */
  private ownSteps(state: State): Step[] {
    return this.steps(state, this.look(state).isLikeStart ? this.automaton.entries : new Map());
  }

  /** The steps from a state but those with some signs. */
  private steps(state: State, without: ReadonlyMap<string, State>): Step[] {
    const { notRaw = "", controls = false } = this.options;
    const [name, other] = [this.automaton.next(state, "name"), this.automaton.next(state, "other")];
    // Signs of names are told from others only where it matters.
    const apart = this.automaton.tellsNames && name !== other;
    const usual = (char: string) => (!apart ? other : char > "\x7f" ? null : isNameSign(char) ? name : other);
    const byTarget = new Map<State, string>();
    let taken = notRaw;
    for (const char of this.automaton.alphabet) {
      const target = this.automaton.next(state, char);
      if (target === usual(char)) continue;
      taken += char;
      if (target !== undefined && !without.has(char)) byTarget.set(target, (byTarget.get(target) ?? "") + char);
    }
    const steps: Step[] = [];
    if (apart && name !== undefined) {
      const free = NAME_SIGNS.filter((char) => !taken.includes(char)).join("");
      steps.push({
        signs: classOf((byTarget.get(name) ?? "") + free, { wide: taken + this.automaton.alphabet.join("") }),
        target: name,
      });
      byTarget.delete(name);
    }
    steps.unshift(...[...byTarget].map(([target, chars]) => ({ signs: classOf(chars), target })));
    const rest = apart
      ? classOf(taken + NAME_SIGNS.join(""), { not: true, controls, wide: "" })
      : classOf(taken, { not: true, controls });
    if (other !== undefined) steps.push({ signs: rest, target: other, isRest: true });
    return steps;
  }
}

/** A class of signs, and the state they lead to; `isRest`: all signs that no other step has. */
interface Step {
  signs: string;
  target: State;
  isRest?: true;
}

interface Look {
  /** Whether all that something forbidden begins with, and the end, may follow as they may at the beginning. */
  isLikeStart: boolean;
  /** Whether this is so, or none of it may follow. */
  leadsBack: boolean;
  targets: ReadonlySet<State>;
  /** Those that it does not share with the beginning. */
  own: ReadonlySet<State>;
}
